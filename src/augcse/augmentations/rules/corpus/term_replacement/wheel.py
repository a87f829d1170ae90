"""Weighted draws from windows of a long list, with prefix sums and one binary search per draw."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]

# Sums stay exact in 64-bit integers and in the 53 random bits of one draw.
_TOTAL = 2.0**52


class Wheel:
    """Draws indices with probability proportional to their weight within any window, in O(log n) each.

    Weights are rounded to integers that sum to about 2^52, so that sums over windows are exact: a probability is off by at most 2^-52 of
    the whole list. A positive weight stays positive.
    """

    def __init__(self, weights: Array) -> None:
        total = float(weights.sum())
        steps = np.zeros(len(weights) + 1, dtype=np.int64)
        if total > 0:
            scaled = np.rint(weights * (_TOTAL / total)).astype(np.int64)
            steps[1:] = np.where(weights > 0, np.maximum(scaled, 1), 0)
        self._sums = np.cumsum(steps)

    def __len__(self) -> int:
        return len(self._sums) - 1

    def draw(self, numbers: Array, low: Array, high: Array, without: Array) -> Array:
        """Draw one index per window, `low <= index < high`; all arguments are of shape (draws,).

        Args:
            numbers: random numbers, at least 0 and less than 1.
            low: first index of each window.
            high: the index after its last.
            without: an index that is not drawn; one outside the window, such as -1, excludes nothing.

        Returns:
            The indices; -1 where all weights are 0.
        """
        sums = self._sums
        excludes = (without >= low) & (without < high)
        excluded = np.where(excludes, without, 0)
        skipped = np.where(excludes, sums[np.minimum(excluded + 1, len(self))] - sums[excluded], 0)
        total = sums[high] - sums[low] - skipped
        points = sums[low] + (numbers * total).astype(np.int64)
        # Points from the excluded index on move up by its weight.
        points += np.where(points >= sums[excluded], skipped, 0)
        return np.where(total > 0, np.searchsorted(sums, points, side="right") - 1, -1)

    def draw_one(self, number: float) -> int:
        """Draw one index of the whole list."""
        drawn = self.draw(np.array([number]), np.array([0]), np.array([len(self)]), np.array([-1]))
        return int(drawn[0])
