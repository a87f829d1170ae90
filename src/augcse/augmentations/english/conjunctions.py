"""Conjunctions (conjunctions.tsv): the words that link the clauses and phrases of a sentence, and what they say of the two."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import Condition, read_condition
from augcse.augmentations.text.tables import data_rows

# What holds between two statements, and no longer once one of them is denied.
_OPPOSING = ("reason", "result", "means", "aim", "concession", "comparison", "contrast", "addition", "replacement", "restatement")
# What says, after a denial, how far it goes, or what holds instead.
_CORRECTING = ("contrast", "replacement", "alternative", "limit", "question")


@lru_cache(maxsize=1)
def _relations() -> dict[str, list[tuple[str, Condition]]]:
    """Return the relations that each word may stand for, with their conditions."""
    relations: dict[str, list[tuple[str, Condition]]] = {}
    for word, relation, *condition in data_rows(Path(__file__).with_name("conjunctions.tsv")):
        relations.setdefault(word, []).append((relation, read_condition("".join(condition))))
    return relations


def relation_at(parse: Parse, index: int) -> str | None:
    """Return what the word at a place says of the part that it links to the rest of the sentence; None if it links nothing there."""
    rows = _relations().get(parse.word(index), ())
    return next((relation for relation, condition in rows if condition(parse, index)), None)


def links(parse: Parse, *relations: str) -> list[int]:
    """Return the indices of the words that link a part of the sentence to the rest by one of the relations; the part is their head."""
    listed = _relations()
    return [index for index, word in enumerate(parse.words) if word in listed and relation_at(parse, index) in relations]


def is_opposed(parse: Parse, head: int) -> bool:
    """Return whether a reason, result, contrast or the like beside a clause would not fit its opposite: "He lost, but did win later"."""
    parts = [parse.heads[index] for index in links(parse, *_OPPOSING)]
    return any(part == head or _clause_of(parse, parse.heads[part]) == head for part in parts)


def _clause_of(parse: Parse, verb: int) -> int:
    """Return the head of the clause that a verb belongs to as an infinitive or as one of several: "had | to return it and left"."""
    return next(step for step in parse.path(verb) if not parse.has_label(step, "xcomp", "conj", "parataxis"))


def is_contrasted(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Return whether what is denied is contrasted with something else: "was not a singer but a dancer", "is not sure whether"."""
    return any(index > negation for index in links(parse, *_CORRECTING))
