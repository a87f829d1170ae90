"""The number a verb takes: of a relative pronoun what it stands for, of names and shares what cannot be told."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.english.agreement import finite_form, takes_plural

ParseSentence = Callable[[str], Parse]


@pytest.mark.parametrize(
    ("sentence", "subject", "expected"),
    [
        ("The dogs bark.", "dogs", True),
        ("The dog and the cat sleep.", "dog", True),
        ("Gold, silver and copper are metals.", "Gold", True),
        ("The cat, the dog and the horse are here.", "cat", None),  # two subjects, to the parser
        ("He likes the men who walk.", "who", True),
        ("He likes the man who walks.", "who", False),
        ("What matters is the rest.", "What", False),
        ("The US wants peace.", "US", False),
        ("The US and Canada want peace.", "US", True),
        ("Most agreed.", "Most", None),
        ("Seven of them sleep.", "Seven", True),
        ("The number of cities is large.", "number", False),
        ("The rest of the men left.", "rest", True),
        ("The rest of the film is long.", "rest", False),
        ("The other half of the men left.", "half", True),
        ("Half of them came.", "Half", True),
        ("The rest was here.", "rest", None),
        ("A number of cities are large.", "number", True),
        ("The French won.", "French", True),
        ("I like the Dutch.", "Dutch", True),
        ("It is made of the island of Malta and several outlying rocks.", "island", None),
        ("The islands of Malta and several rocks form it.", "islands", True),
        ("The king of France and Spain won.", "king", False),
    ],
)
def test_number_that_a_verb_takes(parse_sentence: ParseSentence, sentence: str, subject: str, expected: bool | None) -> None:
    parse = parse_sentence(sentence)
    assert takes_plural(parse, parse.tokens.index(subject)) is expected


@pytest.mark.parametrize(
    ("tense", "plural", "first_person", "expected"),
    [
        ("present", True, False, "are"),
        ("present", False, False, "is"),
        ("present", False, True, "am"),
        ("past", True, False, "were"),
        ("past", False, False, "was"),
        ("past", False, True, "was"),
    ],
)
def test_forms_of_be(tense: str, plural: bool, first_person: bool, expected: str) -> None:
    assert finite_form("be", tense, plural, first_person=first_person) == expected
