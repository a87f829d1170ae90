"""Bootstrap intervals of correlations and accuracies, and the paired comparison of two models, vectorised and exact about ties.

A resample draws n pairs with replacement. It is kept as a count per pair, so its tie-averaged ranks come from running sums over values
sorted once: no resample is sorted, and the result equals ranking the drawn pairs afresh. Efron and Tibshirani 1993, chapters 13 and 16.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from augcse.errors import UserError, unknown_name

Array = npt.NDArray[Any]
Correlation = Literal["spearman", "pearson"]
# Elements of one block of counts: bounds memory to some tens of megabytes for any number of pairs.
_BLOCK = 1 << 20


@dataclass(frozen=True)
class Interval:
    """A percentile interval, in the units of the score."""

    low: float
    high: float
    level: float
    resamples: int


@dataclass(frozen=True)
class Comparison:
    """Score of the second model minus that of the first, with a percentile interval and a two-sided p value."""

    difference: float
    interval: Interval
    p_value: float


def bootstrap_interval(
    predicted: Array,
    gold: Array,
    generator: np.random.Generator,
    *,
    statistic: Correlation = "spearman",
    resamples: int = 1000,
    level: float = 0.95,
) -> Interval:
    """Return the percentile interval of a correlation x 100 over resampled pairs.

    Args:
        predicted: scores of the model, (n,).
        gold: human scores, (n,).
        generator: draws the resamples.
        statistic: "spearman" or "pearson".
        resamples: their number.
        level: share of the resamples inside the interval.
    """
    _check_settings(resamples, level)
    return percentile_interval(correlation_draws(predicted, gold, generator, resamples, statistic), level)


def correlation_draws(
    predicted: Array, gold: Array, generator: np.random.Generator, resamples: int, statistic: Correlation = "spearman"
) -> Array:
    """Return the correlation x 100 of each resample of the pairs: (resamples,). predicted, gold: (n,)."""
    correlation = _correlation_of_resamples(statistic)
    blocks = [correlation(counts, predicted, gold) for counts in resample_counts(len(gold), resamples, generator)]
    draws: Array = 100 * np.concatenate(blocks)
    return draws


def paired_draws(
    first: Array, second: Array, gold: Array, generator: np.random.Generator, resamples: int, statistic: Correlation = "spearman"
) -> tuple[float, Array]:
    """Return the second model's correlation minus the first's, x 100: on all pairs, and on each resample (resamples,)."""
    correlation = _correlation_of_resamples(statistic)

    def difference(counts: Array) -> Array:
        return 100 * (correlation(counts, second, gold) - correlation(counts, first, gold))

    on_all_pairs = difference(np.ones((1, len(gold)), dtype=np.int64))
    return float(on_all_pairs[0]), np.concatenate([difference(counts) for counts in resample_counts(len(gold), resamples, generator)])


def paired_share_draws(first: Array, second: Array, generator: np.random.Generator, resamples: int) -> tuple[float, Array]:
    """Return the second model's accuracy minus the first's, x 100: on all rows, and on each resample. first, second: (n,) truth values.

    Only the rows that exactly one model gets right count; their numbers in a resample are multinomial.
    """
    lost, gained = float(np.mean(first & ~second)), float(np.mean(second & ~first))
    counts = generator.multinomial(len(first), [lost, gained, max(0.0, 1 - lost - gained)], size=resamples)
    return 100 * (gained - lost), 100 * (counts[:, 1] - counts[:, 0]) / len(first)


def mean_draws(values: Array, generator: np.random.Generator, resamples: int) -> Array:
    """Return the mean x 100 of each resample of the rows: (resamples,). values: (n,), any numbers."""
    draws: Array = 100 * np.concatenate([counts @ values for counts in resample_counts(len(values), resamples, generator)]) / len(values)
    return draws


def compare_draws(difference: float, draws: Array, level: float = 0.95) -> Comparison:
    """Return the comparison of two models whose scores differ by `difference`, and on resamples by `draws` (resamples,).

    The p value inverts the percentile interval: twice the smaller share of resampled differences on one side of zero, zeros counting for
    both sides, (count + 1) / (resamples + 1), at most 1. So it is never 0, and two equal models have p = 1.
    """
    tail = min(int((draws <= 0).sum()), int((draws >= 0).sum()))
    return Comparison(difference, percentile_interval(draws, level), min(1.0, 2 * (tail + 1) / (len(draws) + 1)))


def resampled_spearman(counts: Array, predicted: Array, gold: Array) -> Array:
    """Spearman's correlation on each resample. counts (resamples, n) integers; predicted, gold (n,) -> (resamples,)."""
    return _weighted_pearson(counts, _resampled_ranks(counts, predicted), _resampled_ranks(counts, gold))


