"""SDA in training: SimCSE's loss, with a discreetly augmented sentence as the positive.

Zhu et al. 2022, "SDA: Simple Discrete Augmentation for Contrastive Sentence Representation Learning", arXiv 2210.03963, section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.contrast import info_nce
from augcse.objectives.option_types import ProjectionKind, Temperature
from augcse.objectives.projection import balance_terms, build_projection
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import Features, SentenceLoss, embedding_dim
from augcse.objectives.views import encode_views

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("sda", paper="SDA (Zhu et al. 2022)", equation="section 4; SimCSE Eq. 4", views=("original", "positive"))
class SDALoss(SentenceLoss):
    """InfoNCE between a sentence and its augmentation, dropout on for both.

    A sentence that the augmentation left alone is paired with itself, under two dropout masks: such a row is SimCSE's.

    Args:
        model: the encoder.
        temperature: divides the cosine (0.05).
        projection: the training-only head (paper: "mlp").

    Inputs in a `SentenceTransformerTrainer`: two text columns (original, positive). Labels are ignored.
    """

    gathers = True
    citation = citations.SDA

    def __init__(self, model: SentenceTransformer, temperature: Temperature = 0.05, projection: ProjectionKind = "mlp") -> None:
        super().__init__(model)
        self.temperature = temperature
        self.projection_kind = projection
        self.projection = build_projection(projection, embedding_dim(model))

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}. Features: [original, positive], each (batch, length); the lengths may differ."""
        self.follow_mode()
        anchors, positives = self.projection(torch.cat(encode_views(self.model, sentence_features[:2]))).chunk(2)
        repeated = self.repeated_pairs(*map(text_keys, sentence_features[:2]))
        return {"contrastive": info_nce(anchors, positives, self.temperature, left_out=repeated), **balance_terms(self.projection)}

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for the model card."""
        return {"temperature": self.temperature, "projection": self.projection_kind}
