"""Retrofit word vectors to the synonyms of a lexicon.

Faruqui et al. 2015, "Retrofitting Word Vectors to Semantic Lexicons", equation 2, with one share for all words. Deviations: norms, which
are the weights of words in a sentence, do not change; a synonym of a word's second meaning counts half, of its third a third; inflected
words have the synonyms of their lemma.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.unit_rows import unit_rows
from augcse.lexicon.base import POS, Lexicon

Array = npt.NDArray[Any]
# The meanings of a lemma that count; later ones are rare (docs/results/choice/synonyms.jsonl).
_MEANINGS = 3
# Iterations of retrofitting, after which vectors hardly change.
_ROUNDS = 5


def synonym_weights(tokens: Sequence[str], lexicon: Lexicon) -> dict[tuple[int, int], float]:
    """Return symmetric weights of synonym pairs: the sum of 1 / (rank of the meaning) over the meanings that two tokens share.

    Args:
        tokens: the vocabulary; tokens that are not in the lexicon, such as word pieces, have no synonyms.
        lexicon: words of one synset are synonyms.

    Returns:
        Weights above 0 by (index, index), sorted, without pairs of a token with itself.
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


def retrofit(rows: Array, weights: Mapping[tuple[int, int], float], share: float) -> Array:
    """Return rows whose directions are moved, in five iterations, towards the weighted mean of their synonyms, with unchanged norms.

    u_i <- unit((1 - share) r_i + share * sum_j w_ij u_j / sum_j w_ij), r_i the given row as a unit vector. Rows of zeros are ignored.

    Args:
        rows: (n, dim).
        weights: of `synonym_weights`.
        share: from 0 (no change) to 1.

    Returns:
        (n, dim) of the type of `rows`.
    """
    from scipy.sparse import coo_array

    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    edges = [(pair, weight) for pair, weight in weights.items() if lengths[list(pair)].all()]
    if not edges or not share:
        return rows
    first, second = np.array([pair for pair, _ in edges], dtype=np.int64).T
    graph = coo_array(([weight for _, weight in edges], (first, second)), shape=(len(rows), len(rows))).tocsr()
    connected = np.flatnonzero(np.diff(graph.indptr))
    sums, graph = np.asarray(graph.sum(axis=1))[connected, None], graph[connected]
    given = unit_rows(rows, np.float32)
    directions = given.copy()
    for _ in range(_ROUNDS):
        means = (graph @ directions) / sums
        directions[connected] = unit_rows((1 - share) * given[connected] + share * means, np.float32)
    retrofitted: Array = rows.copy()
    retrofitted[connected] = directions[connected] * lengths[connected]
    return retrofitted


def _synonyms(word: str, lexicon: Lexicon) -> Iterator[tuple[str, float]]:
    """Yield the words that share a meaning with a word or its lemmas, and 1 / (rank of the meaning)."""
    for pos in POS:
        for lemma in lexicon.lemmas(word, pos):
            for rank, synset in enumerate(lexicon.synsets(lemma, pos)[:_MEANINGS], start=1):
                yield from ((member, 1.0 / rank) for member in _other_words(synset.lemmas, lemma))


def _other_words(members: Iterable[str], lemma: str) -> Iterator[str]:
    return (member.lower() for member in members if member.lower() != lemma.lower())
