"""The judge: what it weighs against a naive sum, and what it may not depend on."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from safetensors.numpy import load_file

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.english.words import Word
from augcse.augmentations.judge.judge import (
    CERTAIN,
    FLUENCY,
    PAIR,
    PLACE,
    WEIGHTS,
    Judge,
    Weights,
    open_judge,
    pair_evidence,
    place_evidence,
    read_weights,
)
from augcse.augmentations.judge.proposal import Pair, Proposal, Senses
from augcse.augmentations.judge.words import UNKNOWN, WORD_CONTEXTS, word_contexts
from augcse.errors import UserError
from augcse.lexicon.open import bundled_lexicon

ParseSentence = Callable[[str], Parse]
SENSES = Senses(0, 3, 1, 2, 0)
PARSE = parse_of_rows(
    "a big car stopped",
    [
        ("a", 0, "a", "DET", "DT", 2, "det"),
        ("big", 2, "big", "ADJ", "JJ", 2, "amod"),
        ("car", 6, "car", "NOUN", "NN", 3, "nsubj"),
        ("stopped", 10, "stop", "VERB", "VBD", 3, "ROOT"),
    ],
)
CAR = Word(2, "car", "n", "NN")
NEW = ("automobile", "machine", "truck", "vehicle", "elephant", "zzzz")


def proposal(new: str, *, is_reviewed: bool = False) -> Proposal:
    (pair,) = Judge(weights(1e-9)).pairs("synonym", lambda *_: {new: SENSES}, bundled_lexicon(), CAR, "car")
    return Proposal(2, pair._replace(logit=CERTAIN) if is_reviewed else pair)


def weights(threshold: float) -> dict[str, Weights]:
    return {name: replace(row, threshold=threshold) for name, row in read_weights(with_model=False).items()}


def test_similarity_is_the_cosine_of_the_stored_rows() -> None:
    tables, contexts = load_file(str(WORD_CONTEXTS)), word_contexts()
    words = bytes(tables["words"]).decode().split("\n")
    rows = [tables["vectors"][words.index(word)].astype(float) for word in ("car", "truck")]
    naive = sum(x * y for x, y in zip(*rows, strict=True)) / (sum(x * x for x in rows[0]) * sum(y * y for y in rows[1])) ** 0.5
    assert contexts.similarity(contexts.number("car"), contexts.number("Truck")) == pytest.approx(naive)
    assert contexts.similarity(contexts.number("car"), UNKNOWN) == 0.0


def test_fit_is_the_mean_product_with_the_contexts_at_their_places() -> None:
    tables, contexts = load_file(str(WORD_CONTEXTS)), word_contexts()
    tokens = [contexts.number(token) for token in "he drove the old car to a town".split()]
    word, index = contexts.number("truck"), 4
    vector = tables["vectors"][word].astype(float) * tables["vector_scales"][word]
    rows = [[(0, 3)], [(1, 5)], [(2, place) for place in (0, 1, 2, 6, 7)]]
    naive = [
        np.mean([vector @ (tables["contexts"][t, tokens[p]].astype(float) * tables["context_scales"][t, tokens[p]]) for t, p in pairs])
        for pairs in rows
    ]
    assert contexts.fits([UNKNOWN, word], tokens, index) == [(0.0, 0.0, 0.0), pytest.approx(naive, rel=1e-5)]


def test_words_that_are_alike_and_fit_are_known() -> None:
    contexts = word_contexts()
    car, truck, quickly = (contexts.number(word) for word in ("car", "truck", "quickly"))
    assert contexts.similarity(car, truck) > 0.5 > contexts.similarity(car, quickly)
    tokens = [contexts.number(token) for token in "he died in his house .".split()]
    home, other = contexts.fits([contexts.number("home"), quickly], tokens, 4)
    assert home > other


def test_a_probability_is_the_logistic_of_the_weighted_evidence() -> None:
    made, row = proposal("truck"), json.loads(WEIGHTS.read_text())["lexical"]["synonym"]
    evidence = dict(zip(PAIR, pair_evidence("car", "truck", SENSES), strict=True))
    (place,) = place_evidence(PARSE, [made])
    evidence |= dict(zip(PLACE, place, strict=True))
    naive = 1 / (1 + exp(-row["bias"] - sum(row[name] * value for name, value in evidence.items())))
    assert open_judge("lexical").probabilities("synonym", [PARSE], [[made]])[0][0] == pytest.approx(naive)


def test_evidence_says_what_its_names_say() -> None:
    evidence = dict(zip(PAIR, pair_evidence("car", "zzzz", Senses(5, 7, 0, 2, 3)), strict=True))
    assert evidence["old rank"] == 3.0
    assert evidence["secondary"] == 1.0
    assert evidence["log old senses"] == pytest.approx(log(7))
    assert evidence["steps"] == pytest.approx(log(4))
    assert evidence["unknown"] == 1.0
    assert evidence["similarity"] == 0.0


def test_weights_have_all_names_and_nothing_else() -> None:
    tables = json.loads(WEIGHTS.read_text())
    assert set(tables["lexical"]) == set(tables["model"]) == {"synonym", "hypernym", "hyponym"}
    assert all(set(row) == {*PAIR, *PLACE, "bias", "threshold"} for row in tables["lexical"].values())
    assert all(set(row) == {*PAIR, *PLACE, FLUENCY, "bias", "threshold"} for row in tables["model"].values())


def test_reviewed_words_are_not_judged_and_no_judge_keeps_all() -> None:
    bad, good, judge = proposal("elephant"), proposal("elephant", is_reviewed=True), Judge(weights(0.999))
    assert judge.keep("synonym", [PARSE], [[bad]]) == [[]]
    assert judge.keep("synonym", [PARSE], [[good]]) == [[good]]
    assert open_judge("none").keep("synonym", [PARSE], [[bad]]) == [[bad]]


@given(order=st.permutations(NEW), company=st.integers(0, 3), name=st.just("lexical"))
def test_neither_order_nor_company_matters(order: list[str], company: int, name: str) -> None:
    judge = open_judge(name)
    alone = {new: judge.probabilities("synonym", [PARSE], [[proposal(new)]])[0][0] for new in NEW}
    rows = [[proposal(new) for new in order]] * (company + 1)
    for found in judge.probabilities("synonym", [PARSE] * (company + 1), rows):
        assert dict(zip(order, found, strict=True)) == alone


def test_scores_belong_to_their_proposals_in_whatever_order_the_tokens_come(parse_sentence: ParseSentence) -> None:
    judge, parse = open_judge("lexical"), parse_sentence("The small car stopped near the old house.")
    made = [proposal(new)._replace(token=token) for token, new in ((2, "truck"), (7, "elephant"), (2, "vehicle"))]
    alone = [judge.probabilities("synonym", [parse], [[one]])[0][0] for one in made]
    assert len(set(alone)) == len(made)
    assert judge.probabilities("synonym", [parse], [made]) == [alone]


def test_the_parse_judge_keeps_what_is_read_alike(parse_sentence: ParseSentence) -> None:
    parses = [parse_sentence("The man walked to the town."), parse_sentence("A king walked home.")]
    made = [Proposal(2, Pair(new, new, CERTAIN)) for new in ("table", "went", "moved")]
    judge = open_judge("parse")
    assert judge.keep("synonym", parses, [made, made[::-1]]) == [made[1:], made[:0:-1]]
    assert judge.keep("synonym", parses, [[], []]) == [[], []]


def test_with_a_model_the_probability_depends_on_its_expectation() -> None:
    judge = open_judge("mini-bert")
    made = [proposal(new) for new in NEW]
    alone = [judge.probabilities("synonym", [PARSE], [[one]])[0][0] for one in made]
    assert judge.probabilities("synonym", [PARSE, PARSE], [made, made[::-1]]) == [alone, alone[::-1]]
    assert alone != open_judge("lexical").probabilities("synonym", [PARSE], [made])[0]


def test_a_model_that_is_not_there_is_said(tmp_path: object) -> None:
    with pytest.raises(UserError, match="nowhere"):
        open_judge(f"{tmp_path}/nowhere").keep("synonym", [PARSE], [[proposal("truck")]])


@pytest.mark.parametrize("threshold", [0.05, 0.2, 0.5, 0.9])
def test_what_is_kept_is_what_reaches_the_threshold(threshold: float) -> None:
    judge = Judge(weights(threshold))
    made = [proposal(new) for new in NEW]
    numbers = judge.probabilities("synonym", [PARSE], [made])[0]
    assert judge.keep("synonym", [PARSE], [made]) == [[one for one, number in zip(made, numbers, strict=True) if number >= threshold]]


@pytest.mark.parametrize("threshold", [0.5, 0.9, 0.99])
def test_pairs_that_are_left_out_are_kept_nowhere(threshold: float) -> None:
    strict, distant = Judge(weights(threshold)), dict.fromkeys(NEW, Senses(3, 20, 3, 20))
    every, possible = (
        set(judge.pairs("synonym", lambda *_: distant, bundled_lexicon(), CAR, "car")) for judge in (Judge(weights(1e-9)), strict)
    )
    others = [Proposal(2, pair) for pair in every - possible]
    assert others
    assert strict.keep("synonym", [PARSE, replace(PARSE, tokens=("he", "fast", "car", "drove"))], [others, others]) == [[], []]
