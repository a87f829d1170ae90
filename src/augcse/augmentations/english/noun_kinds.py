"""What kinds of things a noun means, by the lexicographer files of the bundled lexicon: "noun.person", "noun.artifact", ..."""

from __future__ import annotations

from functools import lru_cache

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
