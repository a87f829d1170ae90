"""Vectors from letters: near right angles for tokens without n-grams in common, near for those that share many."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from augcse.encoding.static.letters import letter_ngrams, letter_rows


def test_a_cosine_is_about_the_share_of_ngrams_in_common() -> None:
    words = ["translation", "translations", "river", "##tion", "translation"]
    rows = letter_rows(words, 2048)
    cosines = rows @ rows.T
    for first in range(len(words)):
        for second in range(len(words)):
            one, other = letter_ngrams(words[first]), letter_ngrams(words[second])
            shared = sum(one.count(gram) * other.count(gram) for gram in set(one))
            lengths = [np.sqrt(sum(grams.count(gram) ** 2 for gram in set(grams))) for grams in (one, other)]
            assert abs(cosines[first, second] - shared / (lengths[0] * lengths[1])) < 0.1


def test_the_start_of_a_word_is_the_same_for_every_tokenizer() -> None:
    rows = letter_rows(["mill", "Ġmill", "▁mill", "##mill"], 64)
    np.testing.assert_array_equal(rows[1:3], rows[[0, 0]])
    assert rows[0] @ rows[3] < 0.9


@given(st.lists(st.text(max_size=12), min_size=1, max_size=5))
def test_every_token_has_a_finite_unit_row_that_depends_on_it_alone(tokens: list[str]) -> None:
    rows = letter_rows(tokens, 8)
    np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1.0, rtol=1e-5)
    np.testing.assert_array_equal(letter_rows(tokens[::-1], 8), rows[::-1])
