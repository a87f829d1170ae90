"""Weighted draws from a window of a long list: prefix sums and one binary search per draw."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np
import numpy.typing as npt

# Sums stay exact in 64-bit integers and in the 53 random bits of one draw.
_TOTAL = 2.0**52


class Wheel:
    """Draws places with probability proportional to their weight within any window, in O(log window).

    Weights are rounded to integers that sum to about 2^52, so that windows and what is left out of them cost no accuracy: a share is off
    by at most 2^-52 of the whole list. A positive weight stays positive.
    """

    def __init__(self, weights: npt.NDArray[Any]) -> None:
        whole = float(weights.sum())
        steps = np.zeros(len(weights) + 1, dtype=np.int64)
        if whole > 0:
            scaled = np.rint(weights * (_TOTAL / whole)).astype(np.int64)
            steps[1:] = np.where(weights > 0, np.maximum(scaled, 1), 0)
        # A view hands out Python integers, many times faster than the array does.
        self._sums = np.cumsum(steps).data

    def __len__(self) -> int:
        return len(self._sums) - 1

    def draw(self, rng: Random, low: int = 0, high: int | None = None, without: int | None = None) -> int | None:
        """Return a place in `low <= place < high` that is not `without`; None when all weights there are 0."""
        return self.draw_each(rng, [(low, len(self) if high is None else high, without)])[0]

    def draw_each(self, rng: Random, windows: Iterable[tuple[int, int, int | None]]) -> list[int | None]:
        """Draw once from each window (low, high, without), as `draw` does."""
        sums, random = self._sums, rng.random
        drawn: list[int | None] = []
        for low, high, without in windows:
            base = sums[low]
            total = sums[high] - base
            if without is None or not low <= without < high:
                point = base + int(random() * total)
            else:
                start = sums[without]
                skipped = sums[without + 1] - start
                total -= skipped
                point = base + int(random() * total)
                if point >= start:
                    point += skipped
            drawn.append(bisect_right(sums, point, low, high + 1) - 1 if total > 0 else None)
        return drawn
