"""Words that begin alike, and vectors drawn together, against loops over all pairs."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from augcse.encoding.static.relatives import move_together, pairs_with_common_prefix
from augcse.encoding.unit_rows import unit_rows


def _begin_alike(first: str, second: str) -> bool:
    shared = 0
    while shared < min(len(first), len(second)) and first[shared] == second[shared]:
        shared += 1
    longest = max(len(first), len(second))
    return first.isalpha() and second.isalpha() and shared >= 3 and longest - shared <= 4 and 2 * shared >= longest


@given(st.lists(st.text("ab#", max_size=9), unique=True, max_size=12))
def test_the_pairs_are_those_of_a_loop_over_all(words: list[str]) -> None:
    expected = [[i, j] for i in range(len(words)) for j in range(i + 1, len(words)) if _begin_alike(words[i], words[j])]
    assert pairs_with_common_prefix(words).tolist() == expected


def test_rows_move_to_the_mean_of_their_relatives_as_in_a_loop() -> None:
    random = np.random.default_rng(0)
    rows = unit_rows(random.standard_normal((30, 4)), np.float32)
    counts = random.integers(0, 9, 30)
    pairs = np.array([(i, j) for i in range(30) for j in range(i + 1, 30) if random.random() < 0.3])
    expected = np.empty_like(rows)
    for i in range(30):
        others = [j for j in range(30) if (i, j) in map(tuple, pairs) or (j, i) in map(tuple, pairs)]
        others = [j for j in others if counts[i] > 0 and counts[j] > 0 and rows[i] @ rows[j] > 0.2]
        weights = {j: np.sqrt(counts[j]) for j in others} | {i: max(np.sqrt(counts[i]), 1.0)}
        mean = sum(weight * rows[j] for j, weight in weights.items()) / sum(weights.values())
        moved = 0.3 * rows[i] + 0.7 * mean
        expected[i] = moved / np.linalg.norm(moved)
    np.testing.assert_allclose(move_together(rows, counts, pairs, 0.7, 0.2), expected, atol=1e-6)


def test_rows_without_relatives_stay_as_they_are() -> None:
    rows = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 0.0]], dtype=np.float32)
    none = np.empty((0, 2), dtype=np.int64)
    np.testing.assert_array_equal(move_together(rows, np.ones(4), none, 0.8), rows)
    # The last is the first's relative and its equal; the others are at a right angle, or nothing.
    np.testing.assert_allclose(move_together(rows, np.ones(4), np.array([[0, 1], [0, 2], [0, 3]]), 0.8), rows)
