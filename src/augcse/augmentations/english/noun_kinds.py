"""The kinds of things that a noun means, by the lexicographer files of the bundled lexicon: "noun.person", "noun.artifact", ..."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import Synset
from augcse.lexicon.open import bundled_lexicon


@lru_cache(maxsize=20_000)
def noun_kinds(noun: str) -> tuple[str, ...]:
    """Return the kind of each meaning of a noun, singular or plural, the most common first; none for names.

    >>> noun_kinds("queens")[:2], noun_kinds("paris")
    (('noun.animal', 'noun.person'), ())
    """
    lexicon = bundled_lexicon()
    senses = [sense for lemma in lexicon.lemmas(noun, "n") for sense in lexicon.synsets(lemma, "n") if lemma in sense.lemmas]
    return tuple(sense.category for sense in senses)


def first_kind(noun: str) -> str:
    """Return the kind of the first meaning of a noun; "" if the lexicon lacks the noun."""
    return next(iter(noun_kinds(noun)), "")


@lru_cache(maxsize=1)
def mass_nouns() -> dict[str, str]:
    """Return the nouns used without an article: "only" if they never take "a", "also" if they are used both ways."""
    return {noun: kind for noun, kind in data_rows(Path(__file__).with_name("mass_nouns.tsv"))}


def levels(senses: Iterable[Synset], step: Callable[[Synset], Iterable[Synset]]) -> Iterator[list[Synset]]:
    """Yield the senses, then those that are one step from any of them, then two steps, until no step leads on."""
    level = list(senses)
    while level:
        yield level
        level = list(dict.fromkeys(other for synset in level for other in step(synset)))
