"""Pairs to be graded: every stratum gives its share, no sentence comes twice, and the same seed gives the same pairs."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.analysis import pair_draw
from augcse.analysis.pair_draw import STRATA, draw_pairs, sample_sentences, without_near_duplicates
from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError

NAMES = [f"sentence {number}" for number in range(300)]


@pytest.fixture
def embeddings() -> np.ndarray:
    """Thirty groups of ten: pairs within a group are alike, by more or less; pairs across are not."""
    generator = np.random.default_rng(0)
    centres = np.repeat(generator.normal(size=(30, 24)), 10, axis=0)
    return centres + generator.uniform(0.05, 1.5, size=(300, 1)) * generator.normal(size=(300, 24))


def test_each_stratum_gives_its_share_and_no_sentence_comes_twice(embeddings: np.ndarray) -> None:
    drawn = draw_pairs(NAMES, embeddings, 60, seed=0)
    flat = [sentence for pair in drawn.pairs for sentence in pair]
    assert len(flat) == len(set(flat)) == 120
    assert [stratum.pairs for stratum in drawn.strata] == [6] * STRATA
    unit = unit_rows(embeddings, np.float32)
    row_of = {name: row for row, name in enumerate(NAMES)}
    found = [float(unit[row_of[first]] @ unit[row_of[second]]) for first, second in drawn.pairs]
    everything = [float(unit[left] @ unit[right]) for left, right in combinations(range(300), 2)]
    # The strata reach over the whole range, and hold as many of the drawn pairs as they say.
    assert (drawn.strata[0].low, drawn.strata[-1].high) == pytest.approx((min(everything), max(everything)), abs=1e-5)
    assert drawn.strata[0].high == pytest.approx(float(np.median(everything)), abs=0.02)
    for index, stratum in enumerate(drawn.strata):
        last = index == STRATA - 1
        assert sum(stratum.low <= cosine < stratum.high or (last and cosine >= stratum.low) for cosine in found) == stratum.pairs
    # Shuffled: the first half has high and low ones.
    assert min(found[:30]) < 0.1
    assert max(found[:30]) > 0.8


def test_the_seed_decides_alone(embeddings: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    first = draw_pairs(NAMES, embeddings, 20, seed=1)
    assert draw_pairs(NAMES, embeddings, 20, seed=1) == first
    assert draw_pairs(NAMES, embeddings, 20, seed=2) != first


def test_blocks_give_every_pair_once(embeddings: np.ndarray, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_draw, "_BLOCK_ROWS", 37)
    unit = unit_rows(embeddings, np.float32)
    found = [
        (int(left), int(right)) for lefts, _, rights in pair_draw._pair_blocks(unit) for left, right in zip(lefts, rights, strict=True)
    ]
    assert sorted(found) == list(combinations(range(300), 2))


def test_candidates_are_a_uniform_sample_whatever_the_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pair_draw, "_BLOCK_ROWS", 3)
    unit = unit_rows(np.random.default_rng(0).normal(size=(12, 3)), np.float32)
    edges = np.linspace(-1, 1, STRATA + 1)
    counts: dict[tuple[int, int], int] = dict.fromkeys(combinations(range(12), 2), 0)
    pools: dict[tuple[int, int], int] = {}
    for seed in range(400):
        for stratum in pair_draw._candidates(unit, edges, 2, np.random.default_rng(seed)):
            for pair in stratum:
                counts[pair] += 1
    for stratum in pair_draw._candidates(unit, edges, 100, np.random.default_rng(0)):
        pools |= {pair: len(stratum) for pair in stratum}
    assert set(pools) == set(counts)
    for pair, count in counts.items():
        assert count == pytest.approx(400 * min(1, 2 / pools[pair]), abs=50)


def test_a_corpus_too_small_and_a_model_without_differences_are_refused(embeddings: np.ndarray) -> None:
    with pytest.raises(UserError, match="200 pairs need 400 sentences"):
        draw_pairs(NAMES, embeddings, 200, seed=0)
    with pytest.raises(UserError, match="the same cosine"):
        draw_pairs(NAMES, np.ones((300, 4)), 20, seed=0)


@given(st.lists(st.text("abc ", max_size=4), max_size=60), st.integers(1, 10), st.randoms(use_true_random=False))
def test_a_sample_is_of_distinct_sentences_in_any_order(texts: list[str], size: int, shuffler: random.Random) -> None:
    distinct = {" ".join(text.split()) for text in texts}
    found = sample_sentences(texts, size, seed=3)
    assert len(found) == len(set(found)) == min(size, len(distinct))
    assert set(found) <= distinct
    shuffler.shuffle(texts)
    assert sample_sentences(texts, size, seed=3) == found


def test_every_sentence_has_the_same_chance() -> None:
    counts = dict.fromkeys(NAMES[:20], 0)
    for seed in range(1000):
        for sentence in sample_sentences(NAMES[:20] * 2, 5, seed):
            counts[sentence] += 1
    assert all(190 < count < 310 for count in counts.values())


def test_near_repeats_go() -> None:
    first = "The old mill by the river was built in the spring of that year."
    kept = ["A dog barks.", first, "Something else entirely happened then."]
    assert without_near_duplicates([*kept[:2], first.replace("year.", "century."), "A DOG, barks!", kept[2]]) == kept
    assert without_near_duplicates([]) == []
