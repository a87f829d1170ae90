"""The antonym of an adjective in its context: the listed one, unless a row of adjective_places.tsv gives another."""

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
def _antonyms_by_place() -> dict[str, list[tuple[str, Condition]]]:
    """Return the antonyms of an adjective (a lemma, or one of its forms) and the condition of each, in the order of the table."""
    antonyms_of: dict[str, list[tuple[str, Condition]]] = {}
    for adjective, antonym, *condition in data_rows(_FOLDER / "adjective_places.tsv"):
        if not adjective.startswith("="):
            antonyms_of.setdefault(adjective, []).append((antonym or antonyms()[adjective], read_condition(condition[0], classes())))
    return antonyms_of


def antonym_at(parse: Parse, word: Word) -> tuple[str, bool] | None:
    """Return the antonym that fits the place, and whether it already has the word's degree; None if none fits."""
    form = parse.word(word.index)
    is_form_listed = form in _antonyms_by_place()
    rows = _antonyms_by_place().get(form if is_form_listed else word.lemma)
    if rows is None:
        return (antonyms()[word.lemma], False) if word.lemma in antonyms() else None
    return next(((antonym, is_form_listed) for antonym, condition in rows if condition(parse, word.index)), None)
