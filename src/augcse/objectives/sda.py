"""SDA in training: SimCSE's loss, with a discretely augmented sentence as the positive.

Mao et al. 2022, "SDA: Simple Discrete Augmentation for Contrastive Sentence Representation Learning", arXiv 2210.03963, section 4.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.option_types import ProjectionKind, Temperature
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode_views

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("sda", paper="SDA (Mao et al. 2022)", equation="section 4; SimCSE Eq. 4", views=("original", "positive"), trains_static=True)
class SDALoss(ProjectedLoss):
    """InfoNCE between a sentence and its augmentation, dropout on for both.

    A sentence that the augmentation did not change is paired with itself, under two dropout masks: such a row is SimCSE's.

    Args:
        model: the encoder.
        temperature: divides the cosine (0.05).
        projection: the training-only head (paper: "mlp").

    Inputs in a `SentenceTransformerTrainer`: two text columns (original, positive). Labels are ignored.
    """

    traits = Traits(citation=citations.SDA, gathers=True)

    def __init__(self, model: SentenceTransformer, temperature: Temperature = 0.05, projection: ProjectionKind = "mlp") -> None:
        super().__init__(model, temperature, projection)

    def forward(self, sentence_features: list[Features], labels: Tensor | None = None) -> dict[str, Tensor]:
        """Return {"contrastive": scalar}. Features: [original, positive], each (batch, length); the lengths may differ."""
        self.follow_mode()
        original, positive = sentence_features[:2]
        first, second = encode_views(self.model, [original, positive])
        return self.contrast_pair(first, second, original, positive)
