"""Which words have a capital of their own: for words that leave the first position, and for what a lower-casing model writes.

The bundled lexicon tells words from names; where it holds a word that can be a name too ("Carver", "Wood"), nobody can tell
without knowing the text, and the rules leave such a sentence alone.
"""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.english.function_words import FUNCTION_WORDS, QUANTIFIERS
from augcse.augmentations.english.inflection import inflections
from augcse.augmentations.english.names import CITIES, COUNTRIES, GIVEN_NAMES, REGIONS
from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import POS, Pos
from augcse.lexicon.word_forms import word_forms

if TYPE_CHECKING:
    from augcse.lexicon.compact import CompactLexicon

Case = Literal["keep", "lower", "doubt"]
_NAME_TAGS = frozenset({"NNP", "NNPS"})
_FUNCTION_TAGS = frozenset({"DT", "PDT", "PRP", "PRP$", "IN", "TO", "EX", "WDT", "WP", "WRB", "RB", "RBR", "RBS", "JJR", "JJS", "CC", "MD"})
_VERB_TAGS = frozenset({"VB", "VBG", "VBN"})
_PLAIN_TAGS = frozenset({"NN", "NNS"})
# Words of the dictionary that a capital makes the name of a people, a faith, a country or a month.
_PROPER_TOO = frozenset("polish turkey china japan march may german german's pole poles dane danes jersey guinea chile".split())
# Endings of words for deeds, states and teachings, which are no surnames.
_ABSTRACT = re.compile(r".{3,}(?:ism|tion|sion|ness|ment|graphy|logy|ity|ship|hood|ance|ence|wood|work|power|ing)s?")
# Endings of substances and terms that the lexicon may lack: "oxycodone", "diatomite".
_TERM = re.compile(r".{3,}(?:ism|tion|ness|graphy|logy|itis|osis|one|ine|ide|ite|ase|ose|oid|gen|ium|yl|ate|cyte|phyte)s?")
_ADJECTIVE = re.compile(r".+(?:ical|ional|ous|ive|able|less|ful)")
# A noun of these kinds can stand without an article, as a person's, an animal's or a thing's cannot.
_UNCOUNTED = frozenset(
    "noun.act noun.attribute noun.cognition noun.communication noun.state noun.process noun.phenomenon noun.feeling noun.food".split()
)
_ODD = {"i": "I", "nato": "NATO"}
# What the lexicon's own definitions and examples use about four times or less (`commonness`).
_RARE = 28
# Not "may", which a capital makes a month.
_ALWAYS_SMALL = FUNCTION_WORDS - {"may"}


def opening_case(parse: Parse, index: int) -> Case:
    """Tell what becomes of the capital of a word that opens a sentence and is moved after another."""
    word, tag = parse.tokens[index], parse.tags[index]
    if not word[:1].isupper() or word == "I" or any(letter.isupper() for letter in word[1:]):
        return "keep"
    if tag in _FUNCTION_TAGS or word.lower() in QUANTIFIERS:
        return "lower"
    if word.lower() in _PROPER_TOO or _stands_elsewhere(parse, index):
        return "keep"
    case = _case_beside(parse, index)
    return _case_by_word(parse, index) if case == "doubt" else case


def _case_beside(parse: Parse, index: int) -> Case:
    """Tell the case of a word from its tag and the word after it."""
    tag, after = parse.tags[index], index + 1
    if after < len(parse) and parse.tokens[after].istitle() and tag not in ("VB", "VBG") and parse.tags[after] not in _FUNCTION_TAGS:
        linked = parse.heads[index] in (after, parse.heads[after]) or parse.heads[after] == index
        # "Novelist Paul", but "Pope Leo".
        titled = _category(parse.tokens[index].lower()) == "noun.person"
        return "keep" if {tag, parse.tags[after]} <= _NAME_TAGS and linked and not titled else "doubt"
    return _case_of(parse, index)


def _case_by_word(parse: Parse, index: int) -> Case:
    """Tell the case from the word alone; of one that may be either, the tagger tells the name: "Tom loves"."""
    word, following = parse.tokens[index], "".join(parse.tokens[index + 1 : index + 2])
    inner = as_inner(word, following)
    if inner is None:
        return "keep" if parse.tags[index] == "NNP" and not following.istitle() else "doubt"
    if inner.islower():
        return "doubt" if _is_name_too(inner) else "lower"
    return "doubt" if _TERM.fullmatch(word.lower()) or _ABSTRACT.fullmatch(word.lower()) else "keep"


def _case_of(parse: Parse, index: int) -> Case:
    tag, word = parse.tags[index], parse.tokens[index].lower()
    following = parse.tags[index + 1] if index + 1 < len(parse) else "."
    if tag.startswith("JJ"):
        return _adjective_case(word, following)
    if tag in ("NNS", "NNPS"):
        return _plural_case(word, following, tag == "NNS")
    if tag == "NN":
        return _noun_case(word, following)
    if tag == "NNP":
        return _name_case(word, following)
    return "lower" if tag in _VERB_TAGS and _is_word(word) else "doubt"


def _adjective_case(word: str, following: str) -> Case:
    if following.startswith(("VB", "MD")) or following in (",", "POS"):
        return "doubt"
    if _is_listed(word, "a") or _ADJECTIVE.fullmatch(word):
        return "lower"
    return "keep" if _is_listed(word.capitalize(), "a") else "doubt"


def _plural_case(word: str, following: str, common: bool) -> Case:
    if any(_is_listed(base.capitalize(), "n") for base in _bases(word)):
        return "doubt" if _is_listed(_bases(word)[0], "n") else "keep"
    if following in ("VBZ", "POS") or not _is_word(word) or (_is_name_too(word) and following not in _PLAIN_TAGS):
        return "doubt"
    if word.endswith("es") and not any(word in inflections(base, "NNS") for base in _bases(word)):
        return "doubt"  # "Welles" is no plural of "well"
    return "lower" if common else "doubt"


