"""Build what the judge knows of words: vectors of words and of the contexts they stand in, from open text.

    python scripts/build_word_contexts.py TEXT... [--words 24000] [--contexts 8000] [--dim 96]

Counts for every frequent word how often each of the most frequent ones stands directly before it, directly after it, and two to five
places away; takes the positive pointwise mutual information of the three tables (contexts smoothed by 0.75, Levy et al. 2015) and splits
it by a truncated singular value decomposition into rows of words and rows of contexts (Levy and Goldberg 2014), 8 bits a number. A
word's row times a context's row says how much more often than by chance they stand together, also where they never did in the text.
Writes src/augcse/augmentations/judge/word_contexts.safetensors. Same text, same bytes.
"""

from __future__ import annotations

import argparse
import lzma
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from safetensors.numpy import save_file
from scipy.sparse import coo_matrix, csr_matrix, diags, hstack

from augcse.augmentations.judge.words import NUMBER, TOKEN, WORD_CONTEXTS

_AWAY = (2, 3, 4, 5)
_CHUNK_LINES = 100_000
_SMOOTHING = 0.75
_SPARE_DIM = 16
_ROUNDS = 4


def main() -> None:
    arguments = _arguments()
    counts = Counter(token for lines in _chunks(arguments.texts) for line in lines for token in line)
    # Equal counts in the order of the alphabet, so that the same text gives the same file.
    words = [word for word, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))][: arguments.words]
    tables = count_contexts(_chunks(arguments.texts), words, arguments.contexts)
    rows, columns = split(hstack([positive_information(table) for table in tables]).tocsr(), arguments.dim)
    contexts = columns.reshape(3, arguments.contexts, arguments.dim)
    save_file(
        {
            "words": np.frombuffer("\n".join(words).encode(), np.uint8).copy(),
            "counts": np.array([counts[word] for word in words], np.uint32),
            **dict(zip(("vectors", "vector_scales"), _eight_bit(rows), strict=True)),
            **dict(zip(("contexts", "context_scales"), _eight_bit(contexts), strict=True)),
        },
        str(WORD_CONTEXTS),
    )


def count_contexts(chunks: Iterator[list[list[str]]], words: Sequence[str], contexts: int) -> list[csr_matrix]:
    """Return three tables (words, contexts): how often a context stands directly before a word, directly after it, and near it."""
    number = {word: place for place, word in enumerate(words)}
    shape = (len(words), contexts)
    tables = [csr_matrix(shape, dtype=np.float32) for _ in range(3)]
    for lines in chunks:
        # Lines are kept apart by as many strangers as the longest distance.
        gap = [-1] * max(_AWAY)
        tokens = np.array([place for line in lines for place in (*(number.get(token, -1) for token in line), *gap)])
        before, after = _pairs(tokens, 1, shape), _pairs(tokens, -1, shape)
        near = sum((_pairs(tokens, sign * away, shape) for away in _AWAY for sign in (1, -1)), csr_matrix(shape, dtype=np.float32))
        tables = [old + new for old, new in zip(tables, (before, after, near), strict=True)]
    return tables


def positive_information(table: csr_matrix) -> csr_matrix:
    """Return max(0, log p(w, c) / (p(w) p(c)^0.75)) of each pair."""
    total = table.sum()
    rows = np.asarray(table.sum(axis=1)).ravel()
    columns = np.asarray(table.sum(axis=0)).ravel() ** _SMOOTHING
    scaled = diags(1 / np.maximum(rows, 1)) @ table @ diags(1 / np.maximum(columns / columns.sum(), 1 / total))
    scaled = csr_matrix(scaled, dtype=np.float32)
    scaled.data = np.maximum(np.log(np.maximum(scaled.data, 1e-9)), 0).astype(np.float32)
    scaled.eliminate_zeros()
    return scaled


def split(matrix: csr_matrix, dim: int) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Return rows and columns (.., dim) whose products come nearest to the matrix (Halko et al. 2011, with a fixed start)."""
    start = np.random.default_rng(0).standard_normal((matrix.shape[1], dim + _SPARE_DIM)).astype(np.float32)
    basis = np.linalg.qr(matrix @ start)[0]
    for _ in range(_ROUNDS):
        basis = np.linalg.qr(matrix @ np.linalg.qr(matrix.T @ basis)[0])[0]
    left, sizes, right = np.linalg.svd((matrix.T @ basis).T, full_matrices=False)
    root = np.sqrt(sizes[:dim])
    return (basis @ left[:, :dim]) * root, right[:dim].T * root


def _pairs(tokens: NDArray[np.int64], away: int, shape: tuple[int, int]) -> csr_matrix:
    """Count the pairs of a word and the context that stands `away` places before it (after it, if negative)."""
    first, second = (tokens[away:], tokens[:-away]) if away > 0 else (tokens[:away], tokens[-away:])
    known = (first >= 0) & (second >= 0) & (second < shape[1])
    ones = np.ones(int(known.sum()), np.float32)
    return coo_matrix((ones, (first[known], second[known])), shape=shape).tocsr()


def _eight_bit(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Return the table in steps of its rows' largest number / 127, and the steps."""
    scales = np.abs(table).max(axis=-1, keepdims=True) / 127
    return np.round(table / np.maximum(scales, 1e-9)).astype(np.int8), scales.astype(np.float32)


def _chunks(paths: Sequence[Path]) -> Iterator[list[list[str]]]:
    chunk: list[list[str]] = []
    for path in paths:
        with lzma.open(path, "rt", encoding="utf-8") as lines:
            for line in lines:
                chunk.append([NUMBER if token[0].isdigit() else token for token in re.findall(TOKEN, line.lower())])
                if len(chunk) == _CHUNK_LINES:
                    yield chunk
                    chunk = []
    yield chunk


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("texts", type=Path, nargs="+", help=".xz, a sentence or a paragraph per line")
    parser.add_argument("--words", type=int, default=24_000)
    parser.add_argument("--contexts", type=int, default=8_000)
    parser.add_argument("--dim", type=int, default=96)
    return parser.parse_args()


if __name__ == "__main__":
    main()
