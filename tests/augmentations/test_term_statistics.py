from __future__ import annotations

import json
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.augmentations.rules.corpus.term_replacement.batch import TermBatch
from augcse.augmentations.rules.corpus.term_replacement.statistics import META, TermStatistics
from augcse.augmentations.rules.corpus.term_replacement.terms import split_terms
from augcse.errors import UserError

CORPUS = ["The cat sat on the mat.", "The dog sat.", "A cat, a dog and a mat!", "Cats purr.", "The the the."]
CORPORA = st.lists(st.lists(st.sampled_from("a b c d Ab é . , 's".split()), max_size=8).map(" ".join), max_size=12)


def _tokens(sentence: str) -> list[str]:
    return sentence.lower().split()


def _brute_force(corpus: list[str]) -> dict[str, float]:
    """The greatest tf-idf of each term, straight from Eq. 2, in the order of first appearance."""
    scores: dict[str, float] = {}
    for tokens in map(_tokens, corpus):
        for term in tokens:
            held = sum(term in _tokens(other) for other in corpus)
            score = math.log(1 + tokens.count(term) / len(tokens)) * math.log(len(corpus) / held)
            scores[term] = max(score, scores.get(term, 0.0))
    return scores


@given(CORPORA)
def test_ranks_and_scores_are_those_of_the_definition(corpus: list[str]) -> None:
    statistics = TermStatistics.fit(corpus)
    expected = _brute_force(corpus)
    # Rounded, so that the order of equal scores is the order of first appearance and not that of their last bits.
    assert {statistics.term(rank): round(float(statistics.scores[rank]), 12) for rank in range(len(statistics))} == {
        term: round(score, 12) for term, score in expected.items()
    }
    scores = [statistics.scores[rank] for rank in range(len(statistics))]
    assert scores == sorted(scores, reverse=True)
    assert statistics.number([statistics.term(rank) for rank in range(len(statistics))])[0].tolist() == list(range(len(statistics)))


def test_ties_stand_in_the_order_of_first_appearance() -> None:
    statistics = TermStatistics.fit(["zebra apple", "yak bee", "mole"])
    assert [statistics.term(rank) for rank in range(5)] == ["mole", "zebra", "apple", "yak", "bee"]


@given(CORPORA, st.lists(st.lists(st.sampled_from("a b c x 's . Y".split()), min_size=1, max_size=8).map(" ".join), min_size=1, max_size=4))
def test_weights_of_sentences_are_their_tf_idf(corpus: list[str], sentences: list[str]) -> None:
    statistics = TermStatistics.fit(corpus)
    batch = TermBatch([split_terms(sentence) for sentence in sentences], [Random(0)] * len(sentences), statistics)
    assert batch.texts == [term for sentence in sentences for term in _tokens(sentence)]
    for text, row, rank, weight in zip(batch.texts, batch.rows, batch.ranks, batch.weights, strict=True):
        held, terms = sum(text in _tokens(other) for other in corpus), _tokens(sentences[row])
        assert (rank == -1) == (held == 0)
        idf = math.log(max(1, len(corpus)) / max(1, held))
        assert weight == pytest.approx(math.log(1 + terms.count(text) / len(terms)) * idf)


def test_saved_and_loaded_is_the_same(tmp_path: Path) -> None:
    fitted = TermStatistics.fit([*CORPUS, "lone \ud800 surrogate", "Ünïcode 猫"])
    fitted.save(tmp_path)
    loaded = TermStatistics.load(tmp_path)
    assert loaded.sentences == fitted.sentences == 7
    terms = [fitted.term(rank) for rank in range(len(fitted))]
    assert [loaded.term(rank) for rank in range(len(loaded))] == terms
    assert "\ud800" in terms
    ranks, _ = loaded.number([*terms, "unseen"])
    assert ranks.tolist() == [*range(len(terms)), -1]
    assert loaded.scores.tolist() == fitted.scores.tolist()
    assert loaded.idf(ranks).tolist() == fitted.idf(ranks).tolist()
    assert isinstance(loaded._arrays["scores"], np.memmap)


def test_an_empty_corpus_can_be_fitted_saved_and_asked(tmp_path: Path) -> None:
    TermStatistics.fit([]).save(tmp_path)
    statistics = TermStatistics.load(tmp_path)
    assert len(statistics) == 0
    ranks, _ = statistics.number(["cat"])
    assert (ranks.tolist(), statistics.idf(ranks).tolist()) == ([-1], [0.0])
    assert statistics.insertion_ranks(np.array([1.0])).tolist() == [0]


def test_fitting_streams() -> None:
    def sentences() -> Iterator[str]:
        yield from CORPUS

    assert TermStatistics.fit(sentences()).scores.tolist() == TermStatistics.fit(CORPUS).scores.tolist()


def test_insertion_rank_is_where_the_score_would_stand() -> None:
    statistics = TermStatistics.fit(CORPUS)
    scores = statistics.scores.tolist()
    new = [scores[0] + 1, (scores[0] + scores[-1]) / 2, scores[2], -1.0]
    expected = [min(sum(other > score for other in scores), len(scores) - 1) for score in new]
    assert statistics.insertion_ranks(np.array(new)).tolist() == expected


def test_unknown_terms_are_told_apart_and_not_remembered() -> None:
    statistics = TermStatistics.fit(CORPUS)
    ranks, numbers = statistics.number(["unseen1", "cat", "unseen2", "unseen1"])
    assert len(statistics._ranks) == len(statistics)
    assert ranks.tolist() == [-1, statistics._ranks["cat"], -1, -1]
    assert len({*numbers.tolist()}) == 3


@pytest.mark.parametrize("name", ["text", "scores", "documents"])
def test_a_damaged_file_is_refused(tmp_path: Path, name: str) -> None:
    TermStatistics.fit(CORPUS).save(tmp_path)
    path = tmp_path / f"{name}.npy"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)
    with pytest.raises(UserError, match="is damaged"):
        TermStatistics.load(tmp_path)


def test_another_version_and_a_missing_or_cut_file_are_refused(tmp_path: Path) -> None:
    TermStatistics.fit(CORPUS).save(tmp_path)
    meta = json.loads((tmp_path / META).read_text("utf-8"))
    (tmp_path / META).write_text(json.dumps({**meta, "terms_version": 0}), "utf-8")
    with pytest.raises(UserError, match="another version"):
        TermStatistics.load(tmp_path)
    (tmp_path / META).write_text("{", "utf-8")
    with pytest.raises(UserError, match="cannot read the term statistics"):
        TermStatistics.load(tmp_path)
    (tmp_path / META).unlink()
    with pytest.raises(UserError, match="cannot read the term statistics"):
        TermStatistics.load(tmp_path)


def test_uda_weights_fall_with_occurrences_times_idf() -> None:
    statistics = TermStatistics.fit(["rare x", "mid mid y", "mid mid z"])
    wheel = statistics.uninformative_words
    mass = {"rare": math.log(3), "mid": 4 * math.log(1.5)}
    sums = wheel._sums
    ranks, _ = statistics.number(list(mass))
    share = dict(zip(mass, sums[ranks + 1] - sums[ranks], strict=True))
    assert share["mid"] == 0
    assert share["rare"] / 2**52 == pytest.approx(0.25)
