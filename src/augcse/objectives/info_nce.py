"""The contrastive term: InfoNCE over in-batch negatives."""

from __future__ import annotations

import torch
from torch import Tensor
from torch.nn import functional


def cosine_matrix(left: Tensor, right: Tensor) -> Tensor:
    """Return all cosines, (rows of left, rows of right), by normalising once and multiplying once.

    `nn.CosineSimilarity` on broadcast rows, as in the original code, gives the same numbers with rows * rows * dim memory.

    Shapes: left (n, dim), right (m, dim) -> (n, m).
    """
    return functional.normalize(left, dim=-1) @ functional.normalize(right, dim=-1).T


def info_nce(
    anchors: Tensor,
    positives: Tensor,
    temperature: float,
    symmetric: bool = False,
    left_out: Tensor | None = None,
    *,
    negatives: Tensor | None = None,
    own_weight: float = 0.0,
) -> Tensor:
    """Mean cross entropy of picking each anchor's own positive among all positives of the batch and all further negatives.

    SimCSE (Gao et al. 2021), Eq. 4: l_i = -log( exp(cos(a_i, p_i)/t) / sum_j exp(cos(a_i, p_j)/t) ), averaged over the batch;
    the positive is part of the denominator. `symmetric` averages it with the same loss from positives to anchors (CLIP,
    Radford et al. 2021), which the AugCSE code always does and its paper only for augmented positives. Pairs that are `left_out`, e.g. the
    same text twice, are in no denominator.

    `negatives` are hard ones (SimCSE, Eq. 5), edits, or a queue (ESimCSE, section 3.2): candidates of every anchor. With hard ones, one
    per row, `own_weight` is added to the logit of the anchor's own: the logarithm of its weight (SimCSE, appendix).

    Shapes: anchors, positives (batch, dim), negatives (any, dim), left_out (batch, batch + any) bool -> scalar. In float32 at least,
    whatever the autocast type: cosines over a temperature of 0.05 lose two digits in bfloat16.
    """
    with torch.autocast(anchors.device.type, enabled=False):
        dtype = torch.promote_types(anchors.dtype, torch.float32)
        candidates = positives.to(dtype) if negatives is None else torch.cat([positives.to(dtype), negatives.to(dtype)])
        logits = cosine_matrix(anchors.to(dtype), candidates) / temperature  # (batch, batch + any)
        targets = torch.arange(len(logits), device=logits.device)
        if own_weight:
            logits = logits + own_weight * functional.one_hot(targets + len(targets), logits.shape[1])
        logits = leave_out(logits, left_out)
        loss = functional.cross_entropy(logits, targets)
        if symmetric:
            loss = (loss + functional.cross_entropy(logits.T, targets)) / 2
    return loss


def leave_out(logits: Tensor, left_out: Tensor | None) -> Tensor:
    """Return the logits with -inf for those that are left out, so that no softmax counts them. Shapes: (n, m), (n, m) bool -> (n, m)."""
    return logits if left_out is None else logits.masked_fill(left_out, -torch.inf)
