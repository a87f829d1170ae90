"""What a rule hands to the judge: an edit, the word it takes away, the word it puts in, and how the lexicon relates the two."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from augcse.annotation.parse import Parse
from augcse.augmentations.english.words import Word, inflect, replace_word
from augcse.augmentations.text.edits import Edit
from augcse.lexicon.base import Lexicon, Pos, Synset

Relation = Literal["synonym", "hypernym", "hyponym"]


class Senses(NamedTuple):
    """By which of their meanings two words are related, counted from 0, of how many they have, and by how many steps up or down."""

    old_rank: int
    old_count: int
    new_rank: int
    new_count: int
    steps: int = 0


@dataclass(frozen=True, slots=True)
class Proposal:
    """One word of a sentence replaced by another.

    Args:
        index: the token that is replaced.
        old: its lemma.
        new: the lemma in its place; of several words the last is the head.
        form: the new word as it is written, in small letters.
        relation: what the new word is to the old one.
        senses: by which meanings.
        edits: what is written where, articles included.
        is_reviewed: whether the pair was found to read well there when it was chosen by hand; no judge is asked.
    """

    index: int
    old: str
    new: str
    form: str
    relation: Relation
    senses: Senses
    edits: tuple[Edit, ...]
    is_reviewed: bool = False


def sense_rank(lexicon: Lexicon, lemma: str, pos: Pos, synset: Synset) -> int | None:
    """Return which meaning of a lemma a synset is, counted from 0; None if it is none."""
    synsets = lexicon.synsets(lemma, pos)
    return synsets.index(synset) if synset in synsets else None


def proposed(parse: Parse, word: Word, lemma: str, relation: Relation, senses: Senses, *, is_reviewed: bool = False) -> Iterator[Proposal]:
    """Yield the proposal to write `lemma` in a word's place, in its form; nothing if it has no such form or stands there already."""
    form = inflect(lemma, word.tag)
    edits = () if form is None or lemma in parse.lemmas or lemma in parse.tokens else tuple(replace_word(parse, word, lemma))
    if form is not None and edits:
        yield Proposal(word.index, word.lemma, lemma, form, relation, senses, edits, is_reviewed)
