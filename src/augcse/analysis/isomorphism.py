"""How alike two embedding spaces are in shape: COND-HM, SVG and the Gromov-Hausdorff estimate of AugCSE appendix A.13.

As in AugCSE's code, embeddings are neither centred nor normalised. Dubossarsky et al. 2020; Jones et al.
2021; Patra et al. 2019.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.persistence import bottleneck_distance, rips_h0, rips_h1
from augcse.errors import UserError

Array = npt.NDArray[Any]
# The lower limit of singular values, so that their logarithm exists.
FLOOR = 1e-10


@dataclass(frozen=True)
class GromovHausdorff:
    """The bottleneck distances of the H0 and H1 diagrams of two samples; `points` is the size of each sample."""

    h0: float
    h1: float
    points: int

    @property
    def distance(self) -> float:
        """The larger of the two."""
        return max(self.h0, self.h1)


@dataclass(frozen=True)
class Shape:
    """Distances of two point clouds in shape; `cond_hm`, a mean condition number, is the only one that is not a distance."""

    cond_hm: float
    svg: float
    gromov_hausdorff_h0: float
    gromov_hausdorff_h1: float


def shape(left: Array, right: Array, generator: np.random.Generator, sample: int = 100) -> Shape:
    """Return all measures of two clouds. (n, dim), (n, other dim), n >= 3; singular values need embeddings of one dimension, or few rows.

    Args:
        left: embeddings.
        right: the same number of embeddings.
        generator: draws the rows of the Gromov-Hausdorff estimate, the same in both clouds.
        sample: number of these rows, at most; all if there are fewer.

    Raises:
        UserError: as the measures.
    """
    sample = min(sample, len(left))
    rows = np.sort(generator.choice(len(left), sample, replace=False))
    distance = gromov_hausdorff(left[rows], right[rows], generator, sample=sample)
    return Shape(condition_harmonic_mean(left, right), singular_value_gap(left, right), distance.h0, distance.h1)


def singular_value_gap(left: Array, right: Array) -> float:
    """SVG: the sum over i of (ln s_i(left) - ln s_i(right))^2. (n, dim), (m, dim) with min(n, dim) = min(m, dim).

    Singular values below 1e-10 count as 1e-10; AugCSE's code replaces exact zeros only, and so compares rounding errors.

    Raises:
        UserError: the two have different numbers of singular values.
    """
    first, second = _singular_values(left), _singular_values(right)
    if len(first) != len(second):
        raise UserError(
            f"{len(first)} and {len(second)} singular values; take the same number of sentences, and embeddings of one dimension"
        )
    return float(((np.log(first) - np.log(second)) ** 2).sum())


def effective_condition_number(embeddings: Array) -> float:
    """s_1 / s_r, where r is the effective rank: the floor of exp(entropy of s / sum(s)) (Roy and Vetterli 2007). (n, dim)."""
    values = _singular_values(embeddings)
    shares = values / values.sum() + FLOOR
    rank = int(np.exp(-(shares * np.log(shares)).sum()) + 1e-6)
    return float(values[0] / values[min(max(rank, 1), len(values)) - 1])


def condition_harmonic_mean(left: Array, right: Array) -> float:
    """COND-HM: the harmonic mean of the two effective condition numbers. (n, dim), (m, other dim)."""
    first, second = effective_condition_number(left), effective_condition_number(right)
    return 2 * first * second / (first + second)


def gromov_hausdorff(left: Array, right: Array, generator: np.random.Generator, *, sample: int = 100) -> GromovHausdorff:
    """Estimate the Gromov-Hausdorff distance of two point clouds by the bottleneck distance of their Rips diagrams.

    Definition: from each cloud `sample` points are drawn without replacement; distances are Euclidean; the Vietoris-Rips filtration is
    indexed by diameter. The bottleneck distance of the diagrams of one dimension is at most twice the Gromov-Hausdorff distance (Chazal
    et al. 2009), so half of either is a lower bound for the samples. Papers report the bottleneck distance itself, and so do we. The
    infinite bar of H0 exists in both spaces and is matched with itself.

    AugCSE's code computes H0 only, over all points: `h0` with `sample` set to the number of points.

    Args:
        left: (n, dim).
        right: (m, any dim).
        generator: draws the samples.
        sample: points per cloud, 3 to 150, at most n and m.

    Raises:
        UserError: a sample larger than a cloud or than the limit.
    """
    if not 3 <= sample <= min(len(left), len(right)):
        raise UserError(
            f"a sample of {sample} points from clouds of {len(left)} and {len(right)}; take 3 or more, and no more than there are"
        )
    clouds = [_distances(_subsample(cloud, sample, generator)) for cloud in (left, right)]
    return GromovHausdorff(
        h0=bottleneck_distance(rips_h0(clouds[0]), rips_h0(clouds[1])),
        h1=bottleneck_distance(rips_h1(clouds[0]), rips_h1(clouds[1])),
        points=sample,
    )


def _subsample(cloud: Array, sample: int, generator: np.random.Generator) -> Array:
    return cloud[np.sort(generator.choice(len(cloud), sample, replace=False))]


def _distances(points: Array) -> Array:
    """Euclidean distances of rows, symmetric to the bit and 0 on the diagonal. (n, dim) -> (n, n)."""
    rows = np.asarray(points, dtype=np.float64)
    if not np.isfinite(rows).all():
        raise UserError("the embeddings are not finite (NaN or infinity); they have no shape")
    return np.array([np.linalg.norm(rows - row, axis=1) for row in rows])


def _singular_values(embeddings: Array) -> Array:
    rows = np.asarray(embeddings, dtype=np.float64)
    if not np.isfinite(rows).all():
        raise UserError("the embeddings are not finite (NaN or infinity); they have no shape")
    values: Array = np.maximum(np.linalg.svd(rows, compute_uv=False), FLOOR)
    return values
