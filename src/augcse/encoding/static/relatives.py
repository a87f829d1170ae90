"""Move the vectors of related words, i.e. inflected and derived forms with a common prefix, towards each other.

A rare form occurs in few sentences, other forms of its lemma in more. Related words are found without a lexicon, by spelling and cosine
(`docs/results/static.md` compares the two).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.unit_rows import unit_rows

Array = npt.NDArray[Any]
# Related words share a prefix of at least this many letters and half of the longer word, followed by at most this many others.
_MIN_PREFIX = 3
_MAX_ENDING = 4
# Words count as related if the cosine of their vectors is above this.
MIN_COSINE = 0.3
# Pairs per matrix operation.
_CHUNK_PAIRS = 100_000


def pairs_with_common_prefix(words: Sequence[str]) -> Array:
    """Return the pairs of words with a common prefix of at least 3 letters and half of each word, followed by at most 4 letters.

    Tokens with other characters than letters, such as word pieces, are ignored.

    >>> pairs_with_common_prefix(["run", "runs", "runner", "under"]).tolist()
    [[0, 1], [0, 2], [1, 2]]

    Returns:
        (pairs, 2) int64, indices into `words`, the smaller first, in order, each pair once.
    """
    by_prefix: dict[str, list[int]] = defaultdict(list)
    for index, word in enumerate(words):
        if word.isalpha():
            for length in range(max(_MIN_PREFIX, len(word) - _MAX_ENDING, (len(word) + 1) // 2), len(word) + 1):
                by_prefix[word[:length]].append(index)
    pairs = {pair for indices in by_prefix.values() for pair in combinations(indices, 2)}
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def move_together(rows: Array, counts: Array, pairs: Array, share: float, min_cosine: float = MIN_COSINE) -> Array:
    """Return rows moved towards the mean of themselves and their related rows, weighted by the square roots of counts, as unit rows.

    Args:
        rows: (n, dim), unit or zero rows.
        counts: (n,) occurrences; rows with count 0 are not related to any.
        pairs: (pairs, 2) indices of candidates, which are related if their cosine is above `min_cosine`.
        share: from 0 (no change) to 1 (the mean).
        min_cosine: see `pairs`.

    Returns:
        (n, dim) of the type of `rows`, unit or zero rows.
    """
    from scipy.sparse import coo_array, diags_array

    similar = np.concatenate(
        [np.einsum("nd,nd->n", *rows[chunk.T]) > min_cosine for chunk in np.array_split(pairs, len(pairs) // _CHUNK_PAIRS + 1)]
    )
    related = pairs[similar & (counts[pairs] > 0).all(axis=1)]
    first, second = np.concatenate([related, related[:, ::-1]]).T
    own = np.arange(len(rows))
    weights = np.maximum(np.sqrt(counts), 1.0)
    columns = np.concatenate([second, own])
    graph = coo_array((weights[columns], (np.concatenate([first, own]), columns)), shape=(len(rows), len(rows))).tocsr()
    means = diags_array(1.0 / graph.sum(axis=1)) @ graph @ rows
    moved: Array = unit_rows((1 - share) * rows + share * means, rows.dtype)
    return moved
