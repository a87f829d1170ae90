"""The contrastive objective of AugCSE's published code without its discriminator: any of seven losses, or a weighted sum of them.

Tang, Kocyigit, Wijaya 2022 (AugCSE), section 3 and appendix A.14; its code, training/train_text_classification.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import require
from augcse.objectives.gather import gather_rows
from augcse.objectives.option_types import (
    AlignmentPower,
    Distance,
    LogWeight,
    Losses,
    Margin,
    ProjectionKind,
    Sampling,
    Temperature,
    UniformityScale,
    parse_losses,
)
from augcse.objectives.pair_losses import (
    COUNTS_OWN_NEGATIVE,
    HARD_NEGATIVES,
    NEEDS_NEGATIVES,
    PAIR_LOSSES,
    PairSettings,
    alignment,
    compare,
)
from augcse.objectives.projection import balance_terms
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_views

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective(
    "contrastive", paper="AugCSE (Tang et al. 2022)", equation="Eq. 1, A.14", views=("original", "positive", "negative"), trains_static=True
)
class ContrastiveLoss(ProjectedLoss):
    """Originals against augmentations that serve as their positives and negatives, by one or several of AugCSE's contrastive losses.

    Args:
        model: the encoder.
        losses: "ranking", "ranking_pos_neg", "ranking_neg", "triplet", "alignment", "contrastive", "hard_contrastive", or a weighted
            sum, "ranking:1.0,triplet:0.5"; without weights their mean. Formulas: `objectives.pair_losses`.
        sampling: "by_role": each row has a positive and, for ranking_pos_neg and ranking_neg, a negative, drawn from [augmentation]
            positives and negatives. "uniform": each row has one augmentation, drawn from all of them, which is its positive or its
            negative by its role or its label; not for ranking_pos_neg and ranking_neg.
        distance: "cosine", "euclidean" or "manhattan".
        temperature: divides the similarity in ranking losses, the distance in the others (0.05).
        margin: in units of distance / temperature (0.1).
        alignment_power: alpha of the alignment term (2).
        uniformity_scale: t of the uniformity term (2).
        hard_negative_weight: added to the logit of a row's own negative (0).
        symmetric: both directions; None: as published, see `objectives.pair_losses.PairSettings`.
        projection: the training-only head; all views pass it in one call, as in the published code.

    Inputs in a `SentenceTransformerTrainer`: text columns original, positive and, where the losses need it, negative. With
    `sampling="uniform"`: original, augmented and an integer column `label`, 1 where the augmentation is a positive, 0 where it is a
    negative.
    """

    traits = Traits(citation=citations.AUGCSE, gathers=True, label_kind="positive")
    highest_label_means = "a positive, 0: a negative"

    def __init__(
        self,
        model: SentenceTransformer,
        losses: Losses = "ranking",
        sampling: Sampling = "by_role",
        distance: Distance = "cosine",
        temperature: Temperature = 0.05,
        margin: Margin = 0.1,
        alignment_power: AlignmentPower = 2.0,
        uniformity_scale: UniformityScale = 2.0,
        hard_negative_weight: LogWeight = 0.0,
        symmetric: bool | None = None,
        projection: ProjectionKind = "batchnorm",
    ) -> None:
        super().__init__(model, temperature, projection)
        self.weights = parse_losses(losses)
        self.sampling = sampling
        self.highest_label = 1 if sampling == "uniform" else None
        self.pairing = PairSettings(distance, temperature, margin, alignment_power, uniformity_scale, hard_negative_weight, symmetric)
        in_need = sorted(NEEDS_NEGATIVES & set(self.weights))
        require(
            not in_need or sampling == "by_role",
            f'{" and ".join(in_need)} compare with a positive and a negative of each row; set objective.sampling to "by_role"',
        )
        self.traits = replace(self.traits, views=self.views_with({"losses": losses, "sampling": sampling}))

    @classmethod
    def views_with(cls, options: Mapping[str, Any]) -> tuple[str, ...]:
        """Return the views that it reads: the augmented one with "uniform", else a positive and, if a loss needs it, a negative."""
        if options["sampling"] == "uniform":
            return ("original", "augmented")
        return ("original", "positive", "negative") if NEEDS_NEGATIVES & set(parse_losses(options["losses"])) else ("original", "positive")

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return one scalar per loss, weighted, under its name; a mixture of experts adds "balance".

        Features: one dict of input_ids and attention_mask (batch, length) per view of `self.traits.views`; the lengths may differ.
        labels: (batch,) int with sampling "uniform", 1 positive, 0 negative; ignored otherwise, since all are positives then.
        """
        self.follow_mode()
        embeddings = encode_views(self.model, sentence_features[: len(self.traits.views)])
        projected = self.projection(torch.cat(embeddings)).chunk(len(self.traits.views))  # (batch, dim) each
        positive = gather_rows(labels) if self.sampling == "uniform" and labels is not None else None
        keys = [text_keys(view) for view in sentence_features[: len(self.traits.views)]]
        repeated = self.repeated_pairs(keys[0], keys[1])
        hard, repeated_hard = (projected[2], self.same_text(keys[0], keys[2])) if len(projected) > 2 else (None, None)
        with torch.autocast(projected[0].device.type, enabled=False):
            batch = compare(projected[0], projected[1], positive, hard, self.pairing.distance, repeated, repeated_hard)
            terms: dict[str, Tensor] = {name: weight * PAIR_LOSSES[name](batch, self.pairing) for name, weight in self.weights.items()}
            self._measure(projected[0].detach(), projected[1].detach(), positive)
        return {**terms, **balance_terms(self.projection)}

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """By loss: the other rows' candidates, and the hard negatives of all rows or of its own.

        Where a row's own candidate may be a negative ("uniform"), the losses over negative pairs have that negative too.
        """
        rows = self.rows_together(batch_size, processes)
        counts: dict[str, int] = {}
        for name in self.weights:
            counts[name] = rows - 1 + (HARD_NEGATIVES[name](rows) if name in HARD_NEGATIVES else 0)
            if self.sampling == "uniform" and name in COUNTS_OWN_NEGATIVE:
                counts[f"{name}, own candidate a negative"] = rows
        return counts

    def _measure(self, anchors: Tensor, candidates: Tensor, positive: Tensor | None) -> None:
        """Alignment plus uniformity on cosines at temperature 1, which the published code logs for every loss. (batch, dim) each."""
        cosines = compare(anchors, candidates, positive, None, "cosine")
        self.metrics = {
            "alignment_and_uniformity": alignment(cosines, PairSettings(temperature=1.0)),
            "positive_share": cosines.positive.float().mean(),
        }