def _noun_case(word: str, following: str) -> Case:
    if following == "POS" or not _is_word(word):
        return "doubt"
    if following in _PLAIN_TAGS or _ABSTRACT.fullmatch(word):
        return "lower"
    return "lower" if _category(word) in _UNCOUNTED and not _is_name_too(word) else "doubt"


def _name_case(word: str, following: str) -> Case:
    if _is_word(word):
        return "lower" if following in _PLAIN_TAGS or (_ABSTRACT.fullmatch(word) and not word.endswith("ing")) else "doubt"
    if following in _PLAIN_TAGS and not _is_listed(word.capitalize(), "n"):
        return "doubt"
    return "doubt" if _TERM.fullmatch(word) or _ABSTRACT.fullmatch(word) else "keep"


def _stands_elsewhere(parse: Parse, index: int) -> bool:
    """Return whether the word has its capital amid the sentence too."""
    return any(
        parse.tokens[other] == parse.tokens[index] and parse.tags[other] in _NAME_TAGS and parse.tokens[other - 1][-1].isalnum()
        for other in range(index + 1, len(parse))
    )


@lru_cache(maxsize=50_000)
def as_inner(word: str, following: str) -> str | None:
    """Return how the first word of a sentence is written elsewhere in it; None where one cannot tell.

    Words of grammar and common words lose the capital, names that are nothing else keep it. "Mark", "Polish" or the "Red" of "Red Cross"
    may be either: `following` is the word after it.

    >>> as_inner("Resistors", "are"), as_inner("Obama", "was"), as_inner("Mark", "Twain"), as_inner("Red", "Cross")
    ('resistors', 'Obama', None, None)
    """
    if not word[:1].isupper() or (word[1:] and not word[1:].islower()):
        return word  # "iPhone", "UNESCO", "1998"
    lower = word.lower()
    stem = re.split(r"[-'’]", lower, maxsplit=1)[0]
    if stem in _ALWAYS_SMALL:
        return word if stem == "i" else lower
    lists, known = _lists(), is_lower(stem)
    if stem in lists["CAPITAL"] or not known:
        return word
    # Rare words are names more often than not: "Ash", "Carver's".
    unsure = len(stem) < 2 or "." in word or any(stem in lists[kind] for kind in ("NAME", "EITHER", "GIVEN")) or _commonness(stem) < _RARE
    return None if unsure or following[:1].isupper() else lower


@lru_cache(maxsize=50_000)
def spelling(word: str) -> str | None:
    """Return a lower-case word as it is written inside a sentence; None for parts of names and what the lexicon does not know.

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
    if word in _ALWAYS_SMALL or is_lower(word):
        return word
    return word.capitalize() if word in lists["PLACE"] else None


@lru_cache(maxsize=50_000)
def is_lower(word: str) -> bool:
    """Return whether the bundled lexicon has the word, or one it is a form of, in small letters."""
    return _lexicon().commonness(word) > 0 or any(_is_listed(base, pos) for pos in POS for base in _bases(word, pos))


def _is_word(word: str) -> bool:
    """Return whether one of the two dictionaries has the word in small letters."""
    return len(word) > 1 and (is_lower(word) or word_forms().is_listed(word))


def _is_name_too(word: str) -> bool:
    """Return whether a common noun, or the one it is the plural of, is a well-known name too: "Power", "Marks"."""
    lists = _lists()
    return any(base in lists[kind] for base in (word, *_bases(word)) for kind in ("NAME", "EITHER", "GIVEN"))


def _commonness(word: str) -> int:
    bases = {base for pos in POS for base in _bases(word, pos)}
    return max((_lexicon().commonness(lemma) for lemma in (word, *bases)), default=0)


@lru_cache(maxsize=20_000)
def _bases(word: str, pos: Pos = "n") -> tuple[str, ...]:
    return _lexicon().lemmas(word, pos)


@lru_cache(maxsize=20_000)
def _is_listed(word: str, pos: Pos) -> bool:
    """Return whether the lexicon lists the word with these very capitals."""
    return any(word in synset.lemmas for synset in _lexicon().synsets(word, pos))


@lru_cache(maxsize=20_000)
def _category(word: str) -> str:
    """Return the kind of thing that the word means first; none for what the lexicon lacks."""
    synsets = [synset for base in _bases(word) for synset in _lexicon().synsets(base, "n")]
    return synsets[0].category if synsets else ""


def _lexicon() -> CompactLexicon:
    # Only when asked for: opening it reads a file.
    from augcse.lexicon.open import bundled_lexicon

    return bundled_lexicon()


@cache
def _lists() -> dict[str, frozenset[str]]:
    """Return the words of capitalised_words.txt by kind, the one-word PLACEs and the GIVEN names, all in small letters."""
    found: dict[str, set[str]] = {"CAPITAL": set(), "NAME": set(), "EITHER": set()}
    for [line] in data_rows(Path(__file__).with_name("capitalised_words.txt")):
        kind, *words = line.split()
        found[kind].update(words)
    found["CAPITAL"] |= _words(COUNTRIES)
    found["CAPITAL"] -= found["NAME"] | found["EITHER"]
    found["PLACE"] = _words(REGIONS) | _words(CITIES)
    found["GIVEN"] = {name.lower() for name, *_ in data_rows(GIVEN_NAMES)}
    return {kind: frozenset(words) for kind, words in found.items()}


def _words(file: Path) -> set[str]:
    """Return the names of one word in a table of places."""
    fields = (field for row in data_rows(file) for field in row[:3])
    return {field.lower() for field in fields if field.istitle() and field.isalpha()}
