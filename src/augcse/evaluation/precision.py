"""The expected precision of a correlation over a number of pairs, before any is graded."""

from __future__ import annotations

import math

# The quantile of the normal distribution for 95 %.
_Z = 1.959964


def expected_interval(correlation: float, pairs: int) -> tuple[float, float]:
    """Return the expected 95 % interval of Spearman's correlation x 100 over a number of pairs.

    Fisher's z with the standard error sqrt((1 + r^2 / 2) / (n - 3)). Bonett and Wright 2000, "Sample size requirements for estimating
    Pearson, Kendall and Spearman correlations", Psychometrika 65.

    Args:
        correlation: its expected value x 100, between -100 and 100.
        pairs: their number, 4 or more.

    >>> [round(end) for end in expected_interval(70, 100)]
    [57, 80]
    """
    share = correlation / 100
    error = math.sqrt((1 + share**2 / 2) / (pairs - 3))
    return 100 * math.tanh(math.atanh(share) - _Z * error), 100 * math.tanh(math.atanh(share) + _Z * error)
