"""Distribution of cosines within each grade of human similarity (DiffCSE section 6.3, figure 2; SimCSE figure 3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.errors import UserError

Array = npt.NDArray[Any]
QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)


@dataclass(frozen=True)
class RatingGroup:
    """The cosines of the pairs graded within [low, high), the last group also at its upper edge.

    Attributes:
        low: lower edge of the grades.
        high: upper edge of the grades.
        pairs: number of pairs.
        mean: of the cosines; None for an empty group.
        quantiles: at 5, 25, 50, 75 and 95 %; empty for an empty group.
        density: histogram of the cosines over `bin_edges`, integrating to 1; all zeros for an empty group.
        bin_edges: the same for all groups.
    """

    low: float
    high: float
    pairs: int
    mean: float | None
    quantiles: tuple[float, ...]
    density: tuple[float, ...]
    bin_edges: tuple[float, ...]


def rating_groups(cosines: Array, grades: Array, groups: int = 5, low: float = 0.0, high: float = 5.0, bins: int = 40) -> list[RatingGroup]:
    """Split pairs by grade into equal steps and describe the cosines of each group, lowest grades first.

    The papers name five groups and no edges; here they are [0, 1), [1, 2), ..., [4, 5].

    Args:
        cosines: (pairs,).
        grades: (pairs,), from `low` to `high`.
        groups: number of steps.
        low: lowest grade.
        high: highest grade.
        bins: of the histograms, from the lowest cosine to the highest.

    Raises:
        UserError: a grade outside the range.
    """
    if grades.min() < low or grades.max() > high:
        raise UserError(f"grades run from {grades.min():g} to {grades.max():g}, outside {low:g} to {high:g}")
    edges = np.linspace(low, high, groups + 1)
    group_of = np.minimum(np.searchsorted(edges, grades, side="right") - 1, groups - 1)
    # A small margin, so that the histogram includes the extremes even if all cosines are equal.
    bin_edges = np.linspace(cosines.min() - 1e-6, cosines.max() + 1e-6, bins + 1)
    return [_describe(cosines[group_of == index], edges[index], edges[index + 1], bin_edges) for index in range(groups)]


def _describe(cosines: Array, low: float, high: float, bin_edges: Array) -> RatingGroup:
    """Return one group, given its cosines and its range of grades."""
    empty = len(cosines) == 0
    counts = np.histogram(cosines, bin_edges)[0]
    density = counts / max(len(cosines), 1) / np.diff(bin_edges)
    quantiles = () if empty else np.quantile(cosines, QUANTILES).tolist()
    return RatingGroup(
        low=float(low),
        high=float(high),
        pairs=len(cosines),
        mean=None if empty else float(cosines.mean()),
        quantiles=tuple(quantiles),
        density=tuple(density.tolist()),
        bin_edges=tuple(bin_edges.tolist()),
    )
