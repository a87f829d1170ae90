"""Weights, whitening and concatenation as one table of token vectors, of which a sentence is the plain mean."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.static.tokens import TokenizedSentences
from augcse.encoding.whitening import whitening_transform

Array = npt.NDArray[Any]
# Sentences averaged at a time.
_CHUNK_TOKENS = 200_000


def inverse_frequency_weights(counts: Array, a: float) -> Array:
    """Return a / (a + p(token)) for token counts: (vocabulary,) float64 in (0, 1] (Arora et al. 2017, SIF; a = 1e-3 there)."""
    weights: Array = a / (a + counts / max(counts.sum(), 1))
    return weights


def sentence_means(sentences: TokenizedSentences, rows: Array) -> Array:
    """Return the mean of each sentence's rows: (sentences, dim) float32; zeros for a sentence without tokens."""
    from scipy.sparse import csr_matrix

    means = np.zeros((len(sentences), rows.shape[1]), dtype=np.float32)
    start = 0
    for chunk in sentences.chunks(_CHUNK_TOKENS):
        lengths = np.diff(chunk.offsets)
        shares = np.repeat(1.0 / np.maximum(lengths, 1), lengths).astype(np.float32)
        matrix = csr_matrix((shares, chunk.ids.astype(np.int32), chunk.offsets), shape=(len(chunk), len(rows)))
        means[start : start + len(chunk)] = matrix @ rows
        start += len(chunk)
    return means


@dataclass(frozen=True)
class Part:
    """Token vectors from one source.

    Attributes:
        rows: (vocabulary, dim), unit or zero rows.
        scale: of its whitened vectors beside the other parts'.
    """

    rows: Array
    scale: float = 1.0


def folded_rows(parts: Sequence[Part], weights: Array, sentences: TokenizedSentences) -> Array:
    """Return rows (vocabulary, sum of dims) float32 whose mean over a sentence's tokens is the parts' whitened embeddings, side by side.

    A sentence's embedding of a part is x = mean_i w_i r_i, whitened as W x + b by its mean and covariance over `sentences`. Since that
    is mean_i (W w_i r_i + b), the map goes into the rows, and the mean of these is exact.

    Args:
        parts: token vectors, over the same vocabulary.
        weights: (vocabulary,) of the tokens.
        sentences: what mean and covariance are taken from.

    Raises:
        UserError: too few sentences, or sentences that do not vary.
    """
    folded = []
    for part in parts:
        weighted = (weights[:, None] * part.rows).astype(np.float32)
        weight, bias = whitening_transform(sentence_means(sentences, weighted))
        folded.append(part.scale * (weighted @ weight.T.astype(np.float32) + bias.astype(np.float32)))
    return np.concatenate(folded, axis=1).astype(np.float32)
