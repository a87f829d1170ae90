"""Pseudo-perplexity under a masked language model (Salazar et al. 2020), and texts scored once each, in batches of similar length."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import Tensor

from augcse.objectives.slot_encoder import masked_lm_logits

Array = npt.NDArray[Any]
_BATCH_ROWS = 64
# Every fourth token is masked at once, about as many as in pretraining; four passes mask each token once.
_STRIDE = 4


@torch.inference_mode()
def pseudo_perplexities(model: Any, ids: Tensor, mask: Tensor, real: Tensor, mask_token_id: int) -> Tensor:
    """Return exp of the mean negative log likelihood of a row's tokens, each masked and given all others, (rows,) float64.

    Deviation from Salazar et al.: every fourth token is masked at once, not one at a time.

    Args:
        model: a masked language model in evaluation mode.
        ids: (rows, length).
        mask: 1 for tokens that are not padding, (rows, length).
        real: true for tokens that are not special either, (rows, length); a row without one gets NaN, 0 / 0.
        mask_token_id: of the model's tokenizer.
    """
    surprise = torch.zeros(ids.shape, dtype=torch.float64)
    for offset in range(_STRIDE):
        hidden = real & (torch.arange(ids.shape[1]) % _STRIDE == offset)
        if hidden.any():
            _, logits = masked_lm_logits(model, ids.masked_fill(hidden, mask_token_id), mask, hidden)  # (hidden, vocabulary)
            surprise[hidden] = torch.nn.functional.cross_entropy(logits, ids[hidden], reduction="none").double()
    return torch.exp(surprise.sum(dim=1) / real.sum(dim=1))


def scored_once(texts: Sequence[str], score: Callable[[Sequence[str]], tuple[Array, ...]]) -> tuple[Array, ...]:
    """Score every distinct text once, in batches of texts of similar length, and return what `score` gives, a row per text.

    Args:
        texts: (texts,), at least one.
        score: texts to arrays that have a row for each.
    """
    distinct = sorted(dict.fromkeys(texts), key=len)
    row_of = {text: row for row, text in enumerate(distinct)}
    parts = [score(distinct[start : start + _BATCH_ROWS]) for start in range(0, len(distinct), _BATCH_ROWS)]
    rows = [row_of[text] for text in texts]
    return tuple(np.concatenate(part)[rows] for part in zip(*parts, strict=True))
