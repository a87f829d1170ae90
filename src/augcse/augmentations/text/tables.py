"""Word lists: one row per line, fields separated by tabs, comments after "#". Each list is next to the code that reads it."""

from __future__ import annotations

from pathlib import Path


def data_rows(path: Path) -> list[list[str]]:
    """Return the rows of a list."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]


def words_by_kind(path: Path) -> dict[str, frozenset[str]]:
    """Return the words of a list by kind: each row is a word and, after a tab, its kinds, separated by spaces."""
    rows = data_rows(path)
    kinds = {kind for _, kinds in rows for kind in kinds.split()}
    return {kind: frozenset(word for word, kinds in rows if kind in kinds.split()) for kind in kinds}


def word_sets(path: Path) -> dict[str, frozenset[str]]:
    """Return the words of a list by kind: each row is a kind in capitals and its words, separated by spaces; a kind may have several."""
    words_of: dict[str, set[str]] = {}
    for [line] in data_rows(path):
        kind, *words = line.split()
        words_of.setdefault(kind, set()).update(words)
    return {kind: frozenset(words) for kind, words in words_of.items()}
