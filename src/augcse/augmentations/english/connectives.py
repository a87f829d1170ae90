"""Connectives: openings that link a sentence to the one before it."""

from __future__ import annotations

from pathlib import Path

from augcse.augmentations.text.tables import data_rows

_OPENINGS = sorted({row[0] for row in data_rows(Path(__file__).with_name("connectives.txt"))}, key=len, reverse=True)


def opening_connective(sentence: str) -> str:
    """Return the connective that a sentence opens with, in lower case; "" if there is none.

    >>> opening_connective("As a result, we left."), opening_connective("Sofas are soft.")
    ('as a result', '')
    """
    text = sentence.lower().replace(" ,", ",")
    fitting = (opening for opening in _OPENINGS if text.startswith(opening) and not text[len(opening) : len(opening) + 1].isalnum())
    return next(fitting, "")
