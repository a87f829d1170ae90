"""Near-duplicate detection by MinHash: sentences that share most of their word pairs with an earlier one.

In scripts without spaces between words, each character counts as a word.

Broder 1997, "On the resemblance and containment of documents"; banding after Leskovec, Rajaraman, Ullman, "Mining of Massive Datasets",
chapter 3. Memory: 4 * `SIGNATURE` bytes per sentence.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.corpus.scripts import UNSPACED

Array = npt.NDArray[Any]
SIGNATURE = 32
BANDS = 8
# The multiply-shift hashes h(x) = (a x + b mod 2^64) >> 32 come from a fixed seed, so that a text always has the same signature.
_SEED = 20210917
_EMPTY = np.uint32(0xFFFFFFFF)
_WORD = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])\S)+")


def signatures(sentences: Sequence[str]) -> Array:
    """Return MinHash signatures of the sentences' sets of adjacent word pairs, lower-cased. -> (sentences, SIGNATURE) uint32.

    Two signatures agree at a position with a probability equal to the Jaccard similarity of the sets.
    """
    shingles = [_shingles(sentence) for sentence in sentences]
    result = np.full((len(sentences), SIGNATURE), _EMPTY, dtype=np.uint32)
    nonempty = [index for index, pairs in enumerate(shingles) if pairs]
    if not nonempty:
        return result
    flat = np.concatenate([np.fromiter(shingles[index], dtype=np.uint64) for index in nonempty])
    starts = np.cumsum([0, *(len(shingles[index]) for index in nonempty[:-1])])
    for column, (factor, offset) in enumerate(_hash_family()):
        hashed = ((flat * factor + offset) >> np.uint64(32)).astype(np.uint32)
        result[nonempty, column] = np.minimum.reduceat(hashed, starts)
    return result


def near_duplicates(signature_rows: Array, threshold: float = 0.7) -> list[tuple[int, int]]:
    """Return (row, earlier row) for each row whose signature agrees with an earlier one's in at least `threshold` of the positions.

    Each row is compared only with the first row of each of its buckets, so later links of a chain of edits may be missed.
    signature_rows: (rows, SIGNATURE) -> pairs in order of the row.
    """
    earlier_of: dict[int, int] = {}
    width = SIGNATURE // BANDS
    for band in range(BANDS):
        keys = np.ascontiguousarray(signature_rows[:, band * width : (band + 1) * width]).view(np.dtype((np.void, 4 * width))).ravel()
        _, first, inverse = np.unique(keys, return_index=True, return_inverse=True)
        earlier = first[inverse]
        rows = np.flatnonzero(earlier < np.arange(len(signature_rows)))
        similar = (signature_rows[rows] == signature_rows[earlier[rows]]).mean(axis=1) >= threshold
        for row in rows[similar]:
            earlier_of.setdefault(int(row), int(earlier[row]))
    return sorted(earlier_of.items())


def _shingles(sentence: str) -> set[int]:
    words = [zlib.crc32(word.encode()) for word in _WORD.findall(sentence.lower())]
    if len(words) == 1:
        return set(words)
    return {left << 32 | right for left, right in pairwise(words)}


def _hash_family() -> list[tuple[np.uint64, np.uint64]]:
    generator = np.random.Generator(np.random.PCG64(_SEED))
    factors = generator.integers(1, 1 << 63, size=SIGNATURE, dtype=np.uint64) | np.uint64(1)
    offsets = generator.integers(0, 1 << 63, size=SIGNATURE, dtype=np.uint64)
    return list(zip(factors, offsets, strict=True))
