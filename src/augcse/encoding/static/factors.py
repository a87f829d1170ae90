"""Vectors of tokens from their co-occurrence: positive pointwise mutual information, and its truncated singular value decomposition.

Levy and Goldberg 2014 (arXiv 1402.3722 and NIPS 2014): what word2vec factorises implicitly, factorised exactly. Levy, Goldberg and Dagan
2015: singular values to the power 0.5, without smoothing or shift unless asked for.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]
# Rows of the table that are processed at a time, in float32.
_BLOCK_ROWS = 2048
# Singular values below this share of the largest are rounding errors: their squares are computed in float32, to a millionth.
_SMALLEST_SHARE = 1e-3


def positive_mutual_information(table: Array, exponent: float = 1.0) -> Iterator[Array]:
    """Yield max(0, log(p(row, context) / (p(row) p(context)))) in blocks of rows: (block, contexts) float32.

    Args:
        table: (rows, contexts) counts; pairs that do not occur together give 0.
        exponent: of the contexts' counts before these are normalised; 0.75 is word2vec's smoothing, 1 none.
    """
    row_sums = table.sum(axis=1, dtype=np.float64)
    context_shares = table.sum(axis=0, dtype=np.float64) ** exponent
    context_shares /= max(context_shares.sum(), 1.0)
    with np.errstate(divide="ignore", invalid="ignore"):
        for start in range(0, len(table), _BLOCK_ROWS):
            block = table[start : start + _BLOCK_ROWS].astype(np.float32)
            block /= row_sums[start : start + _BLOCK_ROWS, None].astype(np.float32)
            block /= context_shares.astype(np.float32)
            # Missing pairs give 0 / 0 or log 0; both become 0.
            yield np.nan_to_num(np.maximum(np.log(block), 0.0), copy=False, nan=0.0, posinf=0.0)


def token_factors(table: Array, dim: int, *, context_exponent: float = 1.0, value_exponent: float = 0.5) -> Array:
    """Return U S^value_exponent of the table's mutual information U S V', its `dim` largest singular values: (rows, dim) float32.

    Exact up to float32, from the eigenvectors of the (contexts, contexts) Gram matrix, so that memory holds the table, that matrix and one
    block. In float64 it takes twice the time. There are fewer columns if the table has fewer directions. Each column's entry of largest
    size is positive.
    """
    from scipy.linalg import eigh

    contexts = table.shape[1]
    gram = np.zeros((contexts, contexts), dtype=np.float32)
    for block in positive_mutual_information(table, context_exponent):
        gram += block.T @ block
    first = max(contexts - dim, 0)
    squares, axes = eigh(gram, subset_by_index=(first, contexts - 1), overwrite_a=True, check_finite=False)
    values = np.sqrt(np.maximum(squares[::-1], 0.0))
    axes = axes[:, ::-1]
    kept = int((values > _SMALLEST_SHARE * max(values[0], 0.0)).sum()) if len(values) else 0
    scaled = (axes[:, :kept] * values[:kept] ** (value_exponent - 1.0)).astype(np.float32)
    blocks = [block @ scaled for block in positive_mutual_information(table, context_exponent)]
    factors = np.concatenate(blocks) if blocks else np.empty((0, kept), dtype=np.float32)
    return stable_signs(factors)


def stable_signs(columns: Array) -> Array:
    """Return columns (n, dim) whose entry of largest size is positive; the first of equals counts."""
    if not columns.size:
        return columns
    largest = np.abs(columns).argmax(axis=0)
    signs = np.sign(columns[largest, np.arange(columns.shape[1])])
    signed: Array = columns * np.where(signs == 0, 1, signs).astype(columns.dtype)
    return signed
