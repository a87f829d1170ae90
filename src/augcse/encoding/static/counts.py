"""How often tokens occur, and how often beside one another."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.static.tokens import TokenizedSentences

Array = npt.NDArray[Any]
# Tokens taken at a time: the working arrays of one distance have some tens of megabytes.
_CHUNK_TOKENS = 1_000_000


def token_counts(sentences: TokenizedSentences, vocabulary_size: int) -> Array:
    """Return how often each token occurs: (vocabulary,) int64."""
    counts = np.zeros(vocabulary_size, dtype=np.int64)
    for chunk in sentences.chunks(_CHUNK_TOKENS):
        counts += np.bincount(chunk.ids, minlength=vocabulary_size)
    return counts


def most_frequent(counts: Array, number: int) -> Array:
    """Return the tokens that occur most often, at most `number`, none that does not occur; of equals the smaller number first."""
    order = np.argsort(-counts, kind="stable")[:number]
    return order[counts[order] > 0]


def cooccurrence(sentences: TokenizedSentences, rows: Array, contexts: Array, window: int, vocabulary_size: int) -> Array:
    """Count how often each of `contexts` stands within `window` tokens of each of `rows`, on either side, in the same sentence.

    Args:
        sentences: what is counted over.
        rows: (n,) distinct tokens.
        contexts: (m,) distinct tokens.
        window: the largest distance, in tokens.
        vocabulary_size: of the token numbers.

    Returns:
        (n, m) uint32.
    """
    table = np.zeros((len(rows), len(contexts)), dtype=np.uint32)
    row_of = _positions(rows, vocabulary_size)
    column_of = _positions(contexts, vocabulary_size)
    for chunk in sentences.chunks(_CHUNK_TOKENS):
        sentence = np.repeat(np.arange(len(chunk)), np.diff(chunk.offsets))
        row, column = row_of[chunk.ids], column_of[chunk.ids]
        for distance in range(1, min(window, len(row) - 1) + 1):
            together = sentence[distance:] == sentence[:-distance]
            _add_pairs(table, row[:-distance], column[distance:], together)
            _add_pairs(table, row[distance:], column[:-distance], together)
    return table


def _add_pairs(table: Array, row: Array, column: Array, together: Array) -> None:
    chosen = together & (row >= 0) & (column >= 0)
    np.add.at(table.reshape(-1), row[chosen] * table.shape[1] + column[chosen], 1)


def _positions(tokens: Array, vocabulary_size: int) -> Array:
    """Return where each token of the vocabulary stands among `tokens`, -1 where it does not."""
    positions = np.full(vocabulary_size, -1, dtype=np.int64)
    positions[tokens] = np.arange(len(tokens))
    return positions
