"""BERT-whitening: embeddings rotated and scaled so that their covariance is the identity (Su et al. 2021, arXiv 2103.15316).

x -> (x - mean) U S^(-1/2), with the covariance U S U' of the sentences given, cut to the directions of largest variance. That is one affine
map, kept as sentence-transformers' own `Dense` module: what is saved loads anywhere, without this package.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.model import encode_distinct
from augcse.errors import UserError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]
# Directions with less than this share of the largest variance are rounding errors of float32 embeddings.
_SMALLEST_SHARE = 1e-9


def whitening_transform(embeddings: Array, dim: int | None = None) -> tuple[Array, Array]:
    """Return (weight, bias) such that `embeddings @ weight.T + bias` has mean 0 and covariance 1.

    Args:
        embeddings: (n, dim in).
        dim: directions to keep, those of largest variance; None keeps all in which the embeddings vary. The paper takes 256 of 768.

    Returns:
        weight: (dim, dim in); each row's entry of largest size is positive, so that signs are stable.
        bias: (dim,).

    Raises:
        UserError: embeddings that are not finite, or with fewer directions of variance than asked for.
    """
    rows = np.asarray(embeddings, dtype=np.float64)
    if not np.isfinite(rows).all():
        raise UserError("the model gives embeddings that are not finite (NaN or infinity); they cannot be whitened")
    mean = rows.mean(axis=0)
    _, deviations, axes = np.linalg.svd(rows - mean, full_matrices=False)
    variances = deviations**2 / len(rows)
    usable = int((variances > _SMALLEST_SHARE * variances[0]).sum()) if variances[0] > 0 else 0
    wanted = usable if dim is None else dim
    if not 1 <= wanted <= usable:
        raise UserError(
            f"cannot whiten to {wanted} dimensions: {len(rows):,} sentences vary in {usable} directions;"
            " give more sentences or fewer dimensions"
        )
    axes = axes[:wanted]
    largest = np.abs(axes).argmax(axis=1)
    axes = axes * np.sign(axes[np.arange(wanted), largest])[:, None]
    weight = axes / np.sqrt(variances[:wanted])[:, None]
    return weight, -weight @ mean


def whiten(model: SentenceTransformer, sentences: Sequence[str], dim: int | None = None, batch_size: int = 128) -> SentenceTransformer:
    """Return a model that whitens the embeddings of `model`, fitted on `sentences`; it shares the modules of `model`.

    Args:
        model: the encoder; the paper takes BERT with the average of the first and last layer.
        sentences: what the mean and covariance are taken from; the paper takes the sentences of the task, or of NLI data.
        dim: dimensions to keep; None keeps all in which the embeddings vary.
        batch_size: of encoding.

    Raises:
        UserError: see `whitening_transform`.
    """
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Dense

    weight, bias = whitening_transform(encode_distinct(model, sentences, batch_size)[0], dim)
    dense = Dense(
        weight.shape[1],
        weight.shape[0],
        activation_function=torch.nn.Identity(),
        init_weight=torch.tensor(weight, dtype=torch.float32),
        init_bias=torch.tensor(bias, dtype=torch.float32),
    )
    return SentenceTransformer(modules=[*model.children(), dense], device=str(model.device))
