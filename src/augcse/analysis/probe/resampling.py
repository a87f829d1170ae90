"""Statistics as functions of bootstrap counts, so that the same resamples serve every statistic and model.

A statistic maps counts (resamples, n) of the n sentences to (resamples,) values; counts of 1 give its value on the sample. For pair
statistics too, sentences are resampled; pairs of a sentence with itself, which arise when it is drawn twice, are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.evaluation.bootstrap import resampled_spearman

Array = npt.NDArray[Any]
Statistic = Callable[[Array], Array]
_BLOCK_ROWS = 1024


def mean_of(values: Array) -> Statistic:
    """Mean over the sentences that have a value. values: (n,), NaN for the others."""
    present = np.isfinite(values)
    filled = np.where(present, values, 0.0)

    def statistic(counts: Array) -> Array:
        total = (counts @ present).astype(np.float64)
        mean: Array = np.divide(counts @ filled, total, out=np.full(len(counts), np.nan), where=total > 0)
        return mean

    return statistic


def mean_over(statistics: Sequence[Statistic]) -> Statistic:
    """Mean of several statistics; in each resample, those without a value are left out."""
    return lambda counts: np.nanmean([statistic(counts) for statistic in statistics], axis=0)


def pair_mean(unit: Array, kernel: Callable[[Array], Array]) -> Statistic:
    """Mean of kernel(cosine) over all pairs of different sentences. unit: (n, dim), rows of length 1 or 0."""

    def statistic(counts: Array) -> Array:
        drawn = counts.astype(np.float64)
        total = np.zeros(len(drawn))
        for start in range(0, len(unit), _BLOCK_ROWS):
            values = kernel(unit @ unit[start : start + _BLOCK_ROWS].T)  # (n, block)
            diagonal = np.arange(values.shape[1])
            values[start + diagonal, diagonal] = 0.0
            total += np.einsum("rb,rb->r", drawn @ values, drawn[:, start : start + _BLOCK_ROWS])
        mean: Array = total / (drawn.sum(axis=1) ** 2 - (drawn**2).sum(axis=1))
        return mean

    return statistic


def rank_correlation(left: Array, right: Array) -> Statistic:
    """Spearman's correlation over sentences. left, right: (n,)."""
    return lambda counts: resampled_spearman(counts, left, right)


def transformed(statistic: Statistic, function: Callable[[Array], Array]) -> Statistic:
    """Apply a function to the values of a statistic."""
    return lambda counts: function(statistic(counts))
