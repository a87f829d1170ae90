"""Directions that many sentences share, taken out of their embeddings.

x -> x - U'U x, with U the first k right singular vectors of the sentences' embeddings (Arora, Liang and Ma 2017, "A Simple but
Tough-to-Beat Baseline for Sentence Embeddings", algorithm 1, with k = 1 after SIF weights; nothing is centred there). With the mean
subtracted first it is what Mu and Viswanath do to word vectors (2018, arXiv 1702.01417, algorithm 1).
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.errors import UserError

Array = npt.NDArray[Any]


def component_removal(embeddings: Array, k: int, centre: bool = False) -> tuple[Array, Array, float]:
    """Return (weight, bias) such that `embeddings @ weight.T + bias` has nothing along the first `k` components.

    Args:
        embeddings: (n, dim), finite, n above k.
        k: components to remove, 1 or more and fewer than dim.
        centre: subtract the mean first.

    Returns:
        weight: (dim, dim), of rank dim - k.
        bias: (dim,).
        share: of the sum of squares (after centring) that lay along the components, 0 to 1.

    Raises:
        UserError: as many components as dimensions or sentences.
    """
    rows = np.asarray(embeddings, dtype=np.float64)
    dim = rows.shape[1]
    if not 1 <= k < dim:
        raise UserError(f"remove-components: k is {k}, and the embeddings have {dim} dimensions; give 1 to {dim - 1}")
    if len(rows) <= k:
        raise UserError(
            f"remove-components: {len(rows):,} distinct sentences have no {k} components in common; give {k + 1:,} or more, or a smaller k"
        )
    mean = rows.mean(axis=0) if centre else np.zeros(dim)
    _, lengths, axes = np.linalg.svd(rows - mean, full_matrices=False)
    weight = np.eye(dim) - axes[:k].T @ axes[:k]
    return weight, -weight @ mean, float((lengths[:k] ** 2).sum() / (lengths**2).sum())
