"""Whitening: embeddings rotated and scaled so that their covariance is the identity (Su et al. 2021, arXiv 2103.15316).

x -> (x - mean) U S^(-exponent/2), with the covariance U S U' of the given embeddings, truncated to the directions of largest variance.
The paper's exponent is 1. A smaller exponent equalises the variances less; with 0 the embeddings are only centred and rotated.

The covariance of few sentences is a poor estimate: with fewer sentences than dimensions it is singular, and its small eigenvalues are
far too small. It is therefore shrunk towards a multiple of the identity, by a share estimated from the same sentences ("oracle
approximating shrinkage": Chen, Wiesel, Eldar and Hero 2010, arXiv 0907.4698). docs/postprocess.md has the measurement behind this
choice.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.errors import UserError

Array = npt.NDArray[Any]
# Directions with less than this share of the largest variance are rounding errors of float32 embeddings.
_SMALLEST_SHARE = 1e-9


def whitening_transform(embeddings: Array, dim: int | None = None, exponent: float = 1.0, shrinkage: float = 0.0) -> tuple[Array, Array]:
    """Return (weight, bias) such that `embeddings @ weight.T + bias` has mean 0 and variances s^(1 - exponent), s the variances before.

    Args:
        embeddings: (n, dim in).
        dim: number of directions of largest variance to keep; None keeps all with nonzero variance. The paper keeps 256 of 768.
        exponent: 0 leaves the variances as they are, 1 makes them all 1.
        shrinkage: share of the mean variance mixed into each (`oracle_approximating_shrinkage`). Above 0, more directions than the
            sentences span can be kept.

    Returns:
        weight: (dim, dim in); the entry of largest magnitude in each row is positive, for stable signs.
        bias: (dim,).

    Raises:
        UserError: embeddings are not finite, or vary in fewer directions than requested.
    """
    rows = np.asarray(embeddings, dtype=np.float64)
    if not np.isfinite(rows).all():
        raise UserError("the model gives embeddings that are not finite (NaN or infinity); they cannot be whitened")
    mean = rows.mean(axis=0)
    few = len(rows) <= rows.shape[1]
    variances, columns = np.linalg.eigh(_covariance(rows))
    variances, axes = np.maximum(variances[::-1], 0.0), columns.T[::-1]
    usable = int((variances > _SMALLEST_SHARE * variances[0]).sum()) if variances[0] > 0 else 0
    if few and shrinkage > 0 and usable:
        usable = len(axes)
    wanted = usable if dim is None else dim
    if not 1 <= wanted <= usable:
        raise UserError(
            f"cannot whiten to {wanted} dimensions: {len(rows):,} sentences vary in {usable} of {rows.shape[1]} directions;"
            " give more sentences or fewer dimensions"
        )
    variances = (1 - shrinkage) * variances + shrinkage * variances.mean()
    axes = axes[:wanted]
    largest = np.abs(axes).argmax(axis=1)
    axes = axes * np.sign(axes[np.arange(wanted), largest])[:, None]
    weight = axes * (variances[:wanted] ** (-exponent / 2))[:, None]
    return weight, -weight @ mean


def oracle_approximating_shrinkage(embeddings: Array) -> float:
    """Return the share of the identity in the estimate of Chen et al. (equation 23), from 0 to 1. (n, dim) -> ().

    min(1, ((1 - 2 / dim) tr S^2 + tr(S)^2) / ((n + 1 - 2 / dim) (tr S^2 - tr(S)^2 / dim))), S the covariance of the n embeddings.
    """
    rows = np.asarray(embeddings, dtype=np.float64)
    count, dim = rows.shape
    covariance = _covariance(rows)
    squares, trace_squared = float((covariance**2).sum()), float(np.trace(covariance)) ** 2
    numerator = (1 - 2 / dim) * squares + trace_squared
    denominator = (count + 1 - 2 / dim) * (squares - trace_squared / dim)
    return min(1.0, numerator / denominator) if denominator > 0 else 1.0


def _covariance(rows: Array) -> Array:
    """Return the rows' covariance. (n, dim) -> (dim, dim)."""
    centred = rows - rows.mean(axis=0)
    covariance: Array = centred.T @ centred / len(rows)
    return covariance
