"""How alike originals and their augmentations are under an encoder: pair by pair, beside pairs of chance, and as two clouds of points."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.evaluation.bootstrap import Interval, percentile_interval, resample_counts
from augcse.evaluation.tasks.retrieval import unit_rows

Array = npt.NDArray[Any]
# AugCSE's code takes the cosines of blocks of so many rows.
REPO_BLOCK = 256
_RESAMPLES = 1000


@dataclass(frozen=True)
class Similarity:
    """Mean cosines: of an original with its own augmentation, and of pairs of different rows.

    Attributes:
        own_pair: of an original and what was made of it.
        random_pair: of an original and what was made of another.
        originals: of two originals.
        augmented: of two augmentations.
    """

    own_pair: float
    random_pair: float
    originals: float
    augmented: float


def similarity(originals: Array, augmented: Array, block: int | None = None) -> Similarity:
    """Return the mean cosines of rows. originals, augmented: (n, dim), n >= 2, row i of one made of row i of the other.

    Args:
        originals: embeddings, of any length but 0.
        augmented: embeddings of the augmentations.
        block: None takes all pairs of different rows; `REPO_BLOCK` the pairs inside blocks of so many rows, and the mean of the blocks'
            means, the last block counting as the others, as AugCSE's code does. There a block of one row has no pair and is left out.
    """
    left, right = unit_rows(originals), unit_rows(augmented)
    size = block or len(left)
    parts = [(left[start : start + size], right[start : start + size]) for start in range(0, len(left), size)]
    own = [float((one * other).sum(axis=1).mean()) for one, other in parts]
    several = [part for part in parts if len(part[0]) > 1]
    return Similarity(
        own_pair=float(np.mean(own)),
        random_pair=float(np.mean([_mean_of_others(one, other) for one, other in several])),
        originals=float(np.mean([_mean_of_others(one, one) for one, _ in several])),
        augmented=float(np.mean([_mean_of_others(other, other) for _, other in several])),
    )


def _mean_of_others(first: Array, second: Array) -> float:
    """Return the mean of first_i . second_j over i != j, by sums: no matrix of all pairs is made."""
    count = len(first)
    together = float(first.sum(axis=0) @ second.sum(axis=0))
    return (together - float((first * second).sum())) / (count * (count - 1))


def mean_interval(values: Array, generator: np.random.Generator) -> Interval:
    """Return the 95 % percentile interval of a mean over resampled rows. values: (n,)."""
    draws = [counts @ values / len(values) for counts in resample_counts(len(values), _RESAMPLES, generator)]
    return percentile_interval(np.concatenate(draws))
