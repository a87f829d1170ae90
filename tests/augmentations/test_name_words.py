"""Which words are names: by their capitals, or by those that they have elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.english.name_words import capitals, has_own_capital, in_name, is_name

ParseSentence = Callable[[str], Parse]


@pytest.mark.parametrize(
    ("sentence", "word", "expected"),
    [
        # the case of the text decides
        ("He met Zyx there.", "Zyx", True),
        ("The Guild leader left.", "leader", True),
        ("The White House was full.", "House", True),
        ("The field has a red cross.", "red", False),
        ("Green doors are rare.", "Green", False),
        ("Jackie left.", "Jackie", True),
        # no capitals: the table does
        ("i saw jackie brown twice.", "brown", True),
        ("he lost his nokia.", "nokia", True),
        ("they crossed the blue ridge mountains.", "blue", True),
        ("he plays on the game boy.", "boy", True),
        ("the game is a boy's dream.", "boy", False),
        ("she saw a brown dog.", "brown", False),
    ],
)
def test_word_is_part_of_a_name(parse_sentence: ParseSentence, sentence: str, word: str, expected: bool) -> None:
    parse = parse_sentence(sentence)
    assert in_name(parse, parse.tokens.index(word)) is expected


def test_a_place_or_the_first_person_makes_no_name(parse_sentence: ParseSentence) -> None:
    parse = parse_sentence("Brown bears and I met.")
    assert [is_name(parse, index) for index in range(-1, len(parse) + 1)] == [False] * (len(parse) + 2)
    assert not has_own_capital(parse, 0)


def test_table_tells_names_from_words_and_what_leads_another_name() -> None:
    assert capitals("jackie").share >= 90 > capitals("scream").share >= 50
    assert capitals("dog").share == capitals("zyxzyx").share == 0
    assert capitals("iphone").share == 100
    assert capitals("Jackie").leading > capitals("american").leading
