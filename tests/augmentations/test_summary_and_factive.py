"""FactiveVerbTransformation, golden sentences and what is left alone; and what "original" does in it and in Summarization."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.english.names import Gender, common_names
from augcse.augmentations.rules.syntax.factive_verb_transformation import (
    FACTIVE_VERBS,
    NON_FACTIVE_VERBS,
    factive_verb_transformation,
)
from augcse.augmentations.rules.syntax.summarization.rule import summarization

ParseSentence = Callable[[str], Parse]


def test_wrapper_names_who_knows(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("The shop is shut.")
    results = [factive_verb_transformation(parse, Random(seed)) for seed in range(3000)]
    openings = {result.removesuffix(" that the shop is shut.") for result in results}
    assert {opening.split(" ")[0] for opening in openings} == {*common_names("m"), *common_names("f")}
    assert {opening.split(" ", 1)[1] for opening in openings} == set(FACTIVE_VERBS)


@pytest.mark.parametrize(("sentence", "gender"), [("He left the town.", "f"), ("They gave her a house.", "m")])
def test_no_pronoun_is_taken_for_who_knows(parse_sentence: ParseSentence, sentence: str, gender: Gender) -> None:
    parse = parse_sentence(sentence)
    names = {str(factive_verb_transformation(parse, Random(seed))).split(" ")[0] for seed in range(500)}
    assert names <= set(common_names(gender))


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


def test_subject_that_is_named_again_becomes_no_pronoun(parse_sentence: ParseSentence) -> None:
    new = factive_verb_transformation(parse_sentence("Peter lost Peter's hat."), Random(0))
    assert new is not None
    assert new.endswith(" that Peter lost Peter's hat.")


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


@pytest.mark.parametrize(
    ("sentence", "wrapped"),
    [
        ("Washed ashore on the island, we stayed.", " that, washed ashore on the island, we stayed."),
        ("Eventually, the leader asked us.", " that, eventually, the leader asked us."),
        ("Like resources, tools are rare.", " that, like resources, tools are rare."),
        ("To save money, we cook at home.", " that, to save money, we cook at home."),
        ("unlike me , they slept .", " that , unlike me , they slept ."),
        # A participle with a subject of its own, and an apposition before its noun.
        ("His work done, the smith went home.", " that, his work done, the smith went home."),
        ("The rain having stopped, the match went on.", " that, the rain having stopped, the match went on."),
        ("A graduate of Yale, she plays the harp.", " that, a graduate of Yale, she plays the harp."),
        # No comma before a time, a place, a clause or a subject that a comma follows.
        ("In London, it rained all day.", " that in London, it rained all day."),
        ("Although we were tired, we ran.", " that although we were tired, we ran."),
        ("Red wine, or claret, is made here.", " that red wine, or claret, is made here."),
        ("Swimming, which I love, is healthy.", " that swimming, which I love, is healthy."),
    ],
)
def test_an_opening_with_a_comma_of_its_own_follows_one(parse_sentence: ParseSentence, sentence: str, wrapped: str) -> None:
    assert factive_verb_transformation(parse_sentence(sentence), Random(0)).endswith(wrapped)


@pytest.mark.parametrize(
    ("sentence", "wrapped"),
    [
        ("That spider fell into the bath.", " that the spider fell into the bath."),
        ("That's a small tree.", " that it's a small tree."),
        ("Those trees are small.", " that those trees are small."),
    ],
)
def test_that_is_not_doubled(parse_sentence: ParseSentence, sentence: str, wrapped: str) -> None:
    assert factive_verb_transformation(parse_sentence(sentence), Random(0)).endswith(wrapped)


@pytest.mark.parametrize(
    "sentence",
    [
        "I hope that you will visit us.",
        "My lord, the messengers have come from York.",
        "My brother, he never came back.",
        "We will come tomorrow.",
        "He was late, so we left.",
        "Singapore - More complaints are heard.",
        "Farmers warned about loss of land",
        "Federation dismisses the report",
        "If only I had gone home.",
        "The price rose in May, the paper said.",
        "i knew she was coming haha",
        "Your father was proud of you, son.",
    ],
)
def test_own_view_consequence_and_headline_are_not_wrapped(parse_sentence: ParseSentence, sentence: str) -> None:
    assert factive_verb_transformation(parse_sentence(sentence), Random(0)) is None


@pytest.mark.parametrize("sentence", ["Is it shut?", "Stop!", "And he left.", "A quiet place by the sea.", "It rang. We left.", "", "..."])
def test_no_statement_stays(parse_sentence: ParseSentence, sentence: str) -> None:
    assert factive_verb_transformation(parse_sentence(sentence), Random(0)) is None


@pytest.mark.parametrize(
    "opening",
    [
        "However,",
        "For example,",
        "Thus",
        "As a result,",
        "On the other hand,",
        "In addition,",
        "Also,",
        "To illustrate,",
        "As noted above,",
    ],
)
def test_connective_never_follows_that(parse_sentence: ParseSentence, opening: str) -> None:
    assert factive_verb_transformation(parse_sentence(f"{opening} the size of the shop is small."), Random(0)) is None


@pytest.mark.parametrize(
    "sentence", ["Seldom has he come.", "As a matter of fact, he came.", "Palestinian President Receives Foreign Minister"]
)
def test_inversion_and_title_are_not_wrapped(parse_sentence: ParseSentence, sentence: str) -> None:
    assert factive_verb_transformation(parse_sentence(sentence), Random(0)) is None


def test_one_name_makes_no_title(parse_sentence: ParseSentence) -> None:
    assert (factive_verb_transformation(parse_sentence("We saw Paris."), Random(0)) or "").endswith(" that we saw Paris.")


def test_original_wraps_every_text_and_summarizes_by_single_words(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("Is it shut?")
    assert factive_verb_transformation(parse, Random(0), fidelity="original").endswith(" that Is it shut?")
    assert summarization(parse_sentence("Parsley Energy bought old houses."), Random(0), fidelity="original") == "Energy bought houses"
