"""The seven contrastive losses of AugCSE's published code, as functions of one signature: (Comparison, PairSettings) -> scalar.

Tang, Kocyigit, Wijaya 2022 (AugCSE); its code, training/train_text_classification.py. Notation: a_i are the anchors (originals), c_j
the candidates (augmentations), n_j the hard negatives, d the distance, t the temperature, D_ij = d(a_i, c_j) / t and
y_i = 1 if c_i is a positive of a_i, 0 if it is a negative. Off the diagonal everything is a negative.

Common deviation, for numbers only: computed in float32 (float64 stays) under every autocast type; a mean over no pairs is 0, where
the code gave NaN (a batch of one has no negatives, a batch of negatives only no positives). And pairs of the same text are not
negatives.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass

import torch
from torch import Tensor
from torch.nn import functional

from augcse.objectives.info_nce import cosine_matrix, leave_out
from augcse.objectives.option_types import Distance, PairLossName
from augcse.objectives.precision import at_least_float32


@dataclass(frozen=True, slots=True)
class PairSettings:
    """The settings of the losses.

    Args:
        distance: "cosine" (1 - cosine, 0 to 2), "euclidean" or "manhattan" of the vectors as they are, not normalised.
        temperature: divides the similarity in the ranking losses and the distance in the others.
        margin: of triplet, contrastive and hard_contrastive, in units of distance / temperature, as in the published code: 0.1 at
            temperature 0.05 is a cosine distance of 0.005. For a margin m in distance itself give m / temperature.
        alignment_power: alpha of the alignment term; 1 or more.
        uniformity_scale: the factor of the squared distance in the uniformity term.
        hard_negative_weight: added to the logit of a row's own hard negative; w > 0 makes it count exp(w)-fold.
        symmetric: average with the loss from candidates to anchors. None: as the published code does, which is true for ranking and
            ranking_pos_neg, false for ranking_neg and triplet. alignment, contrastive and hard_contrastive have no direction.
    """

    distance: Distance = "cosine"
    temperature: float = 0.05
    margin: float = 0.1
    alignment_power: float = 2.0
    uniformity_scale: float = 2.0
    hard_negative_weight: float = 0.0
    symmetric: bool | None = None


@dataclass(frozen=True, slots=True)
class PairBatch:
    """One batch. Shapes: anchors, negatives (batch, dim); distances (batch, batch), row i from anchor i; positive (batch,) bool.

    Pairs of the same text, which are not negatives: repeated (batch, batch) bool among anchors and candidates, False on the diagonal;
    repeated_negatives (batch, batch) bool among anchors and hard negatives. None: no pair is.
    """

    anchors: Tensor
    distances: Tensor
    positive: Tensor
    negatives: Tensor | None = None
    repeated: Tensor | None = None
    repeated_negatives: Tensor | None = None

    @property
    def own(self) -> Tensor:
        """The distances of each anchor to its own candidate, (batch,)."""
        return self.distances.diagonal()

    @property
    def negative_pairs(self) -> Tensor:
        """Which of the pairs are negative, (batch, batch) bool: those off the diagonal, and on it those with y = 0; no repeated ones."""
        return self.without_repeated(~torch.diag(self.positive))

    def without_repeated(self, pairs: Tensor) -> Tensor:
        """Return the pairs that are not the same text. Shape: (batch, batch) bool."""
        return pairs if self.repeated is None else pairs & ~self.repeated


PairLoss = Callable[[PairBatch, PairSettings], Tensor]


def compare(
    anchors: Tensor,
    candidates: Tensor,
    positive: Tensor | None,
    negatives: Tensor | None,
    distance: Distance,
    repeated: Tensor | None = None,
    repeated_negatives: Tensor | None = None,
) -> PairBatch:
    """Measure all pairs once, for any number of losses. `positive` None: all are. Shapes: see `PairBatch`."""
    anchors, candidates = at_least_float32(anchors), at_least_float32(candidates)
    marked = torch.ones(len(anchors), dtype=torch.bool, device=anchors.device) if positive is None else positive.bool()
    precise_negatives = None if negatives is None else at_least_float32(negatives)
    distances = distance_matrix(anchors, candidates, distance)
    return PairBatch(anchors, distances, marked, precise_negatives, repeated, repeated_negatives)


def distance_matrix(left: Tensor, right: Tensor, distance: Distance) -> Tensor:
    """Return all distances. Shapes: left (n, dim), right (m, dim) -> (n, m)."""
    with torch.autocast(left.device.type, enabled=False):
        if distance == "cosine":
            return 1 - cosine_matrix(left, right)
        # A matrix product would be faster but loses the small distances, which are the ones that matter here.
        power = 2.0 if distance == "euclidean" else 1.0
        distances: Tensor = torch.cdist(left, right, p=power, compute_mode="donot_use_mm_for_euclid_dist")
        return distances


def row_distances(left: Tensor, right: Tensor, distance: Distance) -> Tensor:
    """Return the distance of each row of `left` to the same row of `right`. Shapes: (n, dim), (n, dim) -> (n,)."""
    if distance == "cosine":
        return 1 - functional.cosine_similarity(left, right, dim=-1)
    distances: Tensor = torch.linalg.vector_norm(left - right, ord=2 if distance == "euclidean" else 1, dim=-1)
    return distances


def ranking(batch: PairBatch, settings: PairSettings) -> Tensor:
    """InfoNCE of the positive rows among all candidates, and the negative ones pushed away from all anchors.

    s = (1 - d) / t, P = {i: y_i = 1}. L = (CE(s[P, :], P) + CE(s^T[P, :], P)) / 2; if any y_j = 0, plus log mean exp(-u d_ij^2) over
    all i and the j with y_j = 0, where u is the uniformity scale.

    Deviations: the code's second term took (s[P, :])^T, N rows for |P| targets, and so raised unless all rows were positive; here it
    is the rows of P in the other direction, the same where all are. No positive row: the first term is 0 (code: NaN).
    """
    logits = leave_out((1 - batch.distances) / settings.temperature, batch.repeated)  # (batch, batch)
    targets = torch.arange(len(logits), device=logits.device)
    losses = functional.cross_entropy(logits, targets, reduction="none")  # (batch,)
    if settings.symmetric is not False:
        losses = (losses + functional.cross_entropy(logits.T, targets, reduction="none")) / 2
    apart = batch.without_repeated((~batch.positive).expand(len(logits), -1))  # (batch, batch): the columns of negative candidates
    return _mean_of_chosen(losses, batch.positive) + _log_mean_exp(-settings.uniformity_scale * batch.distances.square(), apart)


def ranking_pos_neg(batch: PairBatch, settings: PairSettings) -> Tensor:
    """InfoNCE with every row's hard negative among the choices of all rows; supervised SimCSE's loss, in both directions.

    s_ij = (1 - d(a_i, c_j)) / t, m_ij = (1 - d(a_i, n_j)) / t + w [i = j]. L1 = CE([s, m], i), rows of 2N choices.
    L2 = CE([s; m]^T, j): row j = (s_1j .. s_Nj, m_1j .. m_Nj) with target j. L = (L1 + L2) / 2, or L1 alone (`symmetric = False`,
    supervised SimCSE, Gao et al. 2021, Eq. 5).
    """
    positives = leave_out((1 - batch.distances) / settings.temperature, batch.repeated)
    hard = (1 - distance_matrix(batch.anchors, _hard_negatives(batch), settings.distance)) / settings.temperature
    hard = hard + settings.hard_negative_weight * torch.eye(len(hard), dtype=hard.dtype, device=hard.device)
    hard = leave_out(hard, batch.repeated_negatives)
    targets = torch.arange(len(positives), device=positives.device)
    loss = functional.cross_entropy(torch.cat([positives, hard], dim=1), targets)
    if settings.symmetric is not False:
        loss = (loss + functional.cross_entropy(torch.cat([positives, hard], dim=0).T, targets)) / 2
    return loss


def ranking_neg(batch: PairBatch, settings: PairSettings) -> Tensor:
    """InfoNCE with a row's own hard negative as one more choice; the nearest to AugCSE's Eq. 1.

    L = CE([s, diag(m)], i), rows of N + 1 choices; s, m as in `ranking_pos_neg`. `symmetric = True` averages with CE(s^T, i), which
    holds no hard negative.

    Deviation: only the diagonal of m is computed, where the code built all of it.
    """
    logits = leave_out((1 - batch.distances) / settings.temperature, batch.repeated)
    own = (
        1 - row_distances(batch.anchors, _hard_negatives(batch), settings.distance)
    ) / settings.temperature + settings.hard_negative_weight
    own = leave_out(own, None if batch.repeated_negatives is None else batch.repeated_negatives.diagonal())
    targets = torch.arange(len(logits), device=logits.device)
    loss = functional.cross_entropy(torch.cat([logits, own[:, None]], dim=1), targets)
    if settings.symmetric:
        loss = (loss + functional.cross_entropy(logits.T, targets)) / 2
    return loss


def triplet(batch: PairBatch, settings: PairSettings) -> Tensor:
    """Mean over i != j of relu(y_j D_jj - D_ij + margin): every other anchor should be farther from c_j than its own one, by the margin.

    `symmetric = True` averages with the same over D^T.
    """
    scaled = batch.distances / settings.temperature
    own = (batch.own * batch.positive / settings.temperature)[None, :]
    others = batch.without_repeated(~torch.eye(len(scaled), dtype=torch.bool, device=scaled.device))
    loss = _mean_of_chosen(functional.relu(own - scaled + settings.margin), others)
    if settings.symmetric:
        loss = (loss + _mean_of_chosen(functional.relu(own - scaled.T + settings.margin), others)) / 2
    return loss


def alignment(batch: PairBatch, settings: PairSettings) -> Tensor:
    """Alignment plus uniformity (Wang and Isola 2020): mean_i (y_i D_ii)^alpha + log mean exp(-u D_ij^2) over the negative pairs.

    Deviations: the logarithm of the mean is taken without leaving log space (at t = 0.05 every cosine distance above 0.37 underflowed
    to log(0) = -inf); D_ii is clamped at 0, since a power of a value rounded below 0 was NaN.
    """
    own = (batch.own.clamp(min=0) * batch.positive / settings.temperature) ** settings.alignment_power
    squares = (batch.distances / settings.temperature).square()
    return own.mean() + _log_mean_exp(-settings.uniformity_scale * squares, batch.negative_pairs)


def contrastive(batch: PairBatch, settings: PairSettings) -> Tensor:
    """Hadsell et al. 2006: mean_i (y_i D_ii)^2 + the mean over the negative pairs of relu(margin - D_ij)^2."""
    scaled = batch.distances / settings.temperature
    own = (batch.own * batch.positive / settings.temperature).square()
    return own.mean() + _mean_of_chosen(functional.relu(settings.margin - scaled).square(), batch.negative_pairs)


def hard_contrastive(batch: PairBatch, settings: PairSettings) -> Tensor:
    """`contrastive` of the hard pairs only, summed (sentence-transformers' OnlineContrastiveLoss with in-batch negatives).

    Hard negatives lie below the farthest positive (below the mean negative if there is at most one positive), hard positives above
    the nearest negative (above the mean positive if there is at most one negative). L = sum D_ii^2 + sum relu(margin - D_ij)^2 over
    these. As a sum it grows with the batch.
    """
    scaled = batch.distances / settings.temperature
    own = scaled.diagonal()
    positive, negative = batch.positive, batch.negative_pairs
    values = scaled.detach()
    farthest = values.diagonal().masked_fill(~positive, -math.inf).max()
    nearest = values.masked_fill(~negative, math.inf).min()
    farthest_or_mean = torch.where(positive.sum() > 1, farthest, _mean_of_chosen(values, negative))
    nearest_or_mean = torch.where(negative.sum() > 1, nearest, _mean_of_chosen(values.diagonal(), positive))
    hard_positives = (own.square() * (positive & (own > nearest_or_mean))).sum()
    hard_negatives = (functional.relu(settings.margin - scaled).square() * (negative & (scaled < farthest_or_mean))).sum()
    return hard_positives + hard_negatives


PAIR_LOSSES: Mapping[PairLossName, PairLoss] = {
    "ranking": ranking,
    "ranking_pos_neg": ranking_pos_neg,
    "ranking_neg": ranking_neg,
    "triplet": triplet,
    "alignment": alignment,
    "contrastive": contrastive,
    "hard_contrastive": hard_contrastive,
}
# The number of hard negatives per anchor, by the number of rows in the batch.
HARD_NEGATIVES: Mapping[PairLossName, Callable[[int], int]] = {"ranking_pos_neg": lambda rows: rows, "ranking_neg": lambda rows: 1}
NEEDS_NEGATIVES = frozenset(HARD_NEGATIVES)
# A row's own candidate is among the negative pairs if it is not a positive.
COUNTS_OWN_NEGATIVE = frozenset({"alignment", "contrastive", "hard_contrastive"})


def _hard_negatives(batch: PairBatch) -> Tensor:
    if batch.negatives is None:
        raise ValueError("this loss compares with hard negatives; none were given")
    return batch.negatives


def _mean_of_chosen(values: Tensor, chosen: Tensor) -> Tensor:
    """Return the mean of the chosen values, 0 if there are none. Shapes: any, the same -> scalar."""
    return (values * chosen).sum() / chosen.sum().clamp(min=1)


def _log_mean_exp(values: Tensor, chosen: Tensor) -> Tensor:
    """Return the logarithm of the mean of exp over the chosen values, 0 if there are none. Shapes: any, the same -> scalar."""
    count = chosen.sum()
    # The gradient over -inf alone is NaN; if no pair is chosen, the values are used as they are and multiplied by 0.
    kept = values.masked_fill(~chosen & (count > 0), -math.inf)
    return torch.where(count > 0, torch.logsumexp(kept.flatten(), dim=0) - count.clamp(min=1).to(values.dtype).log(), values.sum() * 0)
