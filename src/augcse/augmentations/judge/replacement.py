"""Words replaced by related ones: the common part of the rules for synonyms, hypernyms and hyponyms."""

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

# The tables have thousands of conditions, of which a run needs few: each is read at its first use.
_condition = cache(read_condition)
WordRefusal = Refusal[[Parse, Word, Lexicon]]
# For each word of a sentence that can be replaced, by its index, the alternative lists of edits.
Ways = dict[int, list[list[Edit]]]


@dataclass(frozen=True)
class Replacement:
    """What a rule proposes, and what it leaves alone.

    Args:
        relation: what the new word is to the old one.
        pos: the parts of speech that are replaced.
        related: what the lexicon proposes.
        table: the reviewed words: part of speech, word, its replacements separated by "|", condition (english/conditions.py). The first
            row of the word whose condition holds is used, and only the judge "parse" is asked; if none holds, the word stays.
        is_related: whether a lexicon relates the word to a reviewed one.
        fits: whether the new lemma may take the word's place.
        refusals: what is left alone, whatever the new word.
        everywhere: whether a word that occurs several times is replaced by the same one each time, or stays; else one thing would have two
            names.
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
        rows_of: dict[tuple[str, str], list[tuple[tuple[str, ...], str]]] = {}
        for pos, word, others, condition in data_rows(self.table):
            rows_of.setdefault((pos, word), []).append((tuple(filter(None, others.split("|"))), condition))
        return rows_of

    def ways(self, parses: Sequence[Parse], lexicon: Lexicon, judge: Judge) -> Iterator[Ways]:
        """Yield, per sentence, the ways that the judge keeps. Refusals are tested last, since they are more expensive."""
        words = [{word.index: word for word in free_words(parse, lexicon, self.pos)} for parse in parses]
        proposals = [
            [Proposal(index, pair) for index, word in of_sentence.items() for pair in self._pairs(parse, word, lexicon, judge)]
            for parse, of_sentence in zip(parses, words, strict=True)
        ]
        for parse, of_sentence, kept in zip(parses, words, judge.keep(self.relation, parses, proposals), strict=True):
            yield self._edits_by_index(parse, of_sentence, kept, lexicon)

    def _pairs(self, parse: Parse, word: Word, lexicon: Lexicon, judge: Judge) -> Iterable[Pair]:
        """Return the reviewed words for a word in its place; for a word without reviewed ones, the judge's."""
        rows = self.reviewed.get((word.pos, word.lemma))
        if rows is None:
            return judge.pairs(self.relation, self.related, lexicon, word, parse.word(word.index))
        listed = next((others for others, condition in rows if _condition(condition)(parse, word.index)), ())
        forms = ((other, inflect(other, word.tag)) for other in listed if self.is_related(word, other, lexicon))
        return [Pair(other, form, CERTAIN) for other, form in forms if form is not None]

    def _edits_by_index(self, parse: Parse, words: dict[int, Word], kept: list[Proposal], lexicon: Lexicon) -> Ways:
        """Return the ways by index; for a word that is replaced everywhere, under its first index."""
        fitting: dict[int, dict[str, list[Edit]]] = {}
        for index, pair in kept:
            word, lemma = words[index], pair.lemma
            if lemma in parse.lemmas or lemma in parse.tokens or not self.fits(parse, word, lemma, lexicon):
                continue
            if edits := replace_word(parse, word, lemma):
                fitting.setdefault(index, {})[lemma] = edits
        free = {index: ways for index, ways in fitting.items() if not refused(self.refusals, parse, words[index], lexicon)}
        if self.everywhere:
            free = _joined(parse, words, free)
        return {index: list(ways.values()) for index, ways in free.items() if ways}


def _joined(parse: Parse, words: dict[int, Word], ways_at: dict[int, dict[str, list[Edit]]]) -> dict[int, dict[str, list[Edit]]]:
    """Join the edits at all places of a lemma, for the new words that can replace it at each of them."""
    joined = {}
    lemmas = [words[place].lemma if place in words else lemma.lower() for place, lemma in enumerate(parse.lemmas)]
    for index, ways in ways_at.items():
        places = [place for place, lemma in enumerate(lemmas) if lemma == lemmas[index]]
        if places[0] == index:
            shared = [new for new in ways if all(new in ways_at.get(place, ()) for place in places)]
            joined[index] = {new: [edit for place in places for edit in ways_at[place][new]] for new in shared}
    return joined


def is_new(lemma: str, other: str) -> bool:
    """Return whether a proposed lemma is a single plain word with another stem than the old one."""
    return other.isalpha() and other.islower() and not is_same_stem(lemma, other)


def write_chosen(parse: Parse, rng: Random, ways: Ways, chosen: Iterable[int]) -> str | None:
    """Write the words with the chosen indices, each in a random one of its ways; None if none is chosen."""
    return edited(parse.text, [edit for index in chosen for edit in rng.choice(ways[index])])
