"""Rows, or their lengths alone, refined on plain text: two views of a sentence agree, those of different sentences do not (InfoNCE)."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix

from augcse.encoding.static.tokens import TokenizedSentences
from augcse.encoding.unit_rows import unit_rows

Array = npt.NDArray[Any]


def refined(rows: Array, sentences: TokenizedSentences, settings: dict[str, Any]) -> Array:
    """Return the rows after `refine_steps` of row-wise Adagrad.

    `refine`: "rows" or "weights" (one factor per row). `refine_views`: "halves" of a sentence's tokens, "dropout" (each token with
    probability 0.7), or "neighbours" (this sentence and the next).
    """
    rng = np.random.default_rng(0)
    rows = rows / np.linalg.norm(rows, axis=1).mean()
    original, logs = rows.copy(), np.zeros(len(rows), dtype=np.float32)
    squares = np.full(len(rows), 1e-12)
    batch, temperature, rate = 384, settings["refine_temperature"], settings["refine_rate"]
    for _ in range(settings["refine_steps"]):
        left, right = views(sentences, rng, batch, settings["refine_views"], len(rows))
        used = np.unique(np.concatenate([left.indices, right.indices]))
        table = rows[used]
        stacked = csr_matrix(np.concatenate([left[:, used].toarray(), right[:, used].toarray()]))
        gradient = stacked.T @ loss_gradient(stacked @ table, temperature)
        if settings["refine"] == "weights":
            gradient = (gradient * table).sum(axis=1, keepdims=True)
        squares[used] += (gradient**2).mean(axis=1)
        step = rate * gradient / np.sqrt(squares[used])[:, None]
        if settings["refine"] == "weights":
            logs[used] -= step[:, 0].astype(np.float32)
            rows[used] = original[used] * np.exp(logs[used])[:, None]
        else:
            rows[used] -= step.astype(np.float32)
    return rows


def views(sentences: TokenizedSentences, rng: np.random.Generator, batch: int, kind: str, size: int) -> tuple[csr_matrix, csr_matrix]:
    """Return two views of `batch` random sentences as means over distinct tokens: (batch, vocabulary) each."""
    first: list[Array] = []
    second: list[Array] = []
    while len(first) < batch:
        index = int(rng.integers(len(sentences) - 1))
        one = np.unique(sentences.ids[sentences.offsets[index] : sentences.offsets[index + 1]])
        if len(one) < 6:
            continue
        if kind == "neighbours":
            left, right = one, np.unique(sentences.ids[sentences.offsets[index + 1] : sentences.offsets[index + 2]])
        elif kind == "halves":
            mask = rng.permutation(len(one)) < len(one) // 2
            left, right = one[mask], one[~mask]
        else:
            left, right = one[rng.random(len(one)) < 0.7], one[rng.random(len(one)) < 0.7]
        if len(left) and len(right):
            first.append(left)
            second.append(right)
    return _means(first, size), _means(second, size)


def _means(bags: list[Array], size: int) -> csr_matrix:
    lengths = np.array([len(bag) for bag in bags])
    return csr_matrix(
        (
            np.repeat(1.0 / lengths, lengths).astype(np.float32),
            np.concatenate(bags).astype(np.int32),
            np.concatenate([[0], np.cumsum(lengths)]),
        ),
        shape=(len(bags), size),
    )


def loss_gradient(embeddings: Array, temperature: float) -> Array:
    """Return the gradient of the mean InfoNCE of both directions with respect to (2 batch, dim) embeddings, cosines over temperature."""
    lengths = np.maximum(np.linalg.norm(embeddings, axis=1, keepdims=True), 1e-9)
    unit = unit_rows(embeddings, embeddings.dtype)
    left, right = np.split(unit, 2)
    logits = left @ right.T / temperature
    both = (_softmax(logits) + _softmax(logits.T).T) / 2 - np.eye(len(left), dtype=np.float32)
    both /= temperature * len(left)
    gradient = np.concatenate([both @ right, both.T @ left])
    tangential: Array = gradient - unit * (gradient * unit).sum(axis=1, keepdims=True)
    tangential /= lengths
    return tangential


def _softmax(logits: Array) -> Array:
    shares: Array = np.exp(logits - logits.max(axis=1, keepdims=True))
    shares /= shares.sum(axis=1, keepdims=True)
    return shares
