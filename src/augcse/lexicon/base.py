"""The interface of a lexicon, whatever file it reads: WordNet's synsets and the relations between them.

A synset is a set of words with one meaning; a word's synsets come in sense order, the most frequent first. Words are
written with spaces ("motor vehicle"), and are looked up without regard to case, as in WordNet.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import Literal, get_args

from augcse.errors import unknown_name
from augcse.lexicon.morphology import base_forms

Pos = Literal["n", "v", "a", "r"]
POS: tuple[Pos, ...] = get_args(Pos)
# Hypernym chains in WordNet have at most about 20 links; the limit stops a loop in a damaged file.
_MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Synset:
    """One meaning: `key` identifies it within its lexicon, `category` is the lexicographer file ("noun.animal")."""

    key: int
    pos: Pos
    category: str
    lemmas: tuple[str, ...]


class Lexicon(ABC):
    """A wordnet. Results come in sense order and without repetition; an unknown word has none."""

    @abstractmethod
    def synsets(self, lemma: str, pos: Pos | None = None) -> tuple[Synset, ...]:
        """Return the meanings of a lemma, the most frequent first; satellite adjectives count as "a"."""

    @abstractmethod
    def antonyms(self, lemma: str, pos: Pos, senses: int | None = None) -> tuple[str, ...]:
        """Return the words opposite to the first `senses` meanings of the lemma (None: to all)."""

    @abstractmethod
    def hypernyms(self, synset: Synset) -> tuple[Synset, ...]:
        """Return the next broader meanings."""

    @abstractmethod
    def hyponyms(self, synset: Synset) -> tuple[Synset, ...]:
        """Return the next narrower meanings."""

    @abstractmethod
    def irregular(self, form: str, pos: Pos) -> tuple[str, ...]:
        """Return the lemmas that `form` is listed as an irregular form of."""

    def synonyms(self, lemma: str, pos: Pos, senses: int | None = None) -> tuple[str, ...]:
        """Return the other words of the first `senses` synsets of the lemma (None: of all)."""
        members = (word for synset in self.synsets(lemma, pos)[:senses] for word in synset.lemmas)
        return tuple(dict.fromkeys(word for word in members if word.lower() != lemma.lower()))

    def lemmas(self, form: str, pos: Pos) -> tuple[str, ...]:
        """Return the lemmas that `form` can be a form of: irregular ones first, then by WordNet's endings."""
        return base_forms(form, pos, self.irregular(form, pos), lambda word: bool(self.synsets(word, pos)))

    def depth(self, synset: Synset) -> int:
        """Return the length of the shortest hypernym path to a synset without hypernyms: 0 for "entity"."""
        level, steps = {synset}, 0
        while steps < _MAX_DEPTH:
            hypernyms = [self.hypernyms(member) for member in level]
            if not all(hypernyms):
                break
            level = {broader for group in hypernyms for broader in group}
            steps += 1
        return steps


def check_pos(pos: str | None) -> None:
    """Raise `UserError` for an unknown part of speech."""
    if pos is not None and pos not in POS:
        raise unknown_name("part of speech", pos, POS)
