"""Counts, mutual information, factors and folding of a static encoder, by naive loops, numpy's SVD and their definitions."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_static_tokens import tokenized

from augcse.encoding.sif import token_weights
from augcse.encoding.static import counts as counts_module
from augcse.encoding.static.counts import cooccurrence, most_frequent, token_counts
from augcse.encoding.static.factors import positive_mutual_information, stable_signs, token_factors
from augcse.encoding.static.fold import Part, fold_parts, main_axes, sentence_means
from augcse.encoding.static.tokens import TokenizedSentences
from augcse.encoding.unit_rows import unit_rows
from augcse.encoding.whitening import oracle_approximating_shrinkage, whitening_transform

Array = npt.NDArray[Any]
VOCABULARY = 10
Lists = st.lists(st.lists(st.integers(0, VOCABULARY - 1), max_size=9), max_size=9)


def sentences_of(number: int, vocabulary: int, seed: int = 0) -> list[list[int]]:
    """Sentences of 3 to 9 tokens, small numbers more often."""
    generator = np.random.default_rng(seed)
    shares = 1 / np.arange(2, vocabulary + 2)
    return [generator.choice(vocabulary, generator.integers(3, 10), p=shares / shares.sum()).tolist() for _ in range(number)]


def naive_cooccurrence(lists: list[list[int]], tokens: list[int], contexts: int, window: int) -> Array:
    table = np.zeros((len(tokens), min(contexts, len(tokens))), dtype=int)
    for ids in lists:
        for here, token in enumerate(ids):
            for there, other in enumerate(ids):
                if here != there and abs(here - there) <= window and token in tokens and other in tokens[:contexts]:
                    table[tokens.index(token), tokens.index(other)] += 1
    return table


def naive_information(table: Array, exponent: float) -> Array:
    result = np.zeros(table.shape)
    powers = [float(table[:, column].sum()) ** exponent for column in range(table.shape[1])]
    for row in range(len(table)):
        for column in range(table.shape[1]):
            if table[row, column]:
                share = table[row, column] / table[row].sum()
                result[row, column] = max(0.0, math.log(share / (powers[column] / sum(powers))))
    return result


@given(Lists)
def test_counts_are_those_of_a_loop(lists: list[list[int]]) -> None:
    expected = [sum(ids.count(token) for ids in lists) for token in range(VOCABULARY)]
    assert token_counts(tokenized(lists), VOCABULARY).tolist() == expected


@given(st.lists(st.integers(0, 5), min_size=1, max_size=20), st.integers(0, 25))
def test_the_most_frequent_come_first_and_none_that_is_absent(counts: list[int], number: int) -> None:
    expected = sorted((token for token in range(len(counts)) if counts[token]), key=lambda token: (-counts[token], token))
    assert most_frequent(np.array(counts), number).tolist() == expected[:number]


@given(Lists, st.permutations(range(VOCABULARY)), st.integers(0, VOCABULARY), st.integers(1, 12), st.integers(1, 12))
def test_cooccurrence_is_that_of_a_loop(lists: list[list[int]], order: list[int], number: int, contexts: int, window: int) -> None:
    tokens = order[:number]
    found = cooccurrence(tokenized(lists), np.array(tokens, dtype=np.int64), contexts, window, VOCABULARY)
    assert found.dtype == np.uint32
    assert found.tolist() == naive_cooccurrence(lists, tokens, contexts, window).tolist()


def test_cooccurrence_does_not_depend_on_the_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    lists = sentences_of(40, VOCABULARY)
    whole = cooccurrence(tokenized(lists), np.arange(7), 4, 3, VOCABULARY)
    monkeypatch.setattr(counts_module, "_CHUNK_TOKENS", 11)
    advanced: list[int] = []
    assert cooccurrence(tokenized(lists), np.arange(7), 4, 3, VOCABULARY, advanced.append).tolist() == whole.tolist()
    assert sum(advanced) == 40
    assert len(advanced) > 10


@pytest.mark.parametrize("exponent", [1.0, 0.75, 0.0])
def test_mutual_information_is_that_of_a_loop(exponent: float) -> None:
    table = cooccurrence(tokenized(sentences_of(30, VOCABULARY)), np.arange(VOCABULARY), 6, 2, VOCABULARY)
    table[3] = 0
    found = np.concatenate(list(positive_mutual_information(table, exponent)))
    assert found == pytest.approx(naive_information(table, exponent), abs=1e-5)


@pytest.mark.parametrize("value_exponent", [0.0, 0.5, 1.0])
def test_factors_are_those_of_the_singular_value_decomposition(value_exponent: float) -> None:
    table = cooccurrence(tokenized(sentences_of(300, 60)), np.arange(60), 40, 2, 60)
    left, values, _ = np.linalg.svd(np.concatenate(list(positive_mutual_information(table))).astype(np.float64), full_matrices=False)
    expected = stable_signs(left[:, :8] * values[:8] ** value_exponent)
    assert token_factors(table, 8, value_exponent=value_exponent) == pytest.approx(expected, abs=2e-3)


def test_factors_have_as_many_columns_as_there_are_directions() -> None:
    table = np.zeros((6, 4), dtype=np.uint32)
    table[:3, 0] = 5
    table[3:, 1] = 5
    assert token_factors(table, 4).shape == (6, 2)
    assert token_factors(np.zeros((6, 4), dtype=np.uint32), 4).shape == (6, 0)


def test_factors_give_the_information_back_between_tokens() -> None:
    """U S (U S)' = M M' where nothing is cut off."""
    table = cooccurrence(tokenized(sentences_of(300, 30)), np.arange(30), 20, 2, 30)
    information = np.concatenate(list(positive_mutual_information(table)))
    factors = token_factors(table, 20, value_exponent=1.0)
    assert factors @ factors.T == pytest.approx(information @ information.T, abs=1e-2)


def test_unit_rows_have_length_1_or_0() -> None:
    rows = np.array([[3.0, 4.0], [0.0, 0.0]], dtype=np.float32)
    assert unit_rows(rows).tolist() == [[pytest.approx(0.6), pytest.approx(0.8)], [0.0, 0.0]]


@pytest.mark.parametrize("text", [[0, 1, 3], [0.0, 0.25, 0.75]], ids=["counts", "shares"])
def test_weights_fall_with_frequency(text: list[float]) -> None:
    assert token_weights(np.array(text), 0.5).tolist() == pytest.approx([1.0, 0.5 / 0.75, 0.5 / 1.25])


@given(Lists)
@settings(max_examples=30)
def test_sentence_means_are_those_of_a_loop(lists: list[list[int]]) -> None:
    rows = np.random.default_rng(0).normal(size=(VOCABULARY, 3)).astype(np.float32)
    expected = [rows[ids].mean(axis=0) if ids else np.zeros(3) for ids in lists]
    assert sentence_means(tokenized(lists), rows) == pytest.approx(np.array(expected).reshape(len(lists), 3), abs=1e-6)


def part_rows(vocabulary: int, dim: int, seed: int) -> Array:
    return unit_rows(np.random.default_rng(seed).normal(size=(vocabulary, dim)), np.float32)


@pytest.fixture
def sample() -> TokenizedSentences:
    return tokenized(sentences_of(400, 50))


def test_the_mean_of_folded_rows_is_the_whitened_mean(sample: TokenizedSentences) -> None:
    weights, rows = token_weights(token_counts(sample, 50), 1e-2), part_rows(50, 6, 1)
    folded = fold_parts([Part(rows)], weights, sample)
    means = np.array([(weights[ids, None] * rows[ids]).mean(axis=0) for ids in sentences_of(400, 50)])
    weight, bias = whitening_transform(means, shrinkage=oracle_approximating_shrinkage(means))
    assert sentence_means(sample, folded) == pytest.approx(means @ weight.T + bias, abs=1e-3)


def test_folded_sentences_have_mean_0_and_directions_of_their_own(sample: TokenizedSentences) -> None:
    folded = fold_parts([Part(part_rows(50, 6, 1) * np.arange(1, 7, dtype=np.float32))], np.ones(50), sample)
    whitened = sentence_means(sample, folded)
    assert whitened.mean(axis=0) == pytest.approx(np.zeros(6), abs=1e-3)
    covariance = np.cov(whitened.T, bias=True)
    assert covariance == pytest.approx(np.diag(np.diag(covariance)), abs=1e-3)
    # The shrinkage leaves large directions somewhat larger.
    assert np.diag(covariance) == pytest.approx(np.ones(6), abs=0.25)


def test_few_sentences_fill_all_dimensions() -> None:
    folded = fold_parts([Part(part_rows(50, 40, 1))], np.ones(50), tokenized(sentences_of(20, 50)))
    assert folded.shape == (50, 40)
    # What 20 sentences do not span is not blown up.
    assert np.linalg.norm(folded, axis=0).max() < 10 * np.linalg.norm(folded, axis=0).min()


def test_parts_stand_side_by_side_by_their_scales(sample: TokenizedSentences) -> None:
    first, second = part_rows(50, 6, 1), part_rows(50, 4, 2)
    both = fold_parts([Part(first), Part(second, 0.7)], np.ones(50), sample)
    assert both[:, :6].tolist() == fold_parts([Part(first)], np.ones(50), sample).tolist()
    assert both[:, 6:] == pytest.approx(0.7 * fold_parts([Part(second)], np.ones(50), sample), rel=1e-5)


def test_a_token_that_a_part_does_not_know_changes_no_direction(sample: TokenizedSentences) -> None:
    rows = part_rows(52, 6, 1)
    rows[50:] = 0.0
    folded = fold_parts([Part(rows)], np.ones(52), sample)
    assert folded[50:].tolist() == np.zeros((2, 6)).tolist()
    plain, mixed, unknown = sentence_means(tokenized([[1, 2], [1, 50, 2, 51], [50, 51]]), folded)
    assert mixed == pytest.approx(plain / 2, rel=1e-5)
    assert unknown.tolist() == [0.0] * 6


def test_unknown_tokens_do_not_move_what_is_fitted(sample: TokenizedSentences) -> None:
    rows = part_rows(52, 6, 1)
    rows[50:] = 0.0
    padded = tokenized([[*ids, 50, 51] for ids in sentences_of(400, 50)])
    assert fold_parts([Part(rows)], np.ones(52), padded) == pytest.approx(fold_parts([Part(rows)], np.ones(52), sample), abs=1e-3)


def test_fewer_dimensions_of_one_part_are_those_of_its_whitening(sample: TokenizedSentences) -> None:
    rows = part_rows(50, 6, 1)
    assert fold_parts([Part(rows)], np.ones(50), sample, 2) == pytest.approx(
        fold_parts([Part(rows)], np.ones(50), sample)[:, :2], rel=1e-4, abs=1e-4
    )


def test_fewer_dimensions_of_two_parts_are_what_they_share(sample: TokenizedSentences) -> None:
    """Two parts that are turned copies of one another: all is shared, so that half of the dimensions hold all."""
    rows = part_rows(50, 4, 1)
    rotation = np.linalg.qr(np.random.default_rng(3).normal(size=(4, 4)))[0].astype(np.float32)
    parts = [Part(rows), Part(rows @ rotation)]
    whole, half = (sentence_means(sample, fold_parts(parts, np.ones(50), sample, dim)) for dim in (None, 4))
    assert half.shape == (400, 4)
    assert half @ half.T == pytest.approx(whole @ whole.T, abs=1e-2)


def test_main_axes_are_those_of_the_covariance() -> None:
    rows = np.random.default_rng(0).normal(size=(200, 5)) * [5, 4, 3, 2, 1] + 7
    vectors = np.linalg.eigh(np.cov(rows.T))[1][:, ::-1][:, :2]
    assert main_axes(rows, 2) == pytest.approx(stable_signs(vectors), abs=1e-6)
