"""AugCSE: SimCSE's contrast, and a discriminator that makes embeddings forget which augmentation they went through.

Tang, Kocyigit, Wijaya 2022, "AugCSE: Contrastive Sentence Embedding with Diverse Augmentations", arXiv 2210.13749, sections 4.2-4.3,
Eq. 2-3, appendices A.4-A.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

import torch
from torch import Tensor

from augcse.errors import unknown_name
from augcse.objectives.base import objective, require
from augcse.objectives.contrast import info_nce
from augcse.objectives.gather import gather_rows
from augcse.objectives.heads import (
    Discriminator,
    Fidelity,
    ProjectionKind,
    augmentation_cross_entropy,
    build_projection,
)
from augcse.objectives.sentence_loss import Features, SentenceLoss, embedding_dim, encode, encode_twice

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("augcse", paper="AugCSE (Tang et al. 2022)", equation="Eq. 2-3", views=("original", "augmented"))
class AugCSELoss(SentenceLoss):
    """SimCSE's contrast on the originals plus lambda times the cross entropy of an augmentation discriminator.

    L = contrastive + lambda * discriminator (Eq. 3). Augmented sentences reach the discriminator only. Behind its gradient reversal
    the discriminator learns with lambda * dL while the encoder receives alpha * lambda * dL.

    Args:
        model: the encoder.
        num_augmentations: how many augmentations there are; label `num_augmentations` means "no augmentation".
        temperature: divides the cosine (0.05).
        discriminator_weight: lambda of Eq. 3.
        alpha: the reversal's factor, in the paper's sign: -1 antagonistic, 0 cut off, +1 collaborative.
        projection: the training-only head (paper: "batchnorm"); one batch of originals and augmented rows together.
        fidelity: "paper": one-directional InfoNCE, discriminator 2H -> 2H -> K. "repo": what the published code does: InfoNCE
            averaged over both directions, discriminator 2H -> 4H -> K with tanh on its logits.
        discriminator_dropout_rate: before every layer of the discriminator (A.5: 0.2).

    Inputs in a `SentenceTransformerTrainer`: two text columns (original, augmented) and an integer column `label`.
    """

    citation = "Tang, Z., Kocyigit, M. Y., Wijaya, D. (2022). AugCSE: Contrastive Sentence Embedding with Diverse Augmentations. AACL."

    def __init__(
        self,
        model: SentenceTransformer,
        num_augmentations: int,
        temperature: float = 0.05,
        discriminator_weight: float = 0.005,
        alpha: float = -1.0,
        projection: ProjectionKind = "batchnorm",
        fidelity: Fidelity = "paper",
        discriminator_dropout_rate: float = 0.2,
    ) -> None:
        super().__init__(model)
        require(num_augmentations > 0, "AugCSE needs at least one augmentation; name some under [augmentation] names")
        require(temperature > 0, f"temperature is {temperature}; it divides a cosine, give a number above 0 (paper: 0.05)")
        require(discriminator_weight >= 0, f"discriminator_weight is {discriminator_weight}; give 0 or more")
        if fidelity not in get_args(Fidelity):
            raise unknown_name("fidelity", fidelity, get_args(Fidelity))
        dim = embedding_dim(model)
        self.temperature = temperature
        self.discriminator_weight = discriminator_weight
        self.projection_kind = projection
        self.fidelity = fidelity
        self.projection = build_projection(projection, dim)
        self.discriminator = Discriminator(dim, num_augmentations + 1, alpha, fidelity, discriminator_dropout_rate)

    def forward(self, sentence_features: list[Features], labels: Tensor) -> dict[str, Tensor]:
        """Return {"contrastive": scalar, "discriminator": scalar}; their sum is L of Eq. 3.

        Features: [original, augmented], each input_ids and attention_mask (batch, length); the lengths may differ.
        labels: (batch,) int, the augmentation's index, or `num_augmentations` for "no augmentation".
        """
        self.follow_mode()
        original, augmented = sentence_features[0], sentence_features[1]
        first, second = encode_twice(self.model, original)
        third = encode(self.model, augmented)
        # The published code projects all views in one call, so the batch statistics mix originals and augmentations.
        anchors, positives, views = self.projection(torch.cat([first, second, third])).chunk(3)  # 3 x (batch, dim)
        logits = self.discriminator(anchors, views)  # (batch, K)
        labels = gather_rows(labels)
        discriminator_loss = augmentation_cross_entropy(logits, labels)
        self._measure(logits.detach(), labels, discriminator_loss.detach())
        return {
            "contrastive": info_nce(anchors, positives, self.temperature, symmetric=self.fidelity == "repo"),
            "discriminator": self.discriminator_weight * discriminator_loss,
        }

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for the model card."""
        return {
            "temperature": self.temperature,
            "discriminator_weight": self.discriminator_weight,
            "alpha": self.discriminator.alpha,
            "projection": self.projection_kind,
            "fidelity": self.fidelity,
        }

    def _measure(self, logits: Tensor, labels: Tensor, discriminator_loss: Tensor) -> None:
        unchanged = logits.shape[1] - 1
        self.metrics = {
            "discriminator_accuracy": (logits.argmax(dim=1) == labels).float().mean(),
            "discriminator_loss": discriminator_loss,
            "unchanged_share": (labels == unchanged).float().mean(),
        }
