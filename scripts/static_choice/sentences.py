"""Weights of tokens, whitening and concatenation of a try."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.sif import token_weights
from augcse.encoding.static.fold import main_axes, sentence_means
from static_choice.texts import Texts

Array = npt.NDArray[Any]


def weights_of(texts: Texts, settings: dict[str, Any]) -> Array:
    """Return the weight of each token, from the frequencies of the corpus, of the text of the whitening, or the mean of both shares."""
    chosen = {"corpus": ["corpus"], "whiten_on": ["whiten_on"], "both": ["corpus", "whiten_on"]}[settings["frequencies"]]
    counts = [texts.counts(settings["tokenizer"], settings[key]) for key in chosen]
    shares = np.mean([count / count.sum() for count in counts], axis=0)
    return token_weights(shares, settings["a"])


def fold_parts(texts: Texts, parts: list[tuple[Array, float]], weights: Array, settings: dict[str, Any]) -> Array:
    """Return the parts' weighted rows, each whitened, times its scale, side by side."""
    sentences = texts.tokens(settings["tokenizer"], settings["whiten_on"])
    if settings["joint"]:
        parts = [(np.concatenate([scale * rows for rows, scale in parts], axis=1), 1.0)]
    folded = []
    for rows, scale in parts:
        weighted = (weights[:, None] * rows).astype(np.float32)
        mean, transform = whitening(sentence_means(sentences, weighted), settings["whitening_exponent"], settings["shrinkage"])
        folded.append(scale * (weighted - mean) @ transform)
    beside = np.concatenate(folded, axis=1).astype(np.float32)
    return beside @ main_axes(sentence_means(sentences, beside), settings["cut"]) if settings["cut"] else beside


def whitening(embeddings: Array, exponent: float, shrinkage: float) -> tuple[Array, Array]:
    """Return (mean, transform): x -> (x - mean) @ transform turns and scales to variances to the power 1 - 2 exponent; 0.5 whitens.

    Variances are first drawn to their mean by the share `shrinkage`.
    """
    mean = embeddings.mean(axis=0)
    centred = embeddings - mean
    variances, axes = np.linalg.eigh((centred.T @ centred).astype(np.float64) / len(centred))
    variances = np.maximum((1 - shrinkage) * variances + shrinkage * variances.mean(), variances.max() * 1e-9)
    return mean, (axes * variances**-exponent * variances.mean() ** (exponent - 0.5)).astype(np.float32)
