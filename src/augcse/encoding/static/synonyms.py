"""Vectors of words drawn to those of their synonyms in a lexicon.

Faruqui et al. 2015, "Retrofitting Word Vectors to Semantic Lexicons", equation 2, with one share for all words. Deviations: directions
are moved and lengths stay, which hold a word's weight in a sentence; a synonym of a word's second meaning counts half, of its third a
third; inflected words take their lemma's synonyms.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.lexicon.base import POS, Lexicon

Array = npt.NDArray[Any]
# Of a lemma, so many meanings; later ones are rare (docs/results/choice/synonyms.jsonl).
_MEANINGS = 3
# Rounds of drawing; what is left to move then is small.
_ROUNDS = 5


def synonym_weights(tokens: Sequence[str], lexicon: Lexicon) -> dict[tuple[int, int], float]:
    """Return how strongly pairs of tokens are tied: the sum of 1 / (rank of the meaning) over the meanings that they share.

    Both ways alike; a pair that shares none is left out, and so is a token with itself.

    Args:
        tokens: by index; what is no word of the lexicon has no synonym, pieces of words among it.
        lexicon: whose synsets are the synonyms.

    Returns:
        by (index, index), in order.
    """
    index_of = {token: index for index, token in enumerate(tokens)}
    weights: dict[tuple[int, int], float] = defaultdict(float)
    for token, index in index_of.items():
        if token.isalpha():
            for synonym, weight in _synonyms(token, lexicon):
                other = index_of.get(synonym, index)
                if other != index:
                    weights[index, other] += weight
                    weights[other, index] += weight
    return dict(sorted(weights.items()))


def drawn_to_synonyms(rows: Array, weights: Mapping[tuple[int, int], float], share: float) -> Array:
    """Return rows turned towards the weighted mean of their synonyms' directions, five times over, at their old lengths.

    u_i <- unit((1 - share) r_i + share * sum_j w_ij u_j / sum_j w_ij), r_i the unit row as given. A row of zeros neither turns nor counts.

    Args:
        rows: (n, dim).
        weights: by (index, index), above 0.
        share: from 0 (not at all) to 1.

    Returns:
        (n, dim) of the type of `rows`.
    """
    from scipy.sparse import coo_array

    from augcse.encoding.static.factors import unit_rows

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    tied = [(pair, weight) for pair, weight in weights.items() if lengths[list(pair)].all()]
    if not tied or not share:
        return rows
    first, second = np.array([pair for pair, _ in tied], dtype=np.int64).T
    graph = coo_array(([weight for _, weight in tied], (first, second)), shape=(len(rows), len(rows))).tocsr()
    moving = np.flatnonzero(np.diff(graph.indptr))
    sums, graph = np.asarray(graph.sum(axis=1))[moving, None], graph[moving]
    given = unit_rows(rows.astype(np.float32))
    drawn = given.copy()
    for _ in range(_ROUNDS):
        means = (graph @ drawn) / sums
        drawn[moving] = unit_rows(((1 - share) * given[moving] + share * means).astype(np.float32))
    turned: Array = rows.copy()
    turned[moving] = drawn[moving] * lengths[moving]
    return turned


def _synonyms(word: str, lexicon: Lexicon) -> Iterator[tuple[str, float]]:
    """Yield the words that share a meaning with a word or its lemmas, and 1 / (rank of the meaning)."""
    for pos in POS:
        for lemma in lexicon.lemmas(word, pos):
            for rank, synset in enumerate(lexicon.synsets(lemma, pos)[:_MEANINGS], start=1):
                yield from ((member, 1.0 / rank) for member in _other_words(synset.lemmas, lemma))


def _other_words(members: Iterable[str], lemma: str) -> Iterator[str]:
    return (member.lower() for member in members if member.lower() != lemma.lower())
