"""Which words are names: by their capitals, or by those that they have elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from augcse.annotation.parse import Parse
from augcse.augmentations.english.name_words import in_name, in_phrase, is_name

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
        ("he lost his nokia.", "nokia", True),
        ("they crossed the blue ridge mountains.", "blue", True),
        ("he plays on the game boy.", "boy", True),
        ("he works for the men in black .", "black", True),
        ("the game is a boy's dream.", "boy", False),
        ("she saw a brown dog.", "brown", False),
    ],
)
def test_word_is_part_of_a_name(parse_sentence: ParseSentence, sentence: str, word: str, expected: bool) -> None:
    parse = parse_sentence(sentence)
    assert in_name(parse, parse.tokens.index(word)) is expected


def test_a_phrase_is_one_in_small_letters_only(parse_sentence: ParseSentence) -> None:
    small, cased = parse_sentence("they crossed the blue ridge."), parse_sentence("They crossed the blue ridge.")
    assert [in_phrase(small, index) for index in range(len(small))] == [False, False, False, True, True, False]
    assert not any(in_phrase(cased, index) for index in range(len(cased)))


def test_a_capital_before_a_name_is_a_names(parse_sentence: ParseSentence) -> None:
    assert is_name(parse_sentence("Blue Island is old."), 0)
