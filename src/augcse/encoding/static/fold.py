"""Fold token weights, whitening and concatenation into one table of token vectors, whose plain mean is a sentence's embedding."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.static.factors import stable_signs
from augcse.encoding.static.tokens import TokenizedSentences
from augcse.encoding.whitening import oracle_approximating_shrinkage, whitening_transform
from augcse.errors import UserError

Array = npt.NDArray[Any]
# Tokens averaged at a time.
_CHUNK_TOKENS = 200_000


@dataclass(frozen=True)
class Part:
    """Token vectors from one source.

    Attributes:
        rows: (vocabulary, dim), unit rows; zeros for tokens that the source does not know.
        scale: the factor of its whitened vectors when parts are concatenated.
    """

    rows: Array
    scale: float = 1.0


def sentence_means(sentences: TokenizedSentences, rows: Array) -> Array:
    """Return the mean of each sentence's rows: (sentences, dim) float32; zeros for a sentence without tokens."""
    from scipy.sparse import csr_matrix

    means = np.zeros((len(sentences), rows.shape[1]), dtype=np.float32)
    start = 0
    for chunk in sentences.chunks(_CHUNK_TOKENS):
        shares = np.repeat(1.0 / np.maximum(chunk.lengths, 1), chunk.lengths).astype(np.float32)
        matrix = csr_matrix((shares, chunk.ids.astype(np.int32), chunk.offsets), shape=(len(chunk), len(rows)))
        means[start : start + len(chunk)] = matrix @ rows
        start += len(chunk)
    return means


def fold_parts(parts: Sequence[Part], weights: Array, sentences: TokenizedSentences, dim: int | None = None) -> Array:
    """Return rows (vocabulary, dim) float32 whose mean over a sentence's tokens is the concatenation of the parts' whitened embeddings.

    A sentence's embedding by a part is x = mean_i w_i r_i over the tokens that the part knows, whitened as W x + b by mean and covariance
    over `sentences`, the latter with shrinkage (`whitening.oracle_approximating_shrinkage`), which matters for few sentences. Since that
    is mean_i (W w_i r_i + b), the map can be applied to the rows, and their mean is exact.

    A token that a part does not know gets zeros instead of b, which is the whitened vector of the mean sentence. It shortens the sentence's
    vector without changing its direction.

    Args:
        parts: token vectors, over the same vocabulary.
        weights: (vocabulary,), the weights of tokens.
        sentences: the sentences that mean and covariance are computed from.
        dim: the number of dimensions to keep: for a single part those of largest variance before whitening; for several those of largest
            variance of the concatenation, which are not whitened again. None keeps all.

    Raises:
        UserError: too few sentences, or sentences that do not vary in `dim` directions.
    """
    if len(parts) == 1:
        return _fold_part(parts[0], weights, sentences, dim)
    folded = np.concatenate([_fold_part(part, weights, sentences, None) for part in parts], axis=1)
    if dim is None:
        return folded
    if dim > folded.shape[1]:
        raise UserError(f"cannot keep {dim} dimensions: the parts have {folded.shape[1]} together; give a smaller --dim")
    return folded @ main_axes(sentence_means(sentences, folded), dim)


def main_axes(embeddings: Array, dim: int) -> Array:
    """Return the `dim` directions of largest variance as columns: (dim in, dim) float32; each one's entry of largest size is positive."""
    from scipy.linalg import eigh

    rows = embeddings.astype(np.float64)
    rows -= rows.mean(axis=0)
    width = rows.shape[1]
    _, axes = eigh(rows.T @ rows, subset_by_index=(width - dim, width - 1))
    return stable_signs(axes[:, ::-1]).astype(np.float32)


def _fold_part(part: Part, weights: Array, sentences: TokenizedSentences, dim: int | None) -> Array:
    """Return the whitened rows of one part, zeros for unknown tokens: (vocabulary, dim) float32."""
    weighted = (weights[:, None] * part.rows).astype(np.float32)
    known: Array = np.any(weighted, axis=1)
    understood = sentences.only(known)
    means = sentence_means(understood, weighted)[understood.lengths > 0]
    if not means.size:
        raise UserError("no token differs from another in what stands beside it; give more text, of many different words")
    weight, bias = whitening_transform(means, dim, shrinkage=oracle_approximating_shrinkage(means))
    folded = part.scale * (weighted @ weight.T.astype(np.float32) + bias.astype(np.float32))
    folded[~known] = 0.0
    return folded.astype(np.float32)
