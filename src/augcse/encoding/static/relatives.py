"""Vectors of words that begin alike and are alike: inflected and derived forms, where endings make them.

A rare form has few sentences to learn from; its lemma's other forms have more. What a lexicon's lemmas would draw together is found here
without one: by spelling and cosine (`docs/results/static.md` compares the two).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
# Letters at the start that related words share: at least so many, and half of the longer word; at most so many others follow.
_LEAST_SHARED = 3
_LONGEST_ENDING = 4
# The cosine of two words' vectors from which they count as related.
LEAST_COSINE = 0.3
# Pairs computed with at a time.
_CHUNK_PAIRS = 100_000


def words_that_begin_alike(words: Sequence[str]) -> Array:
    """Return the pairs of words that begin with the same letters, at least 3 and half of each, with at most 4 more after them.

    Anything that is not letters alone is no word, pieces of words among it.

    >>> words_that_begin_alike(["run", "runs", "runner", "under"]).tolist()
    [[0, 1], [0, 2], [1, 2]]

    Returns:
        (pairs, 2) int64, indices into `words`, the smaller first, in order, each pair once.
    """
    of_start: dict[str, list[int]] = defaultdict(list)
    for index, word in enumerate(words):
        if word.isalpha():
            for shared in range(max(_LEAST_SHARED, len(word) - _LONGEST_ENDING, (len(word) + 1) // 2), len(word) + 1):
                of_start[word[:shared]].append(index)
    pairs = {pair for indices in of_start.values() for pair in combinations(indices, 2)}
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def drawn_together(rows: Array, counts: Array, pairs: Array, share: float, least_cosine: float = LEAST_COSINE) -> Array:
    """Return rows moved to the mean of themselves and their related rows, each weighted by the root of its count, at their old lengths.

    Args:
        rows: (n, dim), unit or zero rows.
        counts: (n,) of occurrences; a row without any neither moves nor moves others.
        pairs: (pairs, 2) indices of rows that are related if their cosine is above `least_cosine`.
        share: how far a row moves, from 0 (not at all) to 1 (to the mean).
        least_cosine: see `pairs`.

    Returns:
        (n, dim) of the type of `rows`, unit or zero rows.
    """
    from scipy.sparse import coo_array, diags_array

    from augcse.encoding.static.factors import unit_rows

    alike = np.concatenate(
        [np.einsum("nd,nd->n", *rows[chunk.T]) > least_cosine for chunk in np.array_split(pairs, len(pairs) // _CHUNK_PAIRS + 1)]
    )
    related = pairs[alike & (counts[pairs] > 0).all(axis=1)]
    first, second = np.concatenate([related, related[:, ::-1]]).T
    itself = np.arange(len(rows))
    weights = np.maximum(np.sqrt(counts), 1.0)
    columns = np.concatenate([second, itself])
    graph = coo_array((weights[columns], (np.concatenate([first, itself]), columns)), shape=(len(rows), len(rows))).tocsr()
    means = diags_array(1.0 / graph.sum(axis=1)) @ graph @ rows
    drawn: Array = unit_rows(((1 - share) * rows + share * means).astype(rows.dtype))
    return drawn
