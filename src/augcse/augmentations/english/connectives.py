"""Connectives: openings that tie a sentence to the one before it."""

from __future__ import annotations

from pathlib import Path

from augcse.augmentations.text.tables import data_rows

_OPENINGS = tuple(dict.fromkeys(row[0] for row in data_rows(Path(__file__).with_name("connectives.txt"))))


def opens_with_connective(sentence: str) -> bool:
    """Return whether a sentence opens with a connective.

    >>> opens_with_connective("As a result, we left."), opens_with_connective("Sofas are soft.")
    (True, False)
    """
    text = sentence.lower()
    return any(text.startswith(opening) and not text[len(opening) : len(opening) + 1].isalnum() for opening in _OPENINGS)
