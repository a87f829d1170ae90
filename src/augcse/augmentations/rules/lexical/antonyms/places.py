"""Which antonym an adjective has where it stands: the chosen one, unless a row of adjective_places.tsv says otherwise."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import Condition, read_condition
from augcse.augmentations.english.words import Word
from augcse.augmentations.text.tables import data_rows

_FOLDER = Path(__file__).parent


@lru_cache(maxsize=1)
def antonyms() -> dict[str, str]:
    """Return the antonym of each adjective that has one."""
    return {word: antonym for word, antonym in data_rows(_FOLDER / "adjective_antonyms.tsv")}


@lru_cache(maxsize=1)
def classes() -> dict[str, list[str]]:
    """Return the classes of words that conditions name."""
    return {name[1:]: words.split() for name, words, *_ in data_rows(_FOLDER / "adjective_places.tsv") if name.startswith("=")}


@lru_cache(maxsize=1)
def _rows() -> dict[str, list[tuple[str, Condition]]]:
    found: dict[str, list[tuple[str, Condition]]] = {}
    for adjective, antonym, *condition in data_rows(_FOLDER / "adjective_places.tsv"):
        if not adjective.startswith("="):
            found.setdefault(adjective, []).append((antonym or antonyms()[adjective], read_condition(condition[0], classes())))
    return found


def antonym_at(parse: Parse, word: Word) -> tuple[str, bool] | None:
    """Return the antonym that suits the place, and whether it has the word's degree already; None where none does."""
    form = parse.word(word.index)
    own = form in _rows()
    rows = _rows().get(form if own else word.lemma)
    if rows is None:
        return (antonyms()[word.lemma], False) if word.lemma in antonyms() else None
    return next(((antonym, own) for antonym, condition in rows if condition(parse, word.index)), None)
