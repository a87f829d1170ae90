"""The glance at a text's numerals may spare a pattern only what it could not match."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.augmentations.rules.surface.numeric_to_word import numerals
from augcse.augmentations.rules.surface.numeric_to_word import rule as numeric

PIECES = (
    """5 12 1998 2,500 0.5 .5 10 1/2 ½ $ £ US$ % # No. no.
    st th km kg m/s °C ° ′ ″ - – ‒ − + = × / : . , ( ) ' ’ s pm p.m. AM May Sept. January
    the a in of to men and call dial B COVID x www. example.com @ ISBN 747-B 4x4 9/11 12:30 555-0123 +49 30 2011-03-04 3/4/2011 1990s"""
).split()
texts = st.lists(st.tuples(st.sampled_from(PIECES), st.sampled_from(["", " ", " "])), max_size=10).map(
    lambda pairs: "".join(piece + gap for piece, gap in pairs)
)


def read(text: str) -> str | None:
    return numeric.numeric_to_word(text, Random(0))


@settings(max_examples=400)
@given(texts)
def test_no_pattern_is_spared_that_matches(text: str) -> None:
    glanced = read(text)
    table = tuple((pattern, reader, numerals.always) for pattern, reader, _ in numeric._readers())
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(numeric, "_readers", lambda: table)
        assert glanced == read(text)


def test_plain_numbers_are_spared_most_patterns() -> None:
    around = numerals.Surroundings("He saw 12 men in a well-known house.")
    assert [reader.__name__ for _, reader, may_match in numeric._readers() if may_match(around)] == ["_number"]
