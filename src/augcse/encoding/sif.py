"""Smooth inverse frequency: a token weighs a / (a + p), with p its share of a text's tokens (Arora, Liang and Ma 2017, equation 3).

A token that is not in the text weighs 1. Padding, and tokens that only mark a sentence's ends ([CLS], [SEP], <s>, </s>), say nothing about
its words and weigh 0. Deviation from the paper: the weighted sum is divided by the sum of the weights and not by the number of tokens,
as in the stock modules, which changes no cosine by itself.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[Any]


def token_counts(batches: Iterable[tuple[Array, Array]], vocabulary_size: int, ignored: Collection[int] = ()) -> Array:
    """Return how often each token occurs, (vocabulary_size,).

    Args:
        batches: token ids and mask, (batch, length) each; what the mask leaves out does not count.
        vocabulary_size: of the model.
        ignored: tokens that do not count.
    """
    counts = np.zeros(vocabulary_size, dtype=np.int64)
    for ids, mask in batches:
        counts += np.bincount(ids[mask.astype(bool)], minlength=vocabulary_size)
    counts[list(ignored)] = 0
    return counts


def token_weights(counts: Array, a: float, ignored: Collection[int] = ()) -> Array:
    """Return each token's weight, a / (a + count / sum of counts), and 0 for those that are ignored. (tokens,) -> (tokens,).

    Relative frequencies, whose sum is 1, may be given instead of counts.
    """
    weights = a / (a + counts / (counts.sum() or 1))
    weights[list(ignored)] = 0.0
    return np.asarray(weights)
