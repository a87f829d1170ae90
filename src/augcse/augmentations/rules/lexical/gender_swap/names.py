"""The names of a sentence: stretches of capitalised words, what each names, and which of its words are given names."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.names import given_names
from augcse.augmentations.english.noun_kinds import first_kind, noun_kinds
from augcse.augmentations.english.phrase import are_subjects_of_one
from augcse.augmentations.text.tables import data_rows, word_sets

_DATA = Path(__file__).parent
WORDS = word_sets(_DATA / "words.txt")
_QUOTES = frozenset("\"“”'‘’`«»_")
_SAINTS = frozenset(("St", "St.", "Saint"))
_SMALL_WORDS = 3


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


class NameKind(Enum):
    """What a stretch of capitalised words names."""

    PERSON = "a person"
    THING = "a thing, a place or a work"
    DOUBT = "a person or something else"


@dataclass(frozen=True, slots=True)
class Name:
    """The tokens `first` to `last`, and which of them are given names that can change."""

    first: int
    last: int
    kind: NameKind
    given: tuple[int, ...] = ()


def find_names(parse: Parse) -> list[Name]:
    """Return the names of a sentence in their order."""
    titled = is_title_case(parse)
    found: list[list[int]] = []
    for index in range(len(parse)):
        if _is_in_name(parse, index, titled):
            if found and found[-1][-1] == index - 1:
                found[-1].append(index)
            else:
                found.append([index])
    return [_read(parse, run[0], run[-1]) for run in found]


def is_title(word: str) -> bool:
    """Tell whether the word before a name says what its bearer is: "Dr", "President", "actor"."""
    return word.lower() in pairs() or first_kind(word.lower().rstrip(".")) == "noun.person"


def is_title_case(parse: Parse) -> bool:
    """Tell whether nearly all longer words have a capital, as in headlines, so that a capital is no sign of a name."""
    longer = [token for token in parse.tokens if len(token) > _SMALL_WORDS]
    return len(longer) > _SMALL_WORDS and sum(token[0].isupper() for token in longer) > 0.8 * len(longer)


def _is_in_name(parse: Parse, index: int, titled: bool) -> bool:
    token, upos = parse.tokens[index], parse.upos[index]
    if not token[0].isupper():
        return False
    known = token in given_names() and given_names()[token].kind == ""
    return upos == "PROPN" or known or (upos in ("NOUN", "ADJ", "NUM", "X") and not titled and not _asks_for_capital(parse, index))


def _asks_for_capital(parse: Parse, index: int) -> bool:
    """Tell whether a word may have its capital because of its place."""
    return index == 0 or parse.tokens[index - 1][-1] in ".!?:;-–—(\"“'‘`["


def _read(parse: Parse, first: int, last: int) -> Name:
    known = given_names()
    given = next((index for index in range(first, last + 1) if parse.tokens[index] in known), None)
    if _names_thing(parse, first, last, given):
        return Name(first, last, NameKind.THING)
    # "Lasseter Kelly", "President Grace"
    surname = given == last and last > first and parse.word(last - 1) not in pairs() and parse.tokens[first] not in _SAINTS
    if given is None or surname:
        return Name(first, last, NameKind.PERSON)
    if _is_doubtful(parse, first, last, given):
        return Name(first, last, NameKind.DOUBT)
    changing = [index for index in range(given, max(last, given + 1)) if parse.tokens[index] in known]
    return Name(first, last, NameKind.PERSON, tuple(changing))


def _names_thing(parse: Parse, first: int, last: int, given: int | None) -> bool:
    """Tell whether it is the name of an institution ("the Oscar", "Legion of Mary"), a storm or what the next noun says."""
    before = parse.tokens[first - 1] if first else ""
    after_given = parse.tokens[last if given is None else min(given + 1, last) : last + 1]  # "the 33rd Curtis Cup Match"
    is_institution = any(_institutions().get(token.rstrip(".")) == "surely" for token in after_given)
    after = parse.token(last + 2)
    is_firm = parse.word(last + 1) in ("and", "&") and after[:1].isupper() and after.lower().rstrip(".") in WORDS["AFTER_FIRM"]
    if is_institution or is_firm or (given == first and before.lower() == "the"):
        return True
    if given == first == last:
        named_after = before == "of" and first > 1 and parse.tokens[first - 2][0].isupper()
        return named_after or parse.token(last + 1)[:1].isdigit() or _is_called_so(parse, first)
    if given == first and _follows_kind(parse, first, last):
        return True
    # "Hurricane Katrina"
    called = parse.tokens[given - 1] if given is not None and given > first else ""
    return bool(first_kind(called.lower())) and not is_title(called)


def _is_called_so(parse: Parse, index: int) -> bool:
    """Tell whether one word, a name, is that of what the noun beside it says, or of a place: "the novel Emma", "a Tony nominee"."""
    head, before = parse.heads[index], index - 1
    if parse.has_label(index, "compound") and head == index + 1 and not is_title(parse.tokens[head]):
        return True
    if index == 0 or parse.upos[before] == "ADP":  # "in Florence"
        return index > 0 and given_names()[parse.tokens[index]].kind != ""
    return _follows_kind(parse, index, index)


def _follows_kind(parse: Parse, first: int, last: int) -> bool:
    """Tell whether a noun right before a name says that it is no person's: "the novel Emma", "the memoir Michelle Remembers"."""
    before, inside = first - 1, range(first, last + 1)
    head = next((index for index in inside if parse.heads[index] not in inside or parse.heads[index] == index), last)
    is_beside = parse.heads[before] in inside or parse.heads[head] == before or are_subjects_of_one(parse, before, head)
    joined = is_beside and parse.tags[before] in ("NN", "NNP")
    kinds = noun_kinds(parse.word(before)) if parse.token(before - 1) != "-" else ()  # not "his brother-in-law John"
    return first > 0 and joined and kinds != () and {"noun.person", "noun.time"}.isdisjoint(kinds)


def _is_doubtful(parse: Parse, first: int, last: int, given: int) -> bool:
    """Tell whether the name of a known gender may be a surname, a place's, a saint's, or in the title of a work."""
    kind = given_names()[parse.tokens[given]].kind
    if given == last and (kind in ("surname", "full") or (kind == "word" and _asks_for_capital(parse, given))):
        return True
    if "noun.phenomenon" in noun_kinds(parse.word(first - 1)):  # "tropical cyclone Monica"
        return True
    # "Ptolemy II Philadelphus", "Alexander I"
    numbered = last + 1 < len(parse) and parse.has_label(last + 1, "flat")
    has_namesake = not WORDS["YOUNGER"].isdisjoint(parse.tokens[first : last + 1 + numbered])
    if parse.tokens[first] in _SAINTS or has_namesake or _institutions().get(parse.tokens[last]) == "maybe":
        return True
    start, end = parse.span(first, last)
    before, after = parse.text[max(start - 1, 0) : start], parse.text[end : end + 1]
    quoted = before in _QUOTES and after in _QUOTES and start > 0
    titled = first > 1 and parse.tokens[first - 1] in ("The", "A", "An", "My") and not _asks_for_capital(parse, first - 1)
    owns = parse.token(last + 1) in ("'s", "’s") and parse.pos(last + 2) == "PROPN"
    return quoted or titled or owns or after in tuple("-–/@_") or before in tuple("-–/@#_")


@lru_cache(maxsize=1)
def _institutions() -> dict[str, str]:
    return {word: "maybe" if mark else "surely" for word, mark in data_rows(_DATA / "institutions.tsv")}
