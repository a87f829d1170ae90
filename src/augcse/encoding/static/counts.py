"""Counts of tokens and of co-occurrences."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.static.tokens import TokenizedSentences

Array = npt.NDArray[Any]
# Tokens per chunk: the working arrays of all distances have some hundred megabytes.
_CHUNK_TOKENS = 1_000_000


def token_counts(sentences: TokenizedSentences, vocabulary_size: int) -> Array:
    """Return the count of each token: (vocabulary,) int64."""
    counts = np.zeros(vocabulary_size, dtype=np.int64)
    for chunk in sentences.chunks(_CHUNK_TOKENS):
        counts += np.bincount(chunk.ids, minlength=vocabulary_size)
    return counts


def most_frequent(counts: Array, number: int) -> Array:
    """Return the most frequent tokens that occur, at most `number`; ties are broken by the smaller id."""
    order = np.argsort(-counts, kind="stable")[:number]
    return order[counts[order] > 0]


def cooccurrence(
    sentences: TokenizedSentences,
    tokens: Array,
    contexts: int,
    window: int,
    vocabulary_size: int,
    advance: Callable[[int], None] = lambda count: None,
) -> Array:
    """Count how often each context occurs within `window` tokens of each token, on either side, in the same sentence.

    Args:
        sentences: where pairs are counted. Tokens that are not counted still count as distance.
        tokens: (n,) the distinct tokens to count.
        contexts: how many of these, from the first on, are contexts too.
        window: the largest distance, in tokens.
        vocabulary_size: of the token numbers.
        advance: receives numbers of further sentences.

    Returns:
        (n, contexts) uint32, or fewer columns if there are fewer tokens.
    """
    table = np.zeros((len(tokens), min(contexts, len(tokens))), dtype=np.uint32)
    # Tokens that are not counted have the index after the last one.
    index_of = np.full(vocabulary_size, len(tokens), dtype=np.uint32)
    index_of[tokens] = np.arange(len(tokens), dtype=np.uint32)
    for chunk in sentences.chunks(_CHUNK_TOKENS):
        _count_pairs(table, index_of[chunk.ids], chunk.lengths, window)
        advance(len(chunk))
    # Each pair was counted once, in the row of its later token; a pair of two contexts belongs to both rows.
    square = table[: table.shape[1]]
    square += square.T.copy()
    return table


def _count_pairs(table: Array, index: Array, lengths: Array, window: int) -> None:
    """Add 1 for each pair of a chunk at (the larger index, the smaller one), if the smaller is a context.

    Cells are sorted first, since additions in random order would wait for memory.
    """
    sentence = np.repeat(np.arange(len(lengths), dtype=np.uint32), lengths)
    number, width = table.shape
    cells = []
    for distance in range(1, min(window, len(index) - 1) + 1):
        left, right = index[:-distance], index[distance:]
        smaller, larger = np.minimum(left, right), np.maximum(left, right)
        chosen = (sentence[distance:] == sentence[:-distance]) & (smaller < width) & (larger < number)
        cells.append(larger[chosen].astype(_cell_type(table)) * width + smaller[chosen])
    if not cells:
        return
    ordered = np.sort(np.concatenate(cells))
    first = np.flatnonzero(np.concatenate([[True], ordered[1:] != ordered[:-1]])) if len(ordered) else np.empty(0, dtype=np.int64)
    table.reshape(-1)[ordered[first]] += np.diff(np.append(first, len(ordered))).astype(np.uint32)


def _cell_type(table: Array) -> np.dtype[Any]:
    return np.dtype(np.uint32 if table.size < 2**32 else np.uint64)
