"""Two-dimensional projections for plots, by principal components."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def principal_plane(embeddings: Array) -> tuple[Array, Array]:
    """Return (mean, axes): the two directions of largest variance, each with its largest entry positive, so that signs are deterministic.

    Shapes: embeddings (n, dim) -> mean (dim,), axes (2, dim). Needs n >= 2 and dim >= 2.
    """
    mean = embeddings.mean(axis=0)
    _, _, directions = np.linalg.svd(embeddings - mean, full_matrices=False)
    axes = directions[:2]
    largest = np.abs(axes).argmax(axis=1)
    return mean, axes * np.sign(axes[np.arange(2), largest])[:, None]


def project_groups(groups: Mapping[str, Array]) -> dict[str, Array]:
    """Project all groups on the principal plane of their union. (n, dim) -> (n, 2) each; rows are normalised to length 1 first."""
    normalised = {name: rows / np.linalg.norm(rows, axis=1, keepdims=True) for name, rows in groups.items()}
    mean, axes = principal_plane(np.concatenate(list(normalised.values())))
    return {name: (rows - mean) @ axes.T for name, rows in normalised.items()}


def align_to(points: Array, target: Array) -> Array:
    """Rotate and reflect points to be as close as possible to their counterparts. (n, 2), (n, 2) -> (n, 2).

    Orthogonal Procrustes, Schönemann 1966. The order and sign of principal axes are arbitrary, so maps are aligned for comparison.
    """
    left, _, right = np.linalg.svd(points.T @ target)
    aligned: Array = points @ (left @ right)
    return aligned


def mean_pair_distance(originals: Array, augmented: Array) -> float:
    """Return the mean distance between unit vectors of a sentence and its augmentation, divided by the mean distance between originals.

    0 if augmentation changes no embedding, about 1 if an augmented sentence is as far from its original as another sentence.
    Shapes: (n, dim), (n, dim); the other sentence of row i is row i + 1.
    """
    left = originals / np.linalg.norm(originals, axis=1, keepdims=True)
    right = augmented / np.linalg.norm(augmented, axis=1, keepdims=True)
    sentence_distance = np.linalg.norm(left - np.roll(left, 1, axis=0), axis=1).mean()
    return float(np.linalg.norm(left - right, axis=1).mean() / sentence_distance) if sentence_distance > 0 else 0.0
