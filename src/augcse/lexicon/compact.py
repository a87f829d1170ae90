"""The bundled lexicon: Open English WordNet without its definitions, in one file that is mapped into memory.

Opening it computes a few cumulative sums; a word is found by binary search in the sorted lemmas, and strings are decoded
only on demand.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from augcse.lexicon.base import Lexicon, Pos, Synset, check_pos
from augcse.lexicon.layout import open_sections

_POS: dict[str, Pos] = {"noun": "n", "verb": "v", "adj": "a", "adv": "r"}
_CACHED_WORDS = 50_000


class CompactLexicon(Lexicon):
    """A lexicon file written by scripts/build_lexicon.py; a synset's key is its index in the file.

    Args:
        path: the lexicon file.

    Raises:
        UserError: no such file, another format or version, or a damaged file.
    """

    def __init__(self, path: Path) -> None:
        self._arrays = open_sections(path)
        self._text = self._arrays["lemma_text"].data
        self._text_offsets = _offsets(self._arrays["lemma_bytes"])
        self._sense_offsets = _offsets(self._arrays["lemma_senses"])
        self._member_offsets = _offsets(self._arrays["synset_members"])
        self._hypernym_offsets = _offsets(self._arrays["synset_hypernyms"])
        self._categories = bytes(self._arrays["categories"]).decode().split("\n")
        self._indices_of = lru_cache(_CACHED_WORDS)(self._search_indices)
        self.synset = lru_cache(_CACHED_WORDS)(self._read_synset)

    def __len__(self) -> int:
        return len(self._arrays["lemma_bytes"])

    def synsets(self, lemma: str, pos: Pos | None = None) -> tuple[Synset, ...]:
        """Return the meanings of a lemma, the most frequent first; those of the exact spelling before those with other capitals."""
        return tuple(dict.fromkeys(self.synset(self._synset_of(sense)) for sense in self._senses(lemma, pos)))

    def antonyms(self, lemma: str, pos: Pos, senses: int | None = None) -> tuple[str, ...]:
        """Return the words opposite to the first `senses` meanings of the lemma (None: to all)."""
        senses_with_antonym = self._arrays["antonym_sense"]
        antonyms: list[str] = []
        for sense in self._senses(lemma, pos)[:senses]:
            first, last = np.searchsorted(senses_with_antonym, [sense, sense + 1])
            antonyms += [self._word(index) for index in self._arrays["antonym_lemma"][first:last].tolist()]
        return tuple(dict.fromkeys(antonyms))

    def hypernyms(self, synset: Synset) -> tuple[Synset, ...]:
        """Return the next broader meanings."""
        first, last = self._hypernym_offsets[synset.key], self._hypernym_offsets[synset.key + 1]
        return tuple(map(self.synset, self._arrays["hypernym"][first:last].tolist()))

    def hyponyms(self, synset: Synset) -> tuple[Synset, ...]:
        """Return the next narrower meanings."""
        broader, narrower = self._hyponym_index
        first, last = np.searchsorted(broader, [synset.key, synset.key + 1])
        return tuple(map(self.synset, narrower[first:last].tolist()))

    def irregular(self, form: str, pos: Pos) -> tuple[str, ...]:
        """Return the lemmas that `form` is listed as an irregular form of."""
        check_pos(pos)
        return self._irregular.get((form.lower(), pos), ())

    def commonness(self, word: str) -> int:
        """Return how common a lemma is, from 0 to 255: 12 log2(1 + its uses in OEWN's definitions and examples)."""
        indices = [index for index in self._indices_of(word.lower()) if self._word(index) == word]
        return int(self._arrays["lemma_common"][indices[0]]) if indices else 0

    def _senses(self, lemma: str, pos: Pos | None) -> list[int]:
        """Return the senses of all spellings of the lemma, the exact one first."""
        check_pos(pos)
        indices = sorted(self._indices_of(lemma.lower()), key=lambda index: self._word(index) != lemma)
        senses = [sense for index in indices for sense in range(self._sense_offsets[index], self._sense_offsets[index + 1])]
        return [sense for sense in senses if pos is None or self.synset(self._synset_of(sense)).pos == pos]

    def _synset_of(self, sense: int) -> int:
        return int(self._arrays["sense_synset"][sense])

    def _search_indices(self, lower: str) -> tuple[int, ...]:
        """Return the indices of the lemmas that are `lower` in lower case; they are adjacent in the file."""
        count = len(self)
        first = bisect_left(range(count), lower, key=lambda index: self._word(index).lower())
        end = first
        while end < count and self._word(end).lower() == lower:
            end += 1
        return tuple(range(first, end))

    def _word(self, index: int) -> str:
        return str(self._text[self._text_offsets[index] : self._text_offsets[index + 1]], "utf-8")

    def _read_synset(self, key: int) -> Synset:
        category = self._categories[self._arrays["synset_category"][key]]
        members = self._arrays["member_lemma"][self._member_offsets[key] : self._member_offsets[key + 1]]
        return Synset(key, _POS[category.partition(".")[0]], category, tuple(map(self._word, members.tolist())))

    @cached_property
    def _hyponym_index(self) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the hypernym relation sorted by the broader synset: (broader, narrower)."""
        broader = self._arrays["hypernym"]
        narrower = np.repeat(np.arange(len(self._arrays["synset_members"])), self._arrays["synset_hypernyms"])
        order = np.argsort(broader, kind="stable")
        return broader[order], narrower[order]

    @cached_property
    def _irregular(self) -> dict[tuple[str, str], tuple[str, ...]]:
        table: dict[tuple[str, str], tuple[str, ...]] = {}
        for line in bytes(self._arrays["irregular"]).decode().splitlines():
            form, pos, lemma = line.split("\t")
            table[form, pos] = (*table.get((form, pos), ()), lemma)
        return table


def _offsets(counts: NDArray[Any]) -> NDArray[Any]:
    """Return the start offset of each item, and the end of the last one."""
    return np.concatenate([[0], np.cumsum(counts, dtype=np.int64)])
