"""Cosine similarity of originals and their augmentations under an encoder, compared with random pairs."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.unit_rows import unit_rows
from augcse.evaluation.bootstrap import Interval, percentile_interval, resample_counts

Array = npt.NDArray[Any]
# AugCSE's code computes cosines within blocks of this many rows.
REPO_BLOCK = 256
_RESAMPLES = 1000


@dataclass(frozen=True)
class Similarity:
    """Mean cosines of an original with its own augmentation, and of pairs of different rows.

    Attributes:
        own_pair: of an original and its augmentation.
        random_pair: of an original and the augmentation of another.
        originals: of two originals.
        augmented: of two augmentations.
    """

    own_pair: float
    random_pair: float
    originals: float
    augmented: float


def similarity(originals: Array, augmented: Array, block: int | None = None) -> Similarity:
    """Return the mean cosines of rows. originals, augmented: (n, dim), n >= 2, row i of `augmented` made from row i of `originals`.

    Args:
        originals: nonzero embeddings.
        augmented: embeddings of the augmentations.
        block: None uses all pairs of different rows. `REPO_BLOCK`, as in AugCSE's code, uses the pairs within blocks of this many rows and
            returns the unweighted mean of the blocks' means; a block of one row has no such pair and is left out.
    """
    left, right = unit_rows(originals), unit_rows(augmented)
    size = block or len(left)
    blocks = [(left[start : start + size], right[start : start + size]) for start in range(0, len(left), size)]
    own_pairs = [float((original * changed).sum(axis=1).mean()) for original, changed in blocks]
    with_pairs = [(original, changed) for original, changed in blocks if len(original) > 1]
    return Similarity(
        own_pair=float(np.mean(own_pairs)),
        random_pair=float(np.mean([_mean_off_diagonal(original, changed) for original, changed in with_pairs])),
        originals=float(np.mean([_mean_off_diagonal(original, original) for original, _ in with_pairs])),
        augmented=float(np.mean([_mean_off_diagonal(changed, changed) for _, changed in with_pairs])),
    )


def _mean_off_diagonal(first: Array, second: Array) -> float:
    """Return the mean of first_i . second_j over i != j, from sums, without the matrix of all pairs."""
    count = len(first)
    all_pairs = float(first.sum(axis=0) @ second.sum(axis=0))
    return (all_pairs - float((first * second).sum())) / (count * (count - 1))


def mean_interval(values: Array, generator: np.random.Generator) -> Interval:
    """Return the 95 % percentile interval of a mean over resampled rows. values: (n,)."""
    draws = [counts @ values / len(values) for counts in resample_counts(len(values), _RESAMPLES, generator)]
    return percentile_interval(np.concatenate(draws))
