"""What kinds of things a noun means, by the lexicographer files of the bundled lexicon: "noun.person", "noun.artifact", ..."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from pathlib import Path

from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import Synset
from augcse.lexicon.open import bundled_lexicon


@lru_cache(maxsize=20_000)
def noun_kinds(noun: str) -> tuple[str, ...]:
    """Return the kind of each meaning of a noun in either number, the most common first; nothing for a mere name.

    >>> noun_kinds("queens")[:2], noun_kinds("paris")
    (('noun.animal', 'noun.person'), ())
    """
    lexicon = bundled_lexicon()
    senses = [sense for lemma in lexicon.lemmas(noun, "n") for sense in lexicon.synsets(lemma, "n") if lemma in sense.lemmas]
    return tuple(sense.category for sense in senses)


def first_kind(noun: str) -> str:
    """Return the kind of the first meaning of a noun; "" for what the lexicon lacks."""
    return next(iter(noun_kinds(noun)), "")


@lru_cache(maxsize=1)
def mass_nouns() -> dict[str, str]:
    """Return, for each noun that stands without an article, "only", or "also" where it takes one too."""
    return {noun: kind for noun, kind in data_rows(Path(__file__).with_name("mass_nouns.tsv"))}


def levels(senses: Iterable[Synset], step: Callable[[Synset], Iterable[Synset]]) -> Iterator[list[Synset]]:
    """Yield the senses, what is one step from any of them, two steps, and so on, as far as steps lead."""
    level = list(senses)
    while level:
        yield level
        level = list(dict.fromkeys(other for synset in level for other in step(synset)))
