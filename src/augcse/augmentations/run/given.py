"""The text that a rule is given: without the format characters at its ends, and an all-capitals text in lower case.

Format characters (the zero-width space of a web page, the marks around right-to-left text, the byte order mark of a file that was joined to
another) hide a text's first word and its end mark. In a text all in capitals, names look like other words, and no parser was trained on it.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from augcse.augmentations.text.edits import is_all_capitals

# Characters of category Cf, except those that belong to the letter or emoji before them: joiners (U+200C, U+200D) and tags.
_FORMAT = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_OUTER = re.compile(rf"(?:\s*[{_FORMAT}])*")


def split_ends(text: str) -> tuple[str, str, str]:
    r"""Return the format characters before a text, the text, and those after it, each with the spaces outside of them.

    >>> split_ends(" \u200eHe left.\u200b\n")
    (' \u200e', 'He left.', '\u200b\n')
    """
    if text.isascii():
        return "", text, ""
    start, end = _outer_length(text), len(text) - _outer_length(text[::-1])
    return (text[:start], text[start:end], text[end:]) if start < end else ("", text, "")


def _outer_length(text: str) -> int:
    """Return how many format characters and spaces a text begins with; none if it begins with spaces alone."""
    outer = _OUTER.match(text)
    return outer.end() if outer else 0


def in_small_letters(text: str, options: Mapping[str, Any]) -> str:
    """Return the text that a rule of words and grammar is given: an all-capitals text in lower case, any other as it is.

    A text that could not be raised again ("ẞ") stays as it is, and so does every text for the rules as published.

    >>> in_small_letters("A WASTE OF MONEY!", {}), in_small_letters("NASA left.", {}), in_small_letters("GROẞ", {})
    ('a waste of money!', 'NASA left.', 'GROẞ')
    """
    if not is_all_capitals(text) or options.get("fidelity", "grammatical") != "grammatical":
        return text
    lowered = text.lower()
    return lowered if lowered.upper() == text else text


def raised(text: str, given: str, augmented: str | None) -> str | None:
    """Return what a rule made of the `given` text, in capitals if that was lower-cased; None where only the case of letters changed.

    >>> raised("IT FELL!", "it fell!", "it has fallen!"), raised("It fell!", "It fell!", "It has fallen!")
    ('IT HAS FALLEN!', 'It has fallen!')
    >>> raised("IT FELL!", "it fell!", "It fell!")
    """
    if augmented is None or given == text:
        return augmented
    return augmented.upper() if augmented.upper() != text else None
