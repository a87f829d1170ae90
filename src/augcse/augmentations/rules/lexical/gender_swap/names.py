"""The names of a sentence: runs of capitalised words, what each names, and which of its words are given names."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.marks import opens_sentence
from augcse.augmentations.english.names import given_names
from augcse.augmentations.english.noun_kinds import noun_kinds
from augcse.augmentations.text.tables import data_rows, word_sets

_DATA = Path(__file__).parent
WORDS = word_sets(_DATA / "words.txt") | word_sets(_DATA / "institutions.txt")
# Marks directly before or after a name that make it part of something longer, or quotes that set off a title.
_MARKS_BEFORE, _MARKS_AFTER = frozenset("\"“”'‘’`«»_-–/@#"), frozenset("-–/@_")


@lru_cache(maxsize=1)
def pairs() -> dict[str, str]:
    """Return the gendered nouns and adjectives in lower case, with their counterparts."""
    counterparts: dict[str, str] = {}
    for male, female in data_rows(_DATA / "gender_pairs.tsv"):
        counterparts.setdefault(male, female)
        counterparts.setdefault(female, male)
    return counterparts


@lru_cache(maxsize=1)
def figures() -> frozenset[str]:
    """Return the single names of well-known figures, whose gender everybody knows."""
    return frozenset(name for [name] in data_rows(_DATA / "figures.txt"))


@dataclass(frozen=True, slots=True)
class Name:
    """The tokens `first` to `last`, which of them are given names that can change, and whether it may be something else than a person."""

    first: int
    last: int
    given: tuple[int, ...] = ()
    is_doubtful: bool = False


def find_names(parse: Parse) -> list[Name]:
    """Return the names of a sentence in order."""
    inside = {index for index in range(len(parse)) if _is_in_name(parse, index)}
    firsts = sorted(inside - {index + 1 for index in inside})
    lasts = sorted(inside - {index - 1 for index in inside})
    return [_classified_name(parse, first, last) for first, last in zip(firsts, lasts, strict=True)]


def _is_in_name(parse: Parse, index: int) -> bool:
    """Return whether a word has the capital of a name: a proper noun, or another word whose place explains no capital."""
    if not parse.tokens[index][0].isupper():
        return False
    return parse.upos[index] == "PROPN" or (parse.upos[index] in ("NOUN", "ADJ", "NUM", "X") and not opens_sentence(parse, index))


def _classified_name(parse: Parse, first: int, last: int) -> Name:
    """Return the name with its given names, if it is a person's, or marked as doubtful."""
    known = given_names()
    given = next((index for index in range(first, last + 1) if parse.tokens[index] in known), None)
    if given is None or _names_thing(parse, first, last, given):
        return Name(first, last)
    if given == last and last > first and parse.word(last - 1) not in pairs():  # a surname: "Lasseter Kelly", "President Grace"
        return Name(first, last)
    if _is_doubtful(parse, first, last, given):
        return Name(first, last, is_doubtful=True)
    return Name(first, last, tuple(index for index in range(given, max(last, given + 1)) if parse.tokens[index] in known))


def _names_thing(parse: Parse, first: int, last: int, given: int) -> bool:
    """Return whether it is the name of an institution ("the Oscar"), or one word that names a place or what the noun before says."""
    is_institution = any(token.rstrip(".") in WORDS["INSTITUTION"] for token in parse.tokens[given : last + 1])
    if is_institution or (given == first and parse.word(first - 1) == "the"):
        return True
    if first < last:
        return False
    if parse.pos(first - 1) == "ADP":  # a place ("in Florence"), or part of a longer name ("Legion of Mary")
        return given_names()[parse.tokens[given]].kind != "" or parse.token(first - 2)[:1].isupper()
    kinds = noun_kinds(parse.word(first - 1))  # a noun before it says what it names: "the novel Emma"
    return parse.tag(first - 1) == "NN" and {"noun.person", "noun.time"}.isdisjoint(kinds)


def _is_doubtful(parse: Parse, first: int, last: int, given: int) -> bool:
    """Return whether the given name may be a surname, the name of a place, or part of the title of a work."""
    if given == last and given_names()[parse.tokens[given]].kind in ("surname", "full"):
        return True
    start, end = parse.span(first, last)
    is_joined = parse.text[max(start - 1, 0) : start] in _MARKS_BEFORE or parse.text[end : end + 1] in _MARKS_AFTER
    return is_joined or parse.tokens[last] in WORDS["INSTITUTION_OR_SURNAME"]
