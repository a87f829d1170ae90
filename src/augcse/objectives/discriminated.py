"""AugCSE's discriminator as a term that any objective can carry.

Tang, Kocyigit, Wijaya 2022 (AugCSE), section 4.3, Eq. 2-3; the schedule of alpha is DANN's (Ganin and Lempitsky 2015, section 5.2.2).
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import torch
from torch import Tensor

from augcse.objectives import citations
from augcse.objectives.checks import embedding_dim, require
from augcse.objectives.discriminator import Discriminator, accuracies, row_losses
from augcse.objectives.gather import gather_rows
from augcse.objectives.option_types import (
    AlphaSchedule,
    DiscriminatedRows,
    DiscriminatorDepth,
    DropoutRate,
    PartialShareOrNone,
    ReversalFactor,
    Weight,
)
from augcse.objectives.sentence_loss import SentenceLoss, Traits
from augcse.objectives.views import Features, encode
from augcse.options import checks_arguments

ORIGINAL, AUGMENTED = "original", "augmented"
# The steepness of DANN's schedule.
_STEEPNESS = 10.0


class DiscriminatedLoss(SentenceLoss):
    """Any objective, plus lambda times the loss of a discriminator that predicts which augmentation made a row's second text.

    L = objective + lambda * discriminator (AugCSE Eq. 3). The discriminator reads the embeddings that will be saved, of the original as
    the objective's own first pass has them and of the augmented text, at the cost of one more pass; `AugCSELoss` reads their projections.
    After the gradient reversal it learns with lambda * dL while the encoder receives alpha * lambda * dL.

    Args:
        inner: the objective; it holds the encoder.
        views: what the objective reads, in order.
        num_augmentations: how many augmentations there are; label `num_augmentations` means "no augmentation".
        weight: lambda.
        alpha: the reversal's factor in the paper's sign: -1 antagonistic, 0 cut off, +1 collaborative.
        alpha_schedule: "constant", or "dann": alpha * (2 / (1 + exp(-10 p)) - 1), p from 0 to 1 over the training.
        warmup_share: of the steps, at the beginning: alpha is 0, so that the discriminator learns alone; p begins after it.
        rows: "all", "augmented" (rows that no augmentation changed do not count, nor is "none" a class), or "balanced" (every class of a
            batch counts the same).
        layers: the discriminator's depth.
        dropout_rate: before every layer of it.
        learning_rate: its own, which only the trainer of `augcse train` uses; None: that of the encoder.

    Inputs in a `SentenceTransformerTrainer`: the columns that the objective takes, then, unless it takes one itself, the augmented text,
    and `label`, its augmentation. There the number of steps is not known, and alpha is what it is after the last: set `steps`.
    """

    # Not registered: recipes put it around any objective by their section [objective.discriminator].

    # What it adds to the citation of the objective.
    traits = Traits(citation=citations.AUGCSE)
    # It reads embeddings alone; the objective has checked the encoder.
    trains_static = True
    _done: Tensor

    @checks_arguments
    def __init__(
        self,
        inner: SentenceLoss,
        views: tuple[str, ...],
        num_augmentations: int,
        *,
        weight: Weight = 0.005,
        alpha: ReversalFactor = -1.0,
        alpha_schedule: AlphaSchedule = "constant",
        warmup_share: PartialShareOrNone = 0.0,
        rows: DiscriminatedRows = "all",
        layers: DiscriminatorDepth = 2,
        dropout_rate: DropoutRate = 0.2,
        learning_rate: float | None = None,
    ) -> None:
        super().__init__(inner.model)
        least = 2 if rows == "augmented" else 1
        require(
            num_augmentations >= least,
            f"the discriminator needs {least} augmentations or more to tell apart, and [augmentation] has {num_augmentations}; name more",
        )
        self.inner = inner
        self.unchanged = self.highest_label = num_augmentations
        self.inner_views = len(views)
        self.views = views if AUGMENTED in views else (*views, AUGMENTED)
        self.weight = weight
        self.alpha = alpha
        self.alpha_schedule = alpha_schedule
        self.warmup_share = warmup_share
        self.rows = rows
        # How many steps the training has; 0: not known.
        self.steps = 0
        classes = num_augmentations if rows == "augmented" else num_augmentations + 1
        self.augmentation_discriminator = Discriminator(
            embedding_dim(inner.model), classes, alpha, dropout_rate=dropout_rate, layers=layers
        )
        self.register_buffer("_done", torch.zeros((), dtype=torch.int64))
        self.traits = replace(
            inner.traits,
            citation="\n".join(dict.fromkeys([inner.traits.citation, citations.AUGCSE])),
            views=self.views,
            label_kind="augmentation",
            learning_rates={} if learning_rate is None else {r"\baugmentation_discriminator\.": learning_rate},
            # The encoder once more, under its second name.
            rebuilt=("inner.model.", *(f"inner.{name}" for name in inner.traits.rebuilt)),
        )
        self._listening = False
        self._first: Tensor | None = None
        inner.model.register_forward_hook(self._remember)

    def forward(self, sentence_features: list[Features], labels: Tensor) -> dict[str, Tensor]:
        """Return the objective's terms, and {"augmentation_discriminator": scalar}.

        Features: those of `self.views`, each input_ids and attention_mask (batch, length).
        labels: (batch,) int, the augmentation's index, or `num_augmentations` for "no augmentation".
        """
        self.follow_mode()
        alpha = self._next_alpha()
        self.augmentation_discriminator.alpha = alpha
        terms, originals = self._inner_terms(sentence_features, labels)
        augmented = encode(self.model, sentence_features[self.views.index(AUGMENTED)])
        labels = gather_rows(labels)
        chosen = labels != self.unchanged if self.rows == "augmented" else torch.ones_like(labels, dtype=torch.bool)
        targets = torch.where(chosen, labels, 0)
        logits = self.augmentation_discriminator(originals, augmented)  # (batch, classes)
        losses = row_losses(logits, targets)
        loss = (losses * row_weights(targets, chosen, logits.shape[1], balanced=self.rows == "balanced")).sum()
        self.metrics = {
            **self.inner.metrics,
            "unchanged_share": (labels == self.unchanged).float().mean(),
            **accuracies(logits.detach(), targets, chosen),
            "discriminator_loss": loss.detach(),
            "discriminator_alpha": loss.new_tensor(alpha),
        }
        return {**terms, "augmentation_discriminator": self.weight * loss}

    def _inner_terms(self, sentence_features: list[Features], labels: Tensor) -> tuple[dict[str, Tensor], Tensor]:
        """Return the objective's terms, and the originals' embeddings, (batch, dim), as its first pass has them."""
        self._listening, self._first = True, None
        try:
            terms: dict[str, Tensor] = self.inner(sentence_features[: self.inner_views], labels)
        finally:
            self._listening, first, self._first = False, self._first, None
        if first is None:
            raise ValueError(f"{type(self.inner).__name__} encodes nothing")
        return terms, gather_rows(first[: len(labels)])

    def _remember(self, model: Any, arguments: Any, output: dict[str, Any]) -> None:
        # What a step encodes first begins with the originals, as `training.monitor` assumes too.
        if self._listening and self._first is None:
            self._first = output["sentence_embedding"]

    def _next_alpha(self) -> float:
        progress = min(1.0, int(self._done) / self.steps) if self.steps else 1.0
        if self.augmentation_discriminator.training:
            self._done.add_(1)
        return alpha_at(progress, self.alpha, self.alpha_schedule, self.warmup_share)

    def negatives_per_anchor(self, batch_size: int, processes: int = 1) -> dict[str, int]:
        """Those of the objective; the discriminator has none."""
        return self.inner.negatives_per_anchor(batch_size, processes)

    def check_lengths(self, lengths: Any) -> None:
        """Raise `UserError` if the objective cannot use rows of these lengths; the discriminator reads any."""
        self.inner.check_lengths(lengths)

    def get_config_dict(self) -> dict[str, Any]:
        """Return the settings for the model card."""
        names = ("weight", "alpha", "alpha_schedule", "warmup_share", "rows")
        return {**self.inner.get_config_dict(), "discriminator": {name: getattr(self, name) for name in names}}


def alpha_at(progress: float, alpha: float, schedule: AlphaSchedule, warmup_share: float) -> float:
    """Return alpha after a share of the training: 0 in the warm-up, then alpha, or DANN's alpha * (2 / (1 + exp(-10 p)) - 1).

    >>> [round(alpha_at(progress, -1.0, "dann", 0.5), 2) for progress in (0.4, 0.5, 0.6, 1.0)]
    [0.0, -0.0, -0.76, -1.0]
    """
    if progress < warmup_share:
        return 0.0
    after = (progress - warmup_share) / (1 - warmup_share)
    return alpha * (2 / (1 + math.exp(-_STEEPNESS * after)) - 1) if schedule == "dann" else alpha


def row_weights(labels: Tensor, chosen: Tensor, classes: int, *, balanced: bool) -> Tensor:
    """Return what each row counts, 1 in all, or 0 if none is chosen; `balanced`: every class in the batch the same.

    Shapes: labels (batch,) int, chosen (batch,) bool -> (batch,).
    """
    kept = torch.nn.functional.one_hot(labels, classes).to(torch.float32) * chosen[:, None]  # (batch, classes)
    if not balanced:
        return kept.sum(dim=1) / kept.sum().clamp(min=1)
    sizes = kept.sum(dim=0)
    return (kept / sizes.clamp(min=1)).sum(dim=1) / (sizes > 0).sum().clamp(min=1)
