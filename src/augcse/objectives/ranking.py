"""Losses that distil the ranking of a teacher's in-batch similarities into a student.

Liu et al. 2023, "RankCSE: Unsupervised Sentence Representation Learning via Learning to Rank", section 3; ListNet: Cao et al. 2007;
ListMLE: Xia et al. 2008. Row i of a matrix is the list of anchor i; pairs that are `left_out` are in no list.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping

import torch
from torch import Tensor

from augcse.objectives.option_types import RankingKind

# RankEncoder learns from pairs whose rank correlation is in this range.
MIN_SIMILARITY, MAX_SIMILARITY = 0.5, 0.9999
RankingLoss = Callable[[Tensor, Tensor, Tensor], Tensor]


def list_net(student: Tensor, teacher: Tensor, left_out: Tensor) -> Tensor:
    """Cross-entropy of the two top-one distributions: L = -(1/B) sum_i sum_j softmax_j(teacher_ij) log softmax_j(student_ij).

    A row whose list is empty contributes 0. Shapes: logits (batch, any) of both, left_out the same bool -> scalar.
    """
    kept, listed = _listed(left_out)
    targets = teacher.masked_fill(kept, -torch.inf).softmax(dim=1)
    # 0 * -inf would be NaN.
    predicted = student.masked_fill(kept, -torch.inf).log_softmax(dim=1).masked_fill(kept, 0.0)
    return -((targets * predicted).sum(dim=1) * listed).mean()


def divergence(student: Tensor, teacher: Tensor, left_out: Tensor) -> Tensor:
    """KL(teacher || student): ListNet minus the teacher's entropy; the same gradient, and 0 where both agree. Shapes as `list_net`."""
    return list_net(student, teacher, left_out) - list_net(teacher, teacher, left_out)


def list_mle(student: Tensor, teacher: Tensor, left_out: Tensor) -> Tensor:
    """Negative log-likelihood of the teacher's order under the student's Plackett-Luce model.

    L = -(1/B) sum_i sum_j [ s_i,pi(j) - log sum_{k >= j} exp(s_i,pi(k)) ], pi the teacher's descending order. Shapes as `list_net`.
    """
    lowest = torch.finfo(student.dtype).min / 4
    order = teacher.masked_fill(left_out, -torch.inf).argsort(dim=1, descending=True, stable=True)
    ranked = student.masked_fill(left_out, lowest).gather(1, order)
    rest = ranked.flip(1).logcumsumexp(dim=1).flip(1)
    return ((rest - ranked) * ~left_out.gather(1, order)).sum(dim=1).mean()


def consistency(first: Tensor, second: Tensor, left_out: Tensor) -> Tensor:
    """Jensen-Shannon divergence of the lists of two passes, averaged over the anchors: (KL(p || m) + KL(q || m)) / 2, m = (p + q) / 2.

    m is the mean of probabilities, and nothing is clamped: a public re-implementation clamps log-probabilities, which are negative, to
    at least 1e-7, so that its m is constant and its divergence is minus the mean entropy. Shapes as `list_net`.
    """
    left, right = (logits.masked_fill(left_out, -torch.inf).log_softmax(dim=1).masked_fill(left_out, 0.0) for logits in (first, second))
    middle = torch.logaddexp(left, right) - math.log(2)
    parts = torch.stack([values.exp() * (values - middle) for values in (left, right)])  # (2, batch, any)
    return parts.masked_fill(left_out, 0.0).sum() / (2 * len(first))


def squared_error(student: Tensor, teacher: Tensor, left_out: Tensor) -> Tensor:
    """Mean of (student - teacher)^2 over pairs whose teacher's value is from 0.5 to 0.9999; 0 if there are none (RankEncoder).

    Seonwoo et al. 2023, "Ranking-Enhanced Unsupervised Sentence Representation Learning", arXiv 2209.04333: dissimilar and
    identical pairs carry little information. Shapes as `list_net`.
    """
    chosen = (teacher >= MIN_SIMILARITY) & (teacher <= MAX_SIMILARITY) & ~left_out
    return ((student - teacher).square() * chosen).sum() / chosen.sum().clamp(min=1)


RANKINGS: Mapping[RankingKind, RankingLoss] = {"listnet": list_net, "listmle": list_mle, "kl": divergence, "squared": squared_error}


def _listed(left_out: Tensor) -> tuple[Tensor, Tensor]:
    """Return the pairs to leave out, none in rows whose list is empty, and which rows have a list: (batch, any), (batch,) bool."""
    listed = ~left_out.all(dim=1)
    return left_out & listed[:, None], listed
