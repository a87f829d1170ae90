"""What a rule is given of a text: not the format characters at its ends, and of a text all in capitals the small letters.

Format characters (the zero-width space of a web page, the marks around a text that is written from right to left, the byte order mark of a
file that another was joined to) hide the mark that ends a text, and its first word. Capitals everywhere tell no name from a word, and no
parser has learnt from them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from augcse.augmentations.text.edits import is_all_capitals

# Those of category Cf that stand for themselves; joiners (U+200C, U+200D) and tags belong to the letter or emoji before them.
_FORMAT = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_OUTER = re.compile(rf"(?:\s*[{_FORMAT}])*")


def split_ends(text: str) -> tuple[str, str, str]:
    r"""Return the format characters before a text, the text, and those after it, each with the blanks outside of them.

    >>> split_ends(" \u200eHe left.\u200b\n")
    (' \u200e', 'He left.', '\u200b\n')
    """
    if text.isascii():
        return "", text, ""
    before, after = (found[0] if (found := _OUTER.match(read)) else "" for read in (text, text[::-1]))
    start, end = len(before), len(text) - len(after)
    return (text[:start], text[start:end], text[end:]) if start < end else ("", text, "")


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
