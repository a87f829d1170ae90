"""A text all in capitals, read in small letters: capitals everywhere tell no name from a word, and no parser has learnt from them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from augcse.augmentations.text.edits import is_all_capitals


def in_small_letters(text: str, options: Mapping[str, Any]) -> str:
    """Return what a rule of words and grammar is given of a text: of one all in capitals its small letters.

    One that these do not give back stays as it is ("ẞ"), and so it does for the rules as published.

    >>> in_small_letters("A WASTE OF MONEY!", {}), in_small_letters("NASA left.", {}), in_small_letters("GROẞ", {})
    ('a waste of money!', 'NASA left.', 'GROẞ')
    """
    if not is_all_capitals(text) or options.get("fidelity", "grammatical") != "grammatical":
        return text
    small = text.lower()
    return small if small.upper() == text else text


def raised(text: str, small: str, augmented: str | None) -> str | None:
    """Return what a rule made of a text's small letters in capitals; None where nothing but letters' case changed.

    >>> raised("IT FELL!", "it fell!", "it has fallen!"), raised("It fell!", "It fell!", "It has fallen!")
    ('IT HAS FALLEN!', 'It has fallen!')
    >>> raised("IT FELL!", "it fell!", "It fell!")
    """
    if augmented is None or small == text:
        return augmented
    return augmented.upper() if augmented.upper() != text else None
