"""Summarization and FactiveVerbTransformation: golden sentences and what is left alone."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.rules.syntax.factive_verb_transformation.rule import (
    FACTIVE_VERBS,
    NAMES,
    NON_FACTIVE_VERBS,
    factive_verb_transformation,
)
from augcse.augmentations.rules.syntax.summarization.rule import summarization

ParseSentence = Callable[[str], Parse]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        # The example of AugCSE's A.2, with the hyphen that the paper's line break lost.
        ("Stillwater is not a 2010 American live-action/animated dark fantasy adventure film.", "Stillwater !is film"),
        ("He does not like old books.", "He !like books"),
        ("She never eats meat.", "She !eats meat"),
        ("The old book was written by Tolstoy in 1869.", "book was written by Tolstoy"),
        ("Parsley Energy acquired Jagged Peak Energy Company in an all-stock deal.", "Parsley Energy acquired Jagged Peak Energy Company"),
        ("There is no tradition of dessert.", "There is no tradition"),
        ("He wants to leave the country.", "He wants to leave country"),
        ("One of the old bridges was rebuilt in 1990.", "One of bridges was rebuilt in 1990"),
        ("She lived in a small town for a year.", "She lived in town"),
    ],
)
def test_subject_verb_and_object_stay(parse_sentence: ParseSentence, sentence: str, expected: str) -> None:
    assert summarization(parse_sentence(sentence), Random(0)) == expected


@pytest.mark.parametrize("sentence", ["He slept.", "A quiet place by the sea.", "Run!", "", "..."])
def test_nothing_to_leave_out_or_no_clause_is_none(parse_sentence: ParseSentence, sentence: str) -> None:
    assert summarization(parse_sentence(sentence), Random(0)) is None


def test_subject_that_does_not_agree_is_no_subject() -> None:
    rows = [
        ("Cars", 0, "car", "NOUN", "NNS", 1, "nsubj"),
        ("carries", 5, "carry", "VERB", "VBZ", 1, "ROOT"),
        ("old", 13, "old", "ADJ", "JJ", 3, "amod"),
        ("men", 17, "man", "NOUN", "NNS", 1, "obj"),
    ]
    assert summarization(parse_of_rows("Cars carries old men", rows), Random(0)) is None


def test_wrapper_names_who_knows(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("The shop is shut.")
    results = [factive_verb_transformation(parse, Random(seed)) for seed in range(300)]
    openings = {result.removesuffix(" that the shop is shut.") for result in results}
    assert {opening.split(" ")[0] for opening in openings} == set(NAMES)
    assert {opening.split(" ", 1)[1] for opening in openings} == set(FACTIVE_VERBS)


@pytest.mark.parametrize(
    ("kind", "verbs"),
    [("factive", FACTIVE_VERBS), ("non_factive", NON_FACTIVE_VERBS), ("both", FACTIVE_VERBS + NON_FACTIVE_VERBS)],
)
def test_kind_chooses_the_verbs(parse_sentence: ParseSentence, kind: str, verbs: tuple[str, ...]) -> None:
    parse = parse_sentence("It is late.")
    found = {factive_verb_transformation(parse, Random(seed), kind=kind).split(" ", 1)[1] for seed in range(600)}
    assert found == {f"{verb} that it is late." for verb in verbs}


def test_given_name_as_subject_becomes_a_pronoun(parse_sentence: ParseSentence) -> None:
    new = factive_verb_transformation(parse_sentence("Peter published a research paper."), Random(0))
    assert new.startswith("Peter ")
    assert new.endswith(" that he published a research paper.")


@pytest.mark.parametrize(
    ("sentence", "wrapped"),
    [
        ("I am old.", " that I am old."),
        ("American ships are fast.", " that American ships are fast."),
        ("Paris is big.", " that Paris is big."),
        ("In May, it rained.", " that in May, it rained."),
    ],
)
def test_first_capital_is_realigned(parse_sentence: ParseSentence, sentence: str, wrapped: str) -> None:
    assert factive_verb_transformation(parse_sentence(sentence), Random(0)).endswith(wrapped)


@pytest.mark.parametrize("sentence", ["Is it shut?", "Stop!", "And he left.", "A quiet place by the sea.", "It rang. We left.", "", "..."])
def test_no_statement_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert factive_verb_transformation(parse_sentence(sentence), Random(0)) is None


@pytest.mark.parametrize("opening", ["However,", "For example,", "Thus", "As a result,", "On the other hand,", "In addition,", "Also,"])
def test_connective_never_follows_that(parse_sentence: ParseSentence, opening: str) -> None:
    assert factive_verb_transformation(parse_sentence(f"{opening} the size of the shop is small."), Random(0)) is None


@pytest.mark.parametrize(
    "sentence", ["Seldom has he come.", "As a matter of fact, he came.", "Palestinian President Receives Foreign Minister"]
)
def test_inversion_and_title_are_not_wrapped(parse_sentence: ParseSentence, sentence: str) -> None:
    assert factive_verb_transformation(parse_sentence(sentence), Random(0)) is None


def test_original_wraps_every_text_and_summarizes_by_single_words(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("Is it shut?")
    assert factive_verb_transformation(parse, Random(0), fidelity="original").endswith(" that Is it shut?")
    assert summarization(parse_sentence("Parsley Energy bought old houses."), Random(0), fidelity="original") == "Energy bought houses"
