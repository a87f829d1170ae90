"""Which words always have a capital: for words moved from the start of a sentence, and for the output of lower-casing models.

The bundled lexicon distinguishes words from names. Some of its words are also names ("Carver", "Wood"); which of the two is meant
depends on the rest of the text, and the rules leave such a sentence alone.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.english.function_words import FUNCTION_WORDS, QUANTIFIERS
from augcse.augmentations.english.names import CITIES, COUNTRIES, REGIONS, given_names
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.tags import NAMES, NOUNS
from augcse.augmentations.text.tables import data_rows, word_sets
from augcse.lexicon.base import POS, Pos
from augcse.lexicon.open import bundled_lexicon

Case = Literal["keep", "lower", "doubt"]
_FUNCTION_TAGS = frozenset({"DT", "PDT", "PRP", "PRP$", "IN", "TO", "EX", "WDT", "WP", "WRB", "RB", "RBR", "RBS", "JJR", "JJS", "CC", "MD"})
# Kinds of nouns that the tagger takes for names at the start of a sentence: "Snow fell".
_MATTER = frozenset({"noun.attribute", "noun.feeling", "noun.phenomenon", "noun.state", "noun.substance"})
_THINGS = frozenset({"noun.animal", "noun.body", "noun.person", "noun.plant"})
# A word of the lexicon with one of these tags is not a name.
_COMMON_TAGS = frozenset({"NNS", "VB", "VBG", "VBN"})
# Endings of words for acts, states and doctrines, which are not surnames.
_ABSTRACT = re.compile(r".{3,}(?:ism|tion|sion|ness|ment|graphy|logy|ity|ship|hood|ance|ence|wood|work|power|ing)s?")
# Endings of substances and terms that the lexicon may lack: "oxycodone", "diatomite".
_TERM = re.compile(r".{3,}(?:ism|tion|ness|graphy|logy|itis|osis|one|ine|ide|ite|ase|ose|oid|gen|ium|yl|ate|cyte|phyte)s?")
_ODD = {"i": "I", "nato": "NATO"}
# The `commonness` of a word that the lexicon's definitions and examples use about four times.
_RARE = 28
# Not "may", which with a capital is a month.
_ALWAYS_LOWER = FUNCTION_WORDS - {"may"}


def opening_case(parse: Parse, index: int) -> Case:
    """Return what happens to the capital of a sentence's first word when it is moved: kept, made lower case, or in doubt."""
    word, tag = parse.tokens[index], parse.tags[index]
    if not word[:1].isupper() or word == "I" or any(letter.isupper() for letter in word[1:]):
        return "keep"
    if word.lower() in QUANTIFIERS or tag in _FUNCTION_TAGS:
        return "lower"
    following, next_tag = parse.token(index + 1), parse.tag(index + 1)
    if following == "I":
        following = ""  # its capital does not continue a name: "Had I known"
    lower, inner = word.lower(), as_inner(word, following)
    if inner == word:
        return "doubt" if _TERM.fullmatch(lower) or _ABSTRACT.fullmatch(lower) else "keep"
    are_names = {tag, next_tag} <= NAMES
    if (following.istitle() and tag not in ("VB", "VBG")) or (following[:1].isupper() and are_names):
        # A title before a name may be part of it: "Novelist Paul", but "Pope Leo".
        return "keep" if are_names and first_kind(lower) != "noun.person" else "doubt"
    case = _case_by_word(lower, tag, next_tag, is_sure=inner is not None)
    # A whole subject may be a name: "Neutral came", "Dog is his best film".
    may_be_name = tag in NAMES | {"JJ"} or (tag == "NN" and first_kind(lower) in _THINGS)
    is_subject = parse.has_label(index, "nsubj") and parse.last(index) == index
    return "doubt" if case == "lower" and may_be_name and is_subject else case


def may_open_with_name(parse: Parse, index: int) -> bool:
    """Return whether the first word of a sentence may be a name or not, so that no rule can move it: "Power was lost"."""
    return opening_case(parse, index) == "doubt"


def _case_by_word(lower: str, tag: str, next_tag: str, *, is_sure: bool) -> Case:
    """Return the case of a word of the lexicon; if it may be a name too, by its tag and the next one: "Tom loves", "Power plants"."""
    if _ABSTRACT.fullmatch(lower) or next_tag in NOUNS or (is_sure and not _is_name_too(lower)):
        return "lower"
    if tag in NAMES or _is_name_too(lower):
        return "keep" if tag == "NNP" and first_kind(lower) not in _MATTER else "doubt"
    return "lower" if tag in _COMMON_TAGS or first_kind(lower) not in ("", "noun.person") else "doubt"


