"""SimCSE: dropout as the only augmentation, or labelled triplets; either with masked language modelling beside it.

Gao, Yao, Chen 2021, "SimCSE: Simple Contrastive Learning of Sentence Embeddings", arXiv 2104.08821.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import functional

from augcse.objectives import citations
from augcse.objectives.auxiliary_mlm import MaskedLanguageModel
from augcse.objectives.base import objective
from augcse.objectives.contrast import cosine_matrix, info_nce, leave_out
from augcse.objectives.option_types import LogWeight, PartialShare, ProjectionKind, Temperature, Weight
from augcse.objectives.projection import balance_terms, build_projection
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import Features, SentenceLoss, embedding_dim, encode_twice
from augcse.objectives.views import encode_views, join_views, pad_id_of

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("simcse", paper="SimCSE (Gao et al. 2021)", equation="Eq. 4", views=("original",))
class SimCSELoss(SentenceLoss):
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

    gathers = True
    citation = citations.SIMCSE

    def __init__(
        self,
        model: SentenceTransformer,
        temperature: Temperature = 0.05,
        projection: ProjectionKind = "mlp",
        do_mlm: bool = False,
        mlm_weight: Weight = 0.1,
        mlm_probability: PartialShare = 0.15,
    ) -> None:
        super().__init__(model)
        self.temperature = temperature
        self.projection_kind = projection
        self.mlm_weight = mlm_weight
        self.reads_tokens = do_mlm
        self.projection = build_projection(projection, embedding_dim(model))
        self.masked_lm = MaskedLanguageModel(model, mlm_probability) if do_mlm else None

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}, and "masked_lm" if asked for. Features: input_ids and attention_mask (batch, length)."""
        self.follow_mode()
        first, second = encode_twice(self.model, sentence_features[0])
        projected = self.projection(torch.cat([first, second]))  # (2 * batch, dim): one batch for the normalisation
        anchors, positives = projected.chunk(2)
        repeated = self.repeated_pairs(text_keys(sentence_features[0]))
        terms = {"contrastive": info_nce(anchors, positives, self.temperature, left_out=repeated), **balance_terms(self.projection)}
        if self.masked_lm is not None:
            terms["masked_lm"] = self.mlm_weight * self.masked_lm(self.model, join_views([sentence_features[0]] * 2, pad_id_of(self.model)))
        return terms

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for the model card."""
        return {"temperature": self.temperature, "projection": self.projection_kind, **_mlm_settings(self)}


@objective("simcse-supervised", paper="SimCSE (Gao et al. 2021)", equation="Eq. 5", views=("original", "positive", "negative"))
class SupervisedSimCSELoss(SentenceLoss):
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

    gathers = True
    citation = citations.SIMCSE

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
        super().__init__(model)
        self.temperature = temperature
        self.projection_kind = projection
        self.hard_negative_weight = hard_negative_weight
        self.mlm_weight = mlm_weight
        self.reads_tokens = do_mlm
        self.projection = build_projection(projection, embedding_dim(model))
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
        terms = {
            "contrastive": info_nce_hard(anchors, positives, negatives, self.temperature, self.hard_negative_weight, repeated),
            **balance_terms(self.projection),
        }
        if self.masked_lm is not None:
            terms["masked_lm"] = self.mlm_weight * self.masked_lm(self.model, join_views(views, pad_id_of(self.model)))
        return terms

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """The other rows' positives and all rows' hard negatives."""
        return {"contrastive": 2 * self.rows_together(batch_size, processes) - 1}

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for the model card."""
        settings = {"temperature": self.temperature, "projection": self.projection_kind, "hard_negative_weight": self.hard_negative_weight}
        return {**settings, **_mlm_settings(self)}


def info_nce_hard(
    anchors: Tensor, positives: Tensor, negatives: Tensor, temperature: float, own_weight: float = 0.0, left_out: Tensor | None = None
) -> Tensor:
    """Mean cross entropy of picking each anchor's own positive among all positives and all hard negatives of the batch.

    SimCSE Eq. 5, with the weight of its appendix on a row's own negative: -log( exp(s_ii+) / sum_j( exp(s_ij+) + w_ij * exp(s_ij-) ) ),
    s = cosine / t, w_ii = exp(`own_weight`) and w_ij = 1 elsewhere. Pairs that are `left_out` are in no denominator.

    Shapes: anchors, positives, negatives (batch, dim), left_out (batch, 2 * batch) bool -> scalar, in float32 at least.
    """
    with torch.autocast(anchors.device.type, enabled=False):
        kind = torch.promote_types(anchors.dtype, torch.float32)
        candidates = torch.cat([positives, negatives]).to(kind)
        logits = cosine_matrix(anchors.to(kind), candidates) / temperature  # (batch, 2 * batch)
        rows = torch.arange(len(logits), device=logits.device)
        own = functional.one_hot(rows + len(rows), logits.shape[1])
        return functional.cross_entropy(leave_out(logits + own_weight * own, left_out), rows)


def _mlm_settings(loss: SimCSELoss | SupervisedSimCSELoss) -> dict[str, Any]:
    if loss.masked_lm is None:
        return {}
    return {"do_mlm": True, "mlm_weight": loss.mlm_weight, "mlm_probability": loss.masked_lm.probability}
