"""What a rule gives to the judge: a word of a sentence, the word that replaces it, and how the lexicon relates the two."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, NamedTuple

from augcse.lexicon.base import Lexicon, Pos, Synset

Relation = Literal["synonym", "hypernym", "hyponym"]


class Senses(NamedTuple):
    """The meanings by which two words are related, counted from 0; how many meanings each has; and how many steps up or down."""

    old_rank: int
    old_count: int
    new_rank: int
    new_count: int
    steps: int = 0


# What the lexicon proposes for a lemma: other lemmas, each with the meanings that relate it.
Related = Callable[[str, Pos, Lexicon], Mapping[str, Senses]]


class Pair(NamedTuple):
    """A lemma that may replace a word, its form there in lower case, and the logit that the two words alone give it."""

    lemma: str
    form: str
    logit: float


class Proposal(NamedTuple):
    """A pair, and the token that is replaced."""

    token: int
    pair: Pair


def sense_rank(lexicon: Lexicon, lemma: str, pos: Pos, synset: Synset) -> int | None:
    """Return which meaning of a lemma a synset is, counted from 0; None if it is not one of them."""
    synsets = lexicon.synsets(lemma, pos)
    return synsets.index(synset) if synset in synsets else None
