"""Words replaced by related ones: what the rules of synonyms, hypernyms and hyponyms share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import read_condition
from augcse.augmentations.english.words import Word, free_words, inflect, is_same_stem, replace_word
from augcse.augmentations.judge.judge import CERTAIN, Judge
from augcse.augmentations.judge.proposal import Pair, Proposal, Related, Relation
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, edited
from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import Lexicon, Pos

# Read when a word first asks for it: a run meets few of the thousands.
_condition = cache(read_condition)
WordRefusal = Refusal[[Parse, Word, Lexicon]]
# The ways in which each word of a sentence that may be replaced can be, by its index.
Ways = dict[int, list[list[Edit]]]


@dataclass(frozen=True)
class Replacement:
    """What a rule proposes, and what it leaves alone.

    Args:
        relation: what the new word is to the old one.
        pos: the parts of speech that are replaced.
        related: what the lexicon proposes.
        table: the reviewed words: part of speech, word, words in its place with "|" between them, condition (english/conditions.py). Of
            the rows of a word the first whose condition holds is taken, and no judge but "parse" asked; where none holds the word stays.
        is_related: whether a lexicon relates the word to a reviewed one.
        fits: whether the new lemma may stand in the word's place.
        refusals: what is left alone, whatever the new word.
        everywhere: whether a word that stands several times is replaced by the same one each time, or stays; else one thing would be called
            by two names.
    """

    relation: Relation
    pos: tuple[Pos, ...]
    related: Related
    table: Path
    is_related: Callable[[Word, str, Lexicon], bool]
    fits: Callable[[Parse, Word, str, Lexicon], bool]
    refusals: tuple[WordRefusal, ...]
    everywhere: bool = False

    @cached_property
    def reviewed(self) -> dict[tuple[str, str], list[tuple[tuple[str, ...], str]]]:
        """The rows of the table by part of speech and word: the new words, and their condition."""
        found: dict[tuple[str, str], list[tuple[tuple[str, ...], str]]] = {}
        for pos, word, others, condition in data_rows(self.table):
            found.setdefault((pos, word), []).append((tuple(filter(None, others.split("|"))), condition))
        return found

    def ways(self, parses: Sequence[Parse], lexicon: Lexicon, judge: Judge) -> Iterator[Ways]:
        """Yield, per sentence, the ways that the judge keeps. Edits are made of these alone, and refusals asked last, being dearer."""
        words = [{word.index: word for word in free_words(parse, lexicon, self.pos)} for parse in parses]
        proposals = [
            [Proposal(index, pair) for index, word in of.items() for pair in self._pairs(parse, word, lexicon, judge)]
            for parse, of in zip(parses, words, strict=True)
        ]
        for parse, of, kept in zip(parses, words, judge.keep(self.relation, parses, proposals), strict=True):
            yield self._written(parse, of, kept, lexicon)

    def _pairs(self, parse: Parse, word: Word, lexicon: Lexicon, judge: Judge) -> Iterable[Pair]:
        rows = self.reviewed.get((word.pos, word.lemma))
        if rows is None:
            return judge.pairs(self.relation, self.related, lexicon, word, parse.word(word.index))
        listed = next((others for others, condition in rows if _condition(condition)(parse, word.index)), ())
        formed = ((other, inflect(other, word.tag)) for other in listed if self.is_related(word, other, lexicon))
        return [Pair(other, form, CERTAIN) for other, form in formed if form is not None]

    def _written(self, parse: Parse, words: dict[int, Word], kept: list[Proposal], lexicon: Lexicon) -> Ways:
        """Return the ways by index; of a word replaced everywhere, under its first index."""
        found: dict[int, dict[str, list[Edit]]] = {}
        for index, pair in kept:
            word, lemma = words[index], pair.lemma
            if lemma in parse.lemmas or lemma in parse.tokens or not self.fits(parse, word, lemma, lexicon):
                continue
            if edits := replace_word(parse, word, lemma):
                found.setdefault(index, {})[lemma] = edits
        free = {index: ways for index, ways in found.items() if not refused(self.refusals, parse, words[index], lexicon)}
        if self.everywhere:
            free = _joined(parse, words, free)
        return {index: list(ways.values()) for index, ways in free.items() if ways}


def _joined(parse: Parse, words: dict[int, Word], found: dict[int, dict[str, list[Edit]]]) -> dict[int, dict[str, list[Edit]]]:
    """Join the edits of the places of one lemma, where all of them take the same new word."""
    joined = {}
    lemmas = [words[place].lemma if place in words else lemma.lower() for place, lemma in enumerate(parse.lemmas)]
    for index, ways in found.items():
        places = [place for place, lemma in enumerate(lemmas) if lemma == lemmas[index]]
        if places[0] == index:
            shared = [new for new in ways if all(new in found.get(place, ()) for place in places)]
            joined[index] = {new: [edit for place in places for edit in found[place][new]] for new in shared}
    return joined


def is_new(lemma: str, other: str) -> bool:
    """Tell whether a proposed lemma is one plain word, and another one."""
    return other.isalpha() and other.islower() and not is_same_stem(lemma, other)


def write_chosen(parse: Parse, rng: Random, ways: Ways, chosen: Iterable[int]) -> str | None:
    """Write the chosen words, each in one of its ways; None without any."""
    return edited(parse.text, [edit for index in chosen for edit in rng.choice(ways[index])])
