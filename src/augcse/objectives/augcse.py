"""AugCSE: SimCSE's contrast, and a discriminator that makes embeddings forget which augmentation they went through.

Tang, Kocyigit, Wijaya 2022, "AugCSE: Contrastive Sentence Embedding with Diverse Augmentations", arXiv 2210.13749, sections 4.2-4.3,
Eq. 2-3, appendices A.4-A.5.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.base import objective
from augcse.objectives.checks import embedding_dim, require
from augcse.objectives.discriminator import Discriminator, accuracies, augmentation_cross_entropy, shuffled_pairs
from augcse.objectives.gather import gather_rows
from augcse.objectives.info_nce import info_nce
from augcse.objectives.option_types import (
    Contrast,
    Discrimination,
    DiscriminatorDepth,
    DropoutRate,
    Fidelity,
    ProjectionKind,
    ReversalFactor,
    Temperature,
    Weight,
)
from augcse.objectives.projection import balance_terms
from augcse.objectives.same_text import text_keys
from augcse.objectives.sentence_loss import ProjectedLoss, Traits
from augcse.objectives.views import Features, encode, encode_twice, encode_views

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@objective("augcse", paper="AugCSE (Tang et al. 2022)", equation="Eq. 2-3", views=("original", "augmented"), trains_static=True)
class AugCSELoss(ProjectedLoss):
    """SimCSE's contrast on the originals plus lambda times the cross entropy of an augmentation discriminator.

    L = contrastive + lambda * discriminator (Eq. 3). Augmented sentences reach the discriminator only, unless `contrast` says otherwise.
    After its gradient reversal the discriminator learns with lambda * dL while the encoder receives alpha * lambda * dL.

    Args:
        model: the encoder.
        num_augmentations: how many augmentations there are; label `num_augmentations` means "no augmentation".
        temperature: divides the cosine (0.05).
        discriminator_weight: lambda of Eq. 3.
        alpha: the reversal's factor, in the paper's sign: -1 antagonistic, 0 cut off, +1 collaborative; any number (Table 7).
        projection: the training-only head (paper: "batchnorm"); see `projection.build_projection` for the others; one batch of
            originals and augmented rows together.
        fidelity: "paper": one-directional InfoNCE, discriminator 2H -> 2H -> K. "repo": what the published code does: InfoNCE
            averaged over both directions, discriminator 2H -> 4H -> K with tanh on its logits.
        discriminator_dropout_rate: before every layer of the discriminator (A.5: 0.2).
        discriminator_layers: its depth in linear layers.
        discriminate: what the discriminator predicts (Table 6): "augmentation", which one made the second sentence, or none; "original",
            whether the second sentence is an original ("bool" there); "order", which of the two is the original: half of the pairs are
            exchanged, and pairs of equal sentences do not count; "none", no discriminator.
        contrast: what the contrastive term compares an original with: "originals", its own second dropout pass; "augmented", its
            augmentation (Table 6 "positive", and "no discriminator" together with discriminate "none").
        symmetric: InfoNCE averaged over both directions; None: as published: in the paper if augmented sentences are contrasted
            (5.6), in the code always.

    Inputs in a `SentenceTransformerTrainer`: two text columns (original, augmented) and an integer column `label`: which of the
    `num_augmentations` augmentations made the second text, from 0, or `num_augmentations` where it is the original unchanged.
    """

    traits = Traits(citation=citations.AUGCSE, gathers=True)

    def __init__(
        self,
        model: SentenceTransformer,
        num_augmentations: int,
        temperature: Temperature = 0.05,
        discriminator_weight: Weight = 0.005,
        alpha: ReversalFactor = -1.0,
        projection: ProjectionKind = "batchnorm",
        fidelity: Fidelity = "paper",
        discriminator_dropout_rate: DropoutRate = 0.2,
        discriminator_layers: DiscriminatorDepth = 2,
        discriminate: Discrimination = "augmentation",
        contrast: Contrast = "originals",
        symmetric: bool | None = None,
    ) -> None:
        super().__init__(model, temperature, projection)
        require(num_augmentations > 0, f"num_augmentations is {num_augmentations}; AugCSE needs at least one augmentation, give 1 or more")
        require(
            discriminate != "none" or contrast != "originals",
            'discriminate "none" with contrast "originals" uses no augmentation; take objective simcse, or contrast "augmented"',
        )
        self.discriminator_weight = discriminator_weight
        self.discriminate = discriminate
        self.contrast = contrast
        self.symmetric = symmetric if symmetric is not None else fidelity == "repo" or contrast == "augmented"
        self.unchanged = self.highest_label = num_augmentations
        # A mixture of experts has one balance per call, and the published code projects in one call anyway.
        classes = num_augmentations + 1 if discriminate == "augmentation" else 2
        self.discriminator: Discriminator | None = None
        if discriminate != "none":
            self.discriminator = Discriminator(
                embedding_dim(model), classes, alpha, fidelity, discriminator_dropout_rate, discriminator_layers
            )

    def forward(self, sentence_features: list[Features], labels: Tensor) -> dict[str, Tensor]:
        """Return {"contrastive": scalar, "discriminator": scalar}; their sum is L of Eq. 3. A mixture of experts adds "balance".

        Features: [original, augmented], each input_ids and attention_mask (batch, length); the lengths may differ.
        labels: (batch,) int, the augmentation's index, or `num_augmentations` for "no augmentation".
        """
        self.follow_mode()
        labels = gather_rows(labels)
        self.metrics = {"unchanged_share": (labels == self.unchanged).float().mean()}
        anchors, positives, views = self._embed(sentence_features[0], sentence_features[1])  # 3 x (batch, dim)
        candidates = text_keys(sentence_features[1]) if self.contrast == "augmented" else None
        repeated = self.repeated_pairs(text_keys(sentence_features[0]), candidates)
        contrastive = info_nce(anchors, positives, self.temperature, self.symmetric, repeated)
        terms = {"contrastive": contrastive, **balance_terms(self.projection)}
        if self.discriminator is not None:
            terms["discriminator"] = self.discriminator_weight * self._discriminate(self.discriminator, anchors, views, labels)
        return terms

    def _embed(self, original: Features, augmented: Features) -> tuple[Tensor, Tensor, Tensor]:
        """Encode and project: anchors, what they are contrasted with, and the augmented sentences; (batch, dim) each.

        As in the published code all are projected in one call, so that the batch statistics mix originals and augmentations.
        """
        if self.contrast == "augmented":
            anchors, views = self.projection(torch.cat(encode_views(self.model, [original, augmented]))).chunk(2)
            return anchors, views, views
        first, second = encode_twice(self.model, original)
        third = encode(self.model, augmented)
        anchors, positives, views = self.projection(torch.cat([first, second, third])).chunk(3)
        return anchors, positives, views

    def _discriminate(self, discriminator: Discriminator, originals: Tensor, views: Tensor, labels: Tensor) -> Tensor:
        """Return the discriminator's loss, a scalar, and store its metrics. originals, views (batch, dim), labels (batch,)."""
        chosen = None
        if self.discriminate == "original":
            labels = (labels == self.unchanged).long()
        elif self.discriminate == "order":
            # Two equal sentences do not show which one is the original.
            chosen = labels != self.unchanged
            originals, views, labels = shuffled_pairs(originals, views)
        logits = discriminator(originals, views)  # (batch, K)
        loss = augmentation_cross_entropy(logits, labels, chosen)
        self.metrics |= {**accuracies(logits.detach(), labels, chosen), "discriminator_loss": loss.detach()}
        return loss
