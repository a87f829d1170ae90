"""Which words wear a capital of their own: for words that leave the first place, and for what a lower-casing model writes."""

from __future__ import annotations

import re
from functools import cache, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.lexicon.base import POS

if TYPE_CHECKING:
    from augcse.lexicon.compact import CompactLexicon

_DATA = Path(__file__).parent / "data"
_ODD = {"i": "I", "nato": "NATO"}
# What the lexicon's own definitions and examples use about four times or less (`commonness`).
_RARE = 28
# Words of grammar, which a lexicon of nouns, verbs, adjectives and adverbs lacks in part.
FUNCTION_WORDS = frozenset(
    """a about above across after against all along although am amid among amongst an and another any anybody anyone anything are around
    as at be because been before behind being below beneath beside besides between beyond both but by can cannot could despite did do
    does done down during each either else every everybody everyone everything few for from had has have having he her here hers herself
    him himself his how however i if in inside instead into is it its itself least less like many me might mine more most much must my
    myself near neither no nobody none nor not nothing now of off on once one only onto or other others otherwise our ours ourselves out
    over own per quite rather same several shall she should since so some somebody someone something such than that the their theirs them
    themselves then there thereby therefore these they this those though through throughout thus till to together too toward towards two
    under unless unlike until up upon us versus very via was we were what whatever when whenever where whereas whereby wherever whether
    which while whilst who whoever whom whose why will with within without would yes yet you your yours yourself yourselves""".split()
)


@lru_cache(maxsize=50_000)
def as_inner(word: str, following: str) -> str | None:
    """Return how the first word of a sentence is written elsewhere in it; None where one cannot tell.

    Words of grammar and common words lose the capital, names that are nothing else keep it. "Mark", "Polish" or the "Red" of "Red Cross"
    may be either: `following` is the word behind it.

    >>> as_inner("Resistors", "are"), as_inner("Obama", "was"), as_inner("Mark", "Twain"), as_inner("Red", "Cross")
    ('resistors', 'Obama', None, None)
    """
    if not word[:1].isupper() or (word[1:] and not word[1:].islower()):
        return word  # "iPhone", "UNESCO", "1998"
    lower = word.lower()
    stem = re.split(r"[-'’]", lower, maxsplit=1)[0]
    if stem in FUNCTION_WORDS:
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
    if word in FUNCTION_WORDS or is_lower(word):
        return word
    return word.capitalize() if word in lists["PLACE"] else None


@lru_cache(maxsize=50_000)
def is_lower(word: str) -> bool:
    """Tell whether the bundled lexicon has the word, or one it is a form of, in small letters."""
    lexicon = _lexicon()
    if lexicon.commonness(word) > 0:
        return True
    return any(lemma in meaning.lemmas for lemma in _lemmas(word) for meaning in lexicon.synsets(lemma))


def _commonness(word: str) -> int:
    lexicon = _lexicon()
    return max((lexicon.commonness(lemma) for lemma in (word, *_lemmas(word))), default=0)


def _lemmas(word: str) -> set[str]:
    return {lemma for pos in POS for lemma in _lexicon().lemmas(word, pos)}


def _lexicon() -> CompactLexicon:
    # Only when asked for: opening it reads a file.
    from augcse.lexicon.open import bundled_lexicon

    return bundled_lexicon()


@cache
def _lists() -> dict[str, frozenset[str]]:
    """Return the words of capitalised_words.txt by kind, the one-word PLACEs and the GIVEN names, all in small letters."""
    found: dict[str, set[str]] = {"CAPITAL": set(), "NAME": set(), "EITHER": set()}
    for line in _lines("capitalised_words.txt"):
        kind, *words = line.split()
        found[kind].update(words)
    found["CAPITAL"] |= _words("countries.tsv")
    found["CAPITAL"] -= found["NAME"] | found["EITHER"]
    found["PLACE"] = _words("regions.tsv") | _words("cities.tsv")
    found["GIVEN"] = {line.split("\t")[0].lower() for line in _lines("given_names.tsv")}
    return {kind: frozenset(words) for kind, words in found.items()}


def _words(file: str) -> set[str]:
    """Return the names of one word in a table of places."""
    fields = (field for line in _lines(file) for field in line.split("\t")[:3])
    return {field.lower() for field in fields if field.istitle() and field.isalpha()}


def _lines(file: str) -> list[str]:
    return [line for line in (_DATA / file).read_text("utf-8").splitlines() if line and not line.startswith("#")]
