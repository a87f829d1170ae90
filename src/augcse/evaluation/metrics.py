"""Scores, in numpy, on plain arrays."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def row_cosines(left: Array, right: Array) -> Array:
    """Cosine of each pair of rows in float64; a zero vector has cosine 0 with everything. (n, dim), (n, dim) -> (n,)."""
    left, right = left.astype(np.float64), right.astype(np.float64)
    norms = np.linalg.norm(left, axis=1) * np.linalg.norm(right, axis=1)
    products: Array = np.einsum("nd,nd->n", left, right)
    cosines: Array = np.divide(products, norms, out=np.zeros_like(products), where=norms > 0)
    return cosines


def average_ranks(values: Array) -> Array:
    """Ranks from 1, ties with the mean of their ranks. (n,) -> (n,) float64."""
    _, index, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    ranks: Array = (last - (counts - 1) / 2)[index]
    return ranks


def tied(values: Array) -> int:
    """Count the values that occur more than once. (n,)."""
    _, counts = np.unique(values, return_counts=True)
    return int(counts[counts > 1].sum())


def pearson(left: Array, right: Array) -> float:
    """Pearson's correlation; 0.0 if one side is constant."""
    left, right = left - left.mean(), right - right.mean()
    scale = float(np.sqrt((left @ left) * (right @ right)))
    return float(left @ right) / scale if scale > 0 else 0.0


def spearman(left: Array, right: Array) -> float:
    """Spearman's rank correlation: Pearson's over average ranks; 0.0 if one side is constant."""
    return pearson(average_ranks(np.asarray(left)), average_ranks(np.asarray(right)))