@lru_cache(maxsize=50_000)
def as_inner(word: str, following: str) -> str | None:
    """Return how the first word of a sentence is written elsewhere in it; None if that is in doubt.

    Function words and common words lose the capital, words that are only names keep it. "Mark", "Polish" or the "Red" of "Red Cross"
    may be either: `following` is the word after it.

    >>> as_inner("Resistors", "are"), as_inner("Obama", "was"), as_inner("Mark", "Twain"), as_inner("Red", "Cross")
    ('resistors', 'Obama', None, None)
    """
    if not word[:1].isupper() or (word[1:] and not word[1:].islower()):
        return word  # "iPhone", "UNESCO", "1998"
    lower = word.lower()
    stem = re.split(r"[-'’]", lower, maxsplit=1)[0]
    if stem in _ALWAYS_LOWER:
        return word if stem == "i" else lower
    lists = _lists()
    if stem in lists["CAPITAL"] or not is_lower(stem) or _is_given_name(word):
        return word
    # With a capital, rare words are usually names: "Ash", "Carver's".
    may_be_name = any(stem in lists[kind] for kind in ("NAME", "EITHER", "GIVEN")) or _commonness(stem) < _RARE
    return None if may_be_name or following[:1].isupper() else lower


@lru_cache(maxsize=50_000)
def spelling(word: str) -> str | None:
    """Return a lower-case word as it is written inside a sentence; None for parts of names and words that the lexicon lacks.

    >>> spelling("house"), spelling("portuguese"), spelling("herman"), spelling("may")
    ('house', 'Portuguese', None, None)
    """
    lists = _lists()
    if word in _ODD:
        return _ODD[word]
    if word in lists["CAPITAL"]:
        return word.capitalize()
    if word in lists["NAME"] or word in lists["GIVEN"]:
        return None
    if word in _ALWAYS_LOWER or is_lower(word):
        return word
    return word.capitalize() if word in lists["PLACE"] else None


@lru_cache(maxsize=50_000)
def is_lower(word: str) -> bool:
    """Return whether the bundled lexicon has the word, or one it is a form of, in lower case."""
    return bundled_lexicon().commonness(word) > 0 or any(_is_listed(base, pos) for pos in POS for base in _bases(word, pos))


def _is_given_name(word: str) -> bool:
    """Return whether a word is only a given name: not "Mark", nor "Saffron", which the lexicon uses in definitions."""
    name = given_names().get(word)
    return name is not None and not (name.kind or name.is_common or bundled_lexicon().commonness(word.lower()))


def _is_name_too(word: str) -> bool:
    """Return whether a common noun is also a well-known name, or a plural of what is a name more often: "Power", "Marks"; not "Prices"."""
    lists = _lists()
    return any(word in lists[kind] for kind in ("NAME", "EITHER", "GIVEN")) or not lists["NAME"].isdisjoint(_bases(word))


def _commonness(word: str) -> int:
    bases = {base for pos in POS for base in _bases(word, pos)}
    return max((bundled_lexicon().commonness(lemma) for lemma in (word, *bases)), default=0)


@lru_cache(maxsize=20_000)
def _bases(word: str, pos: Pos = "n") -> tuple[str, ...]:
    return bundled_lexicon().lemmas(word, pos)


@lru_cache(maxsize=20_000)
def _is_listed(word: str, pos: Pos) -> bool:
    """Return whether the lexicon lists the word with exactly these capitals."""
    return any(word in synset.lemmas for synset in bundled_lexicon().synsets(word, pos))


@cache
def _lists() -> dict[str, frozenset[str]]:
    """Return the words of capitalised_words.txt by kind (see there), the PLACEs of one word and the GIVEN names, all in lower case."""
    kinds = word_sets(Path(__file__).with_name("capitalised_words.txt"))
    return kinds | {
        "CAPITAL": (kinds["CAPITAL"] | _words(COUNTRIES)) - kinds["NAME"] - kinds["EITHER"],
        "PLACE": _words(REGIONS) | _words(CITIES),
        "GIVEN": frozenset(name.lower() for name, given in given_names().items() if given.is_common),
    }


def _words(file: Path) -> frozenset[str]:
    """Return the names in a table of places that are one word."""
    fields = (field for row in data_rows(file) for field in row[:3])
    return frozenset(field.lower() for field in fields if field.istitle() and field.isalpha())
