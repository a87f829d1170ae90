"""Where a sentence begins and ends, and whether it asks, by the marks of its parse."""

from __future__ import annotations

import pytest

from augcse.annotation.parse import Parse, parse_of_rows
from augcse.augmentations.english.marks import asks, ends_clause, opens_sentence


def tokenised(text: str) -> Parse:
    tokens = text.split(" ")
    starts = [sum(len(token) + 1 for token in tokens[:place]) for place in range(len(tokens))]
    rows = zip(tokens, starts, strict=True)
    return parse_of_rows(text, [(token, start, token.lower(), "X", "FW", 0, "dep") for token, start in rows])


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Is he here ?", True),
        ("Is he here ? No .", True),
        ("Is he here ?!", True),
        ("Is he here .?", False),  # one token that is no end mark
        ("Is Rs . 500 enough ?", True),
        ("Which is it : this or that ?", True),
        ("He is here . Is she ?", False),
        ("He is here ; is she ?", False),
        ("He is here", False),
    ],
)
def test_a_clause_asks_by_its_next_end_mark(text: str, expected: bool) -> None:
    assert asks(tokenised(text), 1) is expected


def test_a_clause_ends_at_a_mark_or_with_the_text() -> None:
    parse = tokenised("See Fig . 3 : it fell .")
    assert [index for index in range(len(parse) + 1) if ends_clause(parse, index)] == [4, 7, 8]


@pytest.mark.parametrize(
    ("text", "index", "expected"),
    [
        ("He left", 0, True),
        ("Stop . He left", 2, True),
        ("Note : He left", 2, True),
        ('said " He', 2, True),
        ("men ' Meal", 2, False),
        ("he Left", 1, False),
    ],
)
def test_a_sentence_begins_after_an_end_mark_or_an_opening_one(text: str, index: int, expected: bool) -> None:
    assert opens_sentence(tokenised(text), index) is expected
