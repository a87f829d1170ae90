"""The names of a sentence: stretches of capitalised words, what each names, and which of its words are given names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.names import given_names
from augcse.augmentations.english.noun_kinds import noun_kinds
from augcse.augmentations.text.tables import data_rows, word_sets

_DATA = Path(__file__).parent
WORDS = word_sets(_DATA / "words.txt")
# Quotes and marks right before or after a name of which it is a part, or which set off a title.
_MARKS_BEFORE, _MARKS_AFTER = frozenset("\"“”'‘’`«»_-–/@#"), frozenset("-–/@_")


@lru_cache(maxsize=1)
def pairs() -> dict[str, str]:
    """Return the gendered nouns and adjectives in small letters, with their counterparts."""
    found: dict[str, str] = {}
    for male, female in data_rows(_DATA / "gender_pairs.tsv"):
        found.setdefault(male, female)
        found.setdefault(female, male)
    return found


@lru_cache(maxsize=1)
def figures() -> frozenset[str]:
    """Return the single names by which everybody knows who is meant, and so of which gender."""
    return frozenset(name for [name] in data_rows(_DATA / "figures.txt"))


@dataclass(frozen=True, slots=True)
class Name:
    """The tokens `first` to `last`, which of them are given names that can change, and whether it may not be a person's."""

    first: int
    last: int
    given: tuple[int, ...] = ()
    is_doubtful: bool = False


def find_names(parse: Parse) -> list[Name]:
    """Return the names of a sentence in their order."""
    inside = {index for index in range(len(parse)) if _is_in_name(parse, index)}
    firsts, lasts = sorted(inside - {index + 1 for index in inside}), sorted(inside - {index - 1 for index in inside})
    return [_read(parse, first, last) for first, last in zip(firsts, lasts, strict=True)]


def _is_in_name(parse: Parse, index: int) -> bool:
    upos = parse.upos[index]
    is_raised = upos == "PROPN" or (upos in ("NOUN", "ADJ", "NUM", "X") and not _asks_for_capital(parse, index))
    return is_raised and parse.tokens[index][0].isupper()


def _asks_for_capital(parse: Parse, index: int) -> bool:
    """Tell whether a word may have its capital because of its place."""
    return index == 0 or parse.tokens[index - 1][-1] in ".!?:;-–—(\"“'‘`["


def _read(parse: Parse, first: int, last: int) -> Name:
    known = given_names()
    given = next((index for index in range(first, last + 1) if parse.tokens[index] in known), None)
    if given is None or _names_thing(parse, first, last, given):
        return Name(first, last)
    if given == last and last > first and parse.word(last - 1) not in pairs():  # "Lasseter Kelly", "President Grace"
        return Name(first, last)
    if _is_doubtful(parse, first, last, given):
        return Name(first, last, is_doubtful=True)
    return Name(first, last, tuple(index for index in range(given, max(last, given + 1)) if parse.tokens[index] in known))


def _names_thing(parse: Parse, first: int, last: int, given: int) -> bool:
    """Tell whether it is the name of an institution ("the Oscar"), or one word that names a place or what the noun before says."""
    is_institution = any(_institutions().get(token.rstrip(".")) == "surely" for token in parse.tokens[given : last + 1])
    if is_institution or (given == first and parse.word(first - 1) == "the"):
        return True
    if first < last:
        return False
    if parse.pos(first - 1) == "ADP":  # "in Florence", "Legion of Mary"
        return given_names()[parse.tokens[given]].kind != "" or parse.token(first - 2)[:1].isupper()
    kinds = noun_kinds(parse.word(first - 1))  # "the novel Emma"
    return parse.tag(first - 1) == "NN" and {"noun.person", "noun.time"}.isdisjoint(kinds)


def _is_doubtful(parse: Parse, first: int, last: int, given: int) -> bool:
    """Tell whether the name of a known gender may be a surname, a place's, or in the title of a work."""
    if given == last and given_names()[parse.tokens[given]].kind in ("surname", "full"):
        return True
    has_namesake = not WORDS["YOUNGER"].isdisjoint(parse.tokens[first : last + 1])
    start, end = parse.span(first, last)
    is_joined = parse.text[max(start - 1, 0) : start] in _MARKS_BEFORE or parse.text[end : end + 1] in _MARKS_AFTER
    return is_joined or has_namesake or _institutions().get(parse.tokens[last]) == "maybe"


@lru_cache(maxsize=1)
def _institutions() -> dict[str, str]:
    return {word: "maybe" if mark else "surely" for word, mark in data_rows(_DATA / "institutions.tsv")}
