"""A text all in capitals: every rule of words and grammar changes it as it does its small letters, and writes capitals."""

from __future__ import annotations

import pytest

from augcse.augmentations.base import AUGMENTATIONS, Augmentation
from augcse.augmentations.run.apply import augment

ENGLISH = [member for member in AUGMENTATIONS if member.reads_small_letters and "en" in member.languages]


@pytest.mark.parametrize("member", ENGLISH, ids=lambda member: member.name)
def test_what_is_written_is_in_capitals(member: Augmentation) -> None:
    """An example in capitals gives the augmented small letters in capitals, or, where names need their capital, nothing."""
    sentence = member.example.sentence
    [small] = augment([sentence.lower()], member.name, seed=member.example.seed)
    [capitals] = augment([sentence.upper()], member.name, seed=member.example.seed)
    assert capitals == (None if small is None else small.upper())


def test_most_examples_are_changed_in_capitals_too() -> None:
    """Only those that look for names, or for the capital that begins a second sentence, leave theirs."""
    left = {member.name for member in ENGLISH if augment([member.example.sentence.upper()], member.name) == [None]}
    assert left <= {"CityNamesTransformation", "GeoNamesTransformation", "SentenceReordering"}


@pytest.mark.parametrize(
    ("name", "sentence", "expected"),
    [
        ("SentenceNegation", "THIS PRODUCT IS A COMPLETE WASTE OF MONEY.", "THIS PRODUCT IS NOT A COMPLETE WASTE OF MONEY."),
        # Units have their capitals.
        ("NumericToWord", "IT IS 20 °C.", "IT IS TWENTY DEGREES CELSIUS."),
        ("YodaPerturbation", "A SINGLE EPISODE IS LONG.", "LONG, A SINGLE EPISODE IS."),
        # Small letters would not give these capitals back.
        ("SentenceAdjectivesAntonymsSwitch", "THE GROẞ IS OLD.", None),
    ],
)
def test_sentences_in_capitals(name: str, sentence: str, expected: str | None) -> None:
    assert augment([sentence], name) == [expected]


def test_published_rules_read_the_text_as_it_is() -> None:
    [new] = augment(["THE OLD MAN WALKS HOME."], "TenseTransformation:fidelity=original")
    assert new is not None
    assert not new.isupper()


def test_noise_and_surface_read_the_text_as_it_is() -> None:
    assert not AUGMENTATIONS.get("VisualAttackLetters").reads_small_letters
    assert not AUGMENTATIONS.get("NumericToWord").reads_small_letters


def test_members_of_a_composition_read_capitals_too() -> None:
    assert augment(["THE OLD MAN IS ILL."], "chain(SentenceNegation, ContractionExpansions)") == ["THE OLD MAN ISN'T ILL."]


def test_what_must_stay_stays_in_capitals() -> None:
    sentence = "THE OLD MAN IS ILL."
    assert augment([sentence], "SentenceAdjectivesAntonymsSwitch", keep_spans=[[(4, 7)]]) == [None]
    assert augment([sentence], "SentenceNegation", keep_spans=[[(4, 7)]]) == ["THE OLD MAN IS NOT ILL."]
