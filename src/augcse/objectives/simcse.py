"""SimCSE without labels: dropout as the only augmentation.

Gao, Yao, Chen 2021, "SimCSE: Simple Contrastive Learning of Sentence Embeddings", arXiv 2104.08821.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from augcse.objectives.base import objective, require
from augcse.objectives.contrast import info_nce
from augcse.objectives.heads import ProjectionKind, build_projection
from augcse.objectives.projection import balance_terms
from augcse.objectives.sentence_loss import Features, SentenceLoss, embedding_dim, encode_twice

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

    Inputs in a `SentenceTransformerTrainer`: one text column; further columns and labels are ignored.
    """

    citation = "Gao, T., Yao, X., Chen, D. (2021). SimCSE: Simple Contrastive Learning of Sentence Embeddings. EMNLP."

    def __init__(self, model: SentenceTransformer, temperature: float = 0.05, projection: ProjectionKind = "mlp") -> None:
        super().__init__(model)
        require(temperature > 0, f"temperature is {temperature}; it divides a cosine, give a number above 0 (paper: 0.05)")
        self.temperature = temperature
        self.projection_kind = projection
        self.projection = build_projection(projection, embedding_dim(model))

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}. Features: input_ids and attention_mask (batch, length)."""
        self.follow_mode()
        first, second = encode_twice(self.model, sentence_features[0])
        projected = self.projection(torch.cat([first, second]))  # (2 * batch, dim): one batch for the normalisation
        anchors, positives = projected.chunk(2)
        return {"contrastive": info_nce(anchors, positives, self.temperature), **balance_terms(self.projection)}

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for the model card."""
        return {"temperature": self.temperature, "projection": self.projection_kind}
