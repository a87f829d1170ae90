"""The terms of many sentences in flat arrays, so that weights and draws take a few array operations, not a call per term."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.augmentations.rules.corpus.term_replacement.statistics import TermStatistics
from augcse.augmentations.rules.corpus.term_replacement.terms import lower_terms
from augcse.augmentations.rules.corpus.term_replacement.wheel import Wheel
from augcse.augmentations.rules.corpus.term_replacement.words import replace_terms, replaceable_terms

Array = npt.NDArray[Any]


class TermBatch:
    """Sentences that have terms. An index counts the terms of all sentences, one sentence after the other.

    Attributes:
        pieces: per sentence, as `split_terms` gives them.
        texts: per term, the term in lower case.
        rows: per term, the number of its sentence.
        starts: per sentence, the index of its first term.
        ranks: per term, its rank in the corpus, -1 for an unknown one.
        weights: per term, its tf-idf in its sentence (Eq. 2 of UNA).
        words: per term, whether it is a word that another may replace, not a mark.
    """

    def __init__(self, pieces: list[list[str]], rngs: Sequence[Random], statistics: TermStatistics) -> None:
        self.pieces, self.rngs, self.statistics = pieces, rngs, statistics
        texts = list(map(lower_terms, pieces))
        self.lengths = np.fromiter(map(len, texts), dtype=np.int64, count=len(texts))
        self.starts = np.cumsum(self.lengths) - self.lengths
        self.rows = np.repeat(np.arange(len(texts)), self.lengths)
        self.texts = list(chain.from_iterable(texts))
        self.ranks, numbers = statistics.number(self.texts)
        _, indices, counts = np.unique(self.rows * (len(statistics) + len(self.texts)) + numbers, return_inverse=True, return_counts=True)
        self.weights = np.log1p(counts[indices] / self.lengths[self.rows]) * statistics.idf(self.ranks)
        self.words = np.fromiter(chain.from_iterable(map(replaceable_terms, pieces)), dtype=np.bool_, count=len(self.texts))

    def greatest(self, values: Array) -> Array:
        """Return, per term, the largest value in its sentence."""
        return np.maximum.reduceat(values, self.starts)[self.rows]

    def mean(self, values: Array) -> Array:
        """Return, per term, the mean value in its sentence."""
        return (np.add.reduceat(values, self.starts) / self.lengths)[self.rows]

    def first(self, marked: Array) -> Array:
        """Return, per term, whether it is the first marked one of its sentence."""
        indices = np.flatnonzero(marked)
        _, firsts = np.unique(self.rows[indices], return_index=True)
        is_first = np.zeros(len(marked), dtype=np.bool_)
        is_first[indices[firsts]] = True
        return is_first

    def telling(self, beta: float, allowed: Array | None = None) -> Array:
        """Return UNA's probabilities per term (Eq. 3 and 4), 1 for the largest weight; 0 where not allowed, or if all weights are equal."""
        if allowed is None:
            allowed = np.ones(len(self.texts), dtype=np.bool_)
        excess = self.weights - np.minimum.reduceat(self.weights, self.starts)[self.rows]
        mean = self.mean(excess)
        shares = np.divide(beta * excess, mean, out=np.zeros(len(excess)), where=mean > 0)
        candidates = np.where(allowed, self.weights, -1.0)
        shares[self.first(candidates == self.greatest(candidates))] = 1.0
        return np.where(allowed & (mean > 0), shares, 0.0)

    def little(self, rate: float) -> Array:
        """Return UDA's probabilities per term, 0 for marks and in sentences whose weights are all equal."""
        deficit = self.greatest(self.weights) - self.weights
        mean = self.mean(deficit)
        shares: Array = np.divide(rate * deficit, mean, out=np.zeros(len(deficit)), where=self.words & (mean > 0))
        return shares

    def draw_indices(self, shares: Array) -> Array:
        """Return the indices of terms drawn with these probabilities; each term takes one random number from its sentence's stream."""
        numbers = [rng.random() for rng, length in zip(self.rngs, self.lengths.tolist(), strict=True) for _ in range(length)]
        return np.flatnonzero(np.array(numbers) < shares)

    def one_word_where_none(self, chosen: Array) -> Array:
        """Add to the chosen terms one random word of each sentence of which none is chosen."""
        has_none = np.ones(len(self.pieces), dtype=np.bool_)
        has_none[self.rows[chosen]] = False
        added: list[int] = []
        for row in np.flatnonzero(has_none).tolist():
            start = int(self.starts[row])
            words = np.flatnonzero(self.words[start : start + int(self.lengths[row])])
            if len(words):
                added.append(start + int(words[int(self.rngs[row].random() * len(words))]))
        return np.sort(np.concatenate([chosen, np.array(added, dtype=np.int64)]))

    def draw_terms(
        self, indices: Array, wheels: Sequence[Wheel], radius: int | None = None, exclude_self: bool = True
    ) -> list[dict[int, str]]:
        """Draw a new term for each index from the first wheel with one in the window; return them per sentence, by the old term's number.

        The window is `radius` ranks to either side of the term's rank; for an unknown term, of the rank that its weight would have.
        None: all ranks.
        """
        ranks, size = self.ranks[indices], len(self.statistics)
        low, high = np.zeros(len(indices), dtype=np.int64), np.full(len(indices), size, dtype=np.int64)
        if radius is not None:
            centre = np.where(ranks < 0, self.statistics.insertion_ranks(self.weights[indices]), ranks)
            low, high = np.maximum(centre - radius, 0), np.minimum(centre + radius + 1, size)
        without = ranks if exclude_self else np.full(len(indices), -1, dtype=np.int64)
        rows = self.rows[indices]
        random_numbers = np.array([self.rngs[row].random() for row in rows.tolist()])
        drawn = np.full(len(indices), -1, dtype=np.int64)
        for wheel in wheels:
            undrawn = drawn < 0
            drawn[undrawn] = wheel.draw(random_numbers[undrawn], low[undrawn], high[undrawn], without[undrawn])
        new: list[dict[int, str]] = [{} for _ in self.pieces]
        for row, number, rank in zip(rows.tolist(), (indices - self.starts[rows]).tolist(), drawn.tolist(), strict=True):
            if rank >= 0:
                new[row][number] = self.statistics.term(rank)
        return new

    def write(self, new: Sequence[dict[int, str]]) -> list[str | None]:
        """Write the new terms into the sentences; None for a sentence without new terms."""
        return [replace_terms(pieces, words) if words else None for pieces, words in zip(self.pieces, new, strict=True)]
