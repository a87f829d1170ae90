"""Vectors of tokens from their letters alone: n-grams, each with a random vector of its own.

Bojanowski et al. 2017 (arXiv 1607.04606): a word as the sum of its n-grams' vectors, hashed into buckets. Here these are not trained:
random ones are nearly orthogonal to each other, so that two tokens' cosine is about their share of common n-grams, and a sentence's
mean represents which words it contains, while vectors from co-occurrence represent their topics.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from zlib import crc32

import numpy as np
import numpy.typing as npt

from augcse.encoding.unit_rows import unit_rows

Array = npt.NDArray[Any]
_SIZES = (3, 4, 5)
_BUCKETS = 1 << 16
_SEED = 0
# How tokenizers mark a piece inside a word (WordPiece), and one at a word's start (byte-level BPE, SentencePiece).
_INSIDE = "##"
_STARTS = "Ġ▁"


def letter_rows(tokens: Sequence[str], dim: int) -> Array:
    """Return the unit mean of the random vectors of each token's n-grams: (tokens, dim) float32; the same for the same tokens."""
    from scipy.sparse import csr_matrix

    buckets = [[crc32(gram.encode("utf-8", "surrogatepass")) % _BUCKETS for gram in letter_ngrams(token)] for token in tokens]
    offsets = np.concatenate([[0], np.cumsum([len(one) for one in buckets], dtype=np.int64)])
    columns = np.array([bucket for one in buckets for bucket in one], dtype=np.int32)
    matrix = csr_matrix((np.ones(len(columns), dtype=np.float32), columns, offsets), shape=(len(tokens), _BUCKETS))
    random = np.random.default_rng(_SEED).standard_normal((_BUCKETS, dim), dtype=np.float32)
    return unit_rows(matrix @ random, np.float32)


def letter_ngrams(token: str) -> list[str]:
    """Return a token's runs of 3, 4 and 5 letters, with its start marked; the token itself for each size that it is too short for.

    >>> letter_ngrams("mill")
    ['<mi', 'mil', 'ill', '<mil', 'mill', '<mill']
    >>> letter_ngrams("##s")
    ['s', 's', 's']
    """
    letters = token.removeprefix(_INSIDE) if token.startswith(_INSIDE) else f"<{token.lstrip(_STARTS)}"
    return [letters[start : start + size] for size in _SIZES for start in range(max(len(letters) - size + 1, 1))]
