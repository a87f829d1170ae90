"""SimCSE: dropout as the only augmentation, or labelled triplets; either with optional masked language modelling.

Gao, Yao, Chen 2021, "SimCSE: Simple Contrastive Learning of Sentence Embeddings", arXiv 2104.08821.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import torch
from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.auxiliary_mlm import MaskedLanguageModel
from augcse.objectives.base import objective
from augcse.objectives.info_nce import info_nce
from augcse.objectives.option_types import LogWeight, PartialShare, ProjectionKind, Temperature, Weight
from augcse.objectives.projection import balance_terms
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_twice, encode_views, join_views, pad_id_of

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("simcse", paper="SimCSE (Gao et al. 2021)", equation="Eq. 4", views=("original",), trains_static=True)
class SimCSELoss(ProjectedLoss):
    """InfoNCE between two dropout passes of the same sentence, the other sentences of the batch as negatives.

    Args:
        model: the encoder.
        temperature: divides the cosine (paper: 0.05).
        projection: the training-only head: "mlp" (the paper's), "batchnorm" (DiffCSE's and AugCSE's) or another of
            `projection.build_projection`.
        do_mlm: add masked language modelling on both copies of the sentence (the paper's rows "w/ MLM", for transfer).
        mlm_weight: its factor (paper: 0.1).
        mlm_probability: the share of tokens that it masks (0.15).

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored.
    """

    traits = Traits(citation=citations.SIMCSE, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        projection: ProjectionKind = "mlp",
        do_mlm: bool = False,
        mlm_weight: Weight = 0.1,
        mlm_probability: PartialShare = 0.15,
    ) -> None:
        super().__init__(model, temperature, projection)
        self.mlm_weight = mlm_weight
        self.traits = replace(self.traits, reads_tokens=do_mlm)
        self.masked_lm = MaskedLanguageModel(model, mlm_probability) if do_mlm else None

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}, and "masked_lm" if asked for. Features: input_ids and attention_mask (batch, length)."""
        self.follow_mode()
        terms = self.contrast_pair(*encode_twice(self.model, sentence_features[0]), sentence_features[0])
        if self.masked_lm is not None:
            terms["masked_lm"] = self.mlm_weight * self.masked_lm(self.model, join_views([sentence_features[0]] * 2, pad_id_of(self.model)))
        return terms


@objective(
    "simcse-supervised", paper="SimCSE (Gao et al. 2021)", equation="Eq. 5", views=("original", "positive", "negative"), trains_static=True
)
class SupervisedSimCSELoss(ProjectedLoss):
    """InfoNCE between a premise and a sentence that it entails, contradicted sentences as hard negatives.

    Args:
        model: the encoder.
        temperature: divides the cosine (paper: 0.05).
        projection: the training-only head (paper: "mlp").
        hard_negative_weight: added to the logit of the row's own hard negative: the logarithm of its weight (paper: weight 1, so 0).
        do_mlm: add masked language modelling on all three sentences (the paper's row "w/ MLM", for transfer).
        mlm_weight: its factor (paper: 0.1).
        mlm_probability: the share of tokens that it masks (0.15).

    Deviation: the paper's supervised models are evaluated with their head on (pooler "cls"); here a head is dropped after training.

    Inputs in a `SentenceTransformerTrainer`: three text columns (premise, entailed, contradicted). Labels are ignored.
    """

    traits = Traits(citation=citations.SIMCSE, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        projection: ProjectionKind = "mlp",
        hard_negative_weight: LogWeight = 0.0,
        do_mlm: bool = False,
        mlm_weight: Weight = 0.1,
        mlm_probability: PartialShare = 0.15,
    ) -> None:
        super().__init__(model, temperature, projection)
        self.hard_negative_weight = hard_negative_weight
        self.mlm_weight = mlm_weight
        self.traits = replace(self.traits, reads_tokens=do_mlm)
        self.masked_lm = MaskedLanguageModel(model, mlm_probability) if do_mlm else None

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}, and "masked_lm" if asked for.

        Features: [original, positive, negative], each (batch, length); the lengths may differ.
        """
        self.follow_mode()
        views = sentence_features[:3]
        anchors, positives, negatives = self.projection(torch.cat(encode_views(self.model, views))).chunk(3)
        originals, others, hard = map(text_keys, views)
        repeated = torch.cat([self.repeated_pairs(originals, others), self.same_text(originals, hard)], dim=1)
        weight = self.hard_negative_weight
        contrastive = info_nce(anchors, positives, self.temperature, left_out=repeated, negatives=negatives, own_weight=weight)
        terms = {"contrastive": contrastive, **balance_terms(self.projection)}
        if self.masked_lm is not None:
            terms["masked_lm"] = self.mlm_weight * self.masked_lm(self.model, join_views(views, pad_id_of(self.model)))
        return terms

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """The other rows' positives and all rows' hard negatives."""
        return {"contrastive": 2 * self.rows_together(batch_size, processes) - 1}
