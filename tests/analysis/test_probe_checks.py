"""The figures of the checks without labels against loops over sentences, and what chance and perfect models get."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from augcse.analysis import geometry
from augcse.analysis.probe import checks
from augcse.analysis.probe.checks import CHECKS, ModelChecks, next_sentence_shares, ranks_of, summary
from augcse.analysis.probe.resampling import mean_of, mean_over, pair_mean, rank_correlation
from augcse.analysis.probe.run import model_figures
from augcse.analysis.probe.texts import ProbeTexts, prepare
from augcse.analysis.sample import draw_sample
from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError

Array = npt.NDArray[np.float64]


def unit(generator: np.random.Generator, rows: int, dim: int = 5) -> Array:
    return unit_rows(generator.normal(size=(rows, dim)))


def counts_of(drawn: Array, n: int) -> Array:
    return np.bincount(drawn, minlength=n)[None]


@given(st.integers(0, 10_000))
def test_a_resampled_mean_is_the_mean_of_what_is_drawn(seed: int) -> None:
    generator = np.random.default_rng(seed)
    values = np.where(generator.random(12) < 0.3, np.nan, generator.normal(size=12))
    drawn = generator.integers(12, size=12)
    present = [value for value in values[drawn] if not math.isnan(value)]
    found = mean_of(values)(counts_of(drawn, 12))[0]
    assert found == pytest.approx(sum(present) / len(present)) if present else math.isnan(found)


@given(st.integers(0, 10_000))
def test_a_resampled_pair_mean_is_the_loop_without_equal_sentences(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows, drawn = unit(generator, 8), generator.integers(8, size=8)
    values = [float(rows[i] @ rows[j]) ** 2 for i in drawn for j in drawn if i != j]
    found = pair_mean(rows, lambda cosines: cosines**2)(counts_of(drawn, 8))[0]
    assert found == pytest.approx(sum(values) / len(values))


def test_blocks_do_not_change_a_pair_mean(monkeypatch: pytest.MonkeyPatch) -> None:
    rows = unit(np.random.default_rng(0), 30)
    counts = np.random.default_rng(1).integers(0, 3, size=(4, 30))
    whole = pair_mean(rows, np.exp)(counts)
    monkeypatch.setattr("augcse.analysis.probe.resampling._BLOCK_ROWS", 7)
    assert pair_mean(rows, np.exp)(counts) == pytest.approx(whole)


def test_a_part_without_a_sentence_does_not_count_in_the_mean() -> None:
    first, second = mean_of(np.array([1.0, np.nan])), mean_of(np.array([3.0, 5.0]))
    assert mean_over([first, second])(np.array([[1, 1], [0, 2]])).tolist() == [2.5, 5.0]


def test_rank_correlation_is_scipys() -> None:
    left, right = np.random.default_rng(0).normal(size=(2, 40))
    assert rank_correlation(left, right)(np.ones((1, 40), dtype=int))[0] == pytest.approx(stats.spearmanr(left, right).statistic)


@given(st.integers(0, 10_000), st.booleans())
def test_ranks_are_those_of_the_loop(seed: int, few_values: bool) -> None:
    generator = np.random.default_rng(seed)
    queries, candidates = unit(generator, 6, 2), unit(generator, 9, 2)
    if few_values:
        candidates[3:6] = candidates[0]
    right = generator.integers(9, size=6)
    hits, reciprocal = ranks_of(queries, candidates, right)
    for query, index, hit, rank in zip(queries, right, hits, reciprocal, strict=True):
        cosines = [float(query @ candidate) for candidate in candidates]
        above = sum(cosine > cosines[index] + 1e-12 for cosine in cosines)
        level = sum(abs(cosine - cosines[index]) <= 1e-12 for cosine in cosines)
        assert hit == pytest.approx(1 / level if not above else 0.0)
        assert rank == pytest.approx(sum(1 / (above + place) for place in range(1, level + 1)) / level)


def test_ranks_do_not_depend_on_the_block(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    queries, candidates, right = unit(generator, 20), unit(generator, 20), np.arange(20)
    whole = ranks_of(queries, candidates, right)
    monkeypatch.setattr(checks, "_BLOCK_ROWS", 3)
    assert np.array(ranks_of(queries, candidates, right)) == pytest.approx(np.array(whole))


def test_next_sentence_shares_are_the_loop(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    rows, after = unit(generator, 12), unit(generator, 12)
    texts, own = np.array([*range(11), 4]), np.arange(100, 112)
    own[2], texts[7] = 55, 55  # the next of row 7 is the sentence of row 2
    after[11] = after[4]
    expected = []
    for i in range(12):
        rivals = [j for j in range(12) if texts[j] != texts[i] and texts[j] != own[i]]
        wins = [1.0 if rows[i] @ after[i] > rows[i] @ after[j] else 0.0 for j in rivals]
        expected.append(sum(wins) / len(wins))
    assert next_sentence_shares(rows, after, texts, own).tolist() == pytest.approx(expected)
    monkeypatch.setattr(checks, "_BLOCK_ROWS", 5)
    assert next_sentence_shares(rows, after, texts, own).tolist() == pytest.approx(expected)


@pytest.fixture(scope="module")
def texts(sentences: list[str]) -> ProbeTexts:
    return prepare(draw_sample(sentences, 120))


def encoded(texts: ProbeTexts, embed: Callable[[str], Array]) -> tuple[Array, dict[str, int]]:
    listed = texts.all()
    return np.array([embed(text) for text in listed]), {text: row for row, text in enumerate(listed)}


def by_words(text: str) -> Array:
    """Counts of words by their hashes, case ignored: a bag of words."""
    vector = np.zeros(512)
    for word in text.lower().split():
        vector[sum(ord(letter) * 31**place for place, letter in enumerate(word)) % 512] += 1.0
    return vector


def test_a_model_that_tells_nothing_apart_is_at_chance(texts: ProbeTexts) -> None:
    found = model_figures(texts, *encoded(texts, lambda text: np.ones(4)))
    n = len(texts.sample.sentences)
    assert found["recall@1", ""] == pytest.approx(100 / n)
    assert found["mrr", ""] == pytest.approx(100 * sum(1 / rank for rank in range(1, n + 1)) / n)
    assert (found["triples", ""], found["next-sentence", ""]) == (50.0, 50.0)
    assert found["summary", ""] == pytest.approx(0.0, abs=1e-9)
    assert (found["anisotropy", ""], found["uniformity", ""]) == pytest.approx((1.0, 0.0))
    assert ("length-norm", "") not in found


def test_a_model_that_knows_the_answers_gets_all_points(texts: ProbeTexts) -> None:
    """Sentences are random directions; edits that keep the meaning lie on them, those that change it elsewhere, the next one nearby."""
    generator = np.random.default_rng(0)
    vectors = {sentence: generator.normal(size=64) for sentence in texts.sample.sentences}
    for sentence, after in zip(texts.sample.sentences, texts.sample.following, strict=True):
        if after is not None and after not in vectors:
            vectors[after] = vectors[sentence] + 0.5 * generator.normal(size=64)
    for column in texts.edits.preserving.values():
        vectors.update({text: vectors[s] for s, text in zip(texts.sample.sentences, column, strict=True) if text is not None})
    found = model_figures(texts, *encoded(texts, lambda text: vectors.get(text, np.random.default_rng(len(text)).normal(size=64))))
    assert (found["recall@1", ""], found["mrr", ""], found["triples", ""]) == (100.0, 100.0, 100.0)
    assert found["next-sentence", ""] > 70
    assert found["alignment", ""] == pytest.approx(0.0)


def test_the_space_is_described_as_by_geometry(texts: ProbeTexts) -> None:
    embeddings, row_of = encoded(texts, by_words)
    found = model_figures(texts, embeddings, row_of)
    rows = embeddings[[row_of[text] for text in texts.sample.sentences]]
    assert found["anisotropy", ""] == pytest.approx(geometry.anisotropy(rows))
    assert found["uniformity", ""] == pytest.approx(geometry.uniformity(rows))
    edits = texts.edits.preserving["PigLatin"]
    pairs = [(row, text) for row, text in enumerate(edits) if text is not None]
    first, second = rows[[row for row, _ in pairs]], embeddings[[row_of[text] for _, text in pairs]]
    assert found["alignment", "PigLatin"] == pytest.approx(geometry.alignment(first, second))
    assert (found["lower-case", ""], found["upper-case", ""]) == pytest.approx((1.0, 1.0))


def test_the_norm_of_word_counts_tells_the_length(texts: ProbeTexts) -> None:
    found = model_figures(texts, *encoded(texts, by_words))
    assert found["length-norm", ""] > 60


def test_a_mean_over_augmentations_is_the_mean_of_its_parts(texts: ProbeTexts) -> None:
    found = model_figures(texts, *encoded(texts, by_words))
    for check in ("recall@1", "mrr", "triples", "alignment"):
        parts = [value for (name, augmentation), value in found.items() if name == check and augmentation]
        assert found[check, ""] == pytest.approx(sum(parts) / len(parts))


def test_every_figure_has_a_check_and_comes_in_its_order(texts: ProbeTexts) -> None:
    found = ModelChecks(texts, *encoded(texts, by_words)).statistics()
    whole = [name for name, augmentation in found if not augmentation]
    assert whole == [check.name for check in CHECKS if check.name in whole]
    assert {name for name, _ in found} == {check.name for check in CHECKS}


def test_a_summary_without_documents_is_of_the_other_two() -> None:
    ones = np.ones((1, 3), dtype=int)
    parts = {"mrr": mean_of(np.full(3, 100.0)), "triples": mean_of(np.full(3, 75.0))}
    assert summary(parts, 3)(ones)[0] == pytest.approx((100 + 50) / 2)


def test_the_summary_alone_is_the_same_and_needs_fewer_texts(texts: ProbeTexts) -> None:
    needed = texts.of_summary()
    row_of = {text: row for row, text in enumerate(needed)}
    alone = ModelChecks(texts, np.array([by_words(text) for text in needed]), row_of).summary()
    ones = np.ones((1, len(texts.sample.sentences)), dtype=np.int64)
    assert alone(ones)[0] == pytest.approx(model_figures(texts, *encoded(texts, by_words))["summary", ""])


def test_embeddings_that_are_not_finite_are_refused(texts: ProbeTexts) -> None:
    with pytest.raises(UserError, match="not finite"):
        model_figures(texts, *encoded(texts, lambda text: np.full(4, np.nan)))
