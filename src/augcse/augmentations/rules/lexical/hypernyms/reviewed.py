"""The broader and narrower words that were chosen by hand, and where they read well."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import Condition, read_condition
from augcse.augmentations.english.words import Word
from augcse.augmentations.judge.proposal import Relation
from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import Lexicon, Synset

_SENSES = 3
_CLIMB = 9
# How far from the noun a word that falls under the same broader one may not stand.
_NEAR = 5
_TABLES = {"hypernym": "hypernyms.tsv", "hyponym": "hyponyms.tsv"}


@lru_cache(maxsize=2)
def reviewed_nouns(relation: Relation) -> dict[str, list[tuple[tuple[str, ...], Condition]]]:
    """Return the table of a relation: the words each noun may be replaced by, those of each row with its condition."""
    found: dict[str, list[tuple[tuple[str, ...], Condition]]] = {}
    for noun, others, condition in data_rows(Path(__file__).with_name(_TABLES[relation])):
        found.setdefault(noun, []).append((tuple(filter(None, others.split("|"))), read_condition(condition)))
    return found


def reviewed(relation: Relation, parse: Parse, word: Word, lexicon: Lexicon) -> list[str] | None:
    """Return the words of the noun's first row whose condition holds there, those that the lexicon relates to it; None without a row."""
    rows = reviewed_nouns(relation).get(word.lemma)
    if rows is None:
        return None
    chosen = next((others for others, condition in rows if condition.fits(parse, word.index)), ())
    pairs = ((other, (word.lemma, other) if relation == "hypernym" else (other, word.lemma)) for other in chosen)
    return [other for other, (narrow, broad) in pairs if broad in broader_words(narrow, lexicon)]


@lru_cache(maxsize=5_000)
def broader_words(lemma: str, lexicon: Lexicon) -> frozenset[str]:
    """Return all words above the first few senses of the lemma."""
    found: set[Synset] = set()
    level = set(lexicon.synsets(lemma, "n")[:_SENSES])
    for _ in range(_CLIMB):
        level = {broader for synset in level for broader in lexicon.hypernyms(synset)} - found
        found |= level
    return frozenset(word.lower() for synset in found for word in synset.lemmas)


def falls_beside(parse: Parse, word: Word, other: str, lexicon: Lexicon) -> bool:
    """Tell whether a neighbour falls under the broader word too: "dogs and cats" are no "animals and cats"."""
    around = range(max(word.index - _NEAR, 0), min(word.index + _NEAR + 1, len(parse)))
    beside = {parse.lemmas[place].lower() for place in around if parse.upos[place] == "NOUN"} - {word.lemma}
    return any(other in broader_words(lemma, lexicon) for lemma in beside)