def resampled_pearson(counts: Array, predicted: Array, gold: Array) -> Array:
    """Pearson's correlation on each resample. counts (resamples, n) integers; predicted, gold (n,) -> (resamples,)."""
    return _weighted_pearson(counts, predicted.astype(np.float64)[None] - predicted.mean(), gold.astype(np.float64)[None] - gold.mean())


def _resampled_ranks(counts: Array, values: Array) -> Array:
    """Tie-averaged ranks of each pair within each resample. (resamples, n), (n,) -> (resamples, n)."""
    order = np.argsort(values, kind="stable")
    _, starts, group = np.unique(values[order], return_index=True, return_inverse=True)
    totals = np.add.reduceat(counts[:, order], starts, axis=1)  # (resamples, distinct values)
    rank_of_group = np.cumsum(totals, axis=1) - (totals - 1) / 2
    ranks = np.empty(counts.shape)
    ranks[:, order] = rank_of_group[:, group]
    return ranks


def _weighted_pearson(counts: Array, left: Array, right: Array) -> Array:
    """Pearson's correlation per row with whole-number weights; 0 if one side is constant, as in `metrics.pearson`."""
    total = counts.sum(axis=1, keepdims=True)
    left = left - (counts * left).sum(axis=1, keepdims=True) / total
    right = right - (counts * right).sum(axis=1, keepdims=True) / total
    spread = np.sqrt((counts * left**2).sum(axis=1) * (counts * right**2).sum(axis=1))
    products: Array = (counts * left * right).sum(axis=1)
    correlations: Array = np.divide(products, spread, out=np.zeros_like(products), where=spread > 1e-12)
    return correlations


def resample_counts(pairs: int, resamples: int, generator: np.random.Generator) -> Iterator[Array]:
    """Yield blocks of resamples as counts per drawn item (pair or row), (rows, pairs)."""
    rows = max(1, _BLOCK // pairs)
    for start in range(0, resamples, rows):
        height = min(rows, resamples - start)
        drawn = generator.integers(pairs, size=(height, pairs)) + pairs * np.arange(height)[:, None]
        yield np.bincount(drawn.ravel(), minlength=height * pairs).reshape(height, pairs)


def percentile_interval(draws: Array, level: float = 0.95) -> Interval:
    """Return the equal-tailed interval that contains the share `level` of the draws, (resamples,)."""
    low, high = np.quantile(draws, [(1 - level) / 2, (1 + level) / 2])
    return Interval(float(low), float(high), level, len(draws))


def _correlation_of_resamples(statistic: str) -> Callable[[Array, Array, Array], Array]:
    known = {"spearman": resampled_spearman, "pearson": resampled_pearson}
    if statistic not in known:
        raise unknown_name("correlation", statistic, known)
    return known[statistic]


def _check_settings(resamples: int, level: float) -> None:
    if resamples < 1:
        raise UserError(f"{resamples} resamples; a bootstrap needs at least 1, and 1000 are usual")
    if not 0 < level < 1:
        raise UserError(f"level {level}; give a share between 0 and 1, e.g. 0.95")
