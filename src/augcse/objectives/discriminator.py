"""Heads that exist in training only: the gradient reversal layer and the discriminators. The projections are in `projection`."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import torch
from torch import Tensor, nn

from augcse.objectives.option_types import DiscriminatorDepth, DropoutRate, Fidelity
from augcse.options import checks_arguments


class GradientReversal(torch.autograd.Function):
    """Identity forward; multiplies the gradient by `alpha` backward.

    AugCSE A.4, after Ganin and Lempitsky (2015). The sign is the paper's text's: alpha = -1 reverses (antagonistic), +1 passes on
    (collaborative), 0 cuts. The code printed in A.4 multiplies by minus its argument, so its +1 is our -1.
    """

    @staticmethod
    def forward(ctx: Any, values: Tensor, alpha: float) -> Tensor:
        """Return `values` unchanged, any shape."""
        ctx.alpha = alpha
        return values.view_as(values)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> tuple[Tensor, None]:
        """Return the gradient times alpha, same shape."""
        return gradients[0] * ctx.alpha, None


def reverse_gradient(values: Tensor, alpha: float) -> Tensor:
    """Apply `GradientReversal`; any shape."""
    reversed_values: Tensor = GradientReversal.apply(values, alpha)  # type: ignore[no-untyped-call]
    return reversed_values


class Discriminator(nn.Module):
    """Predicts something about a pair of embeddings, e.g. which augmentation made the second, after a gradient reversal.

    AugCSE 4.3, A.5: per layer Dropout, Linear, Tanh. Two readings, because the listing in A.5 (H -> 2H -> H, tanh last) can
    neither take two concatenated embeddings nor give K probabilities:
        paper: 2H -> 2H -> K. The hidden width is A.5's 2H, the output Eq. 2's K; no tanh on the logits, since a sigmoid of a tanh
            lies in [0.27, 0.73] and Eq. 2 asks for probabilities.
        repo: 2H -> 4H -> K, tanh on the logits too (the loss cannot fall below 0.313).

    Args:
        dim: H, the width of one embedding.
        num_classes: K, e.g. the augmentations and "no augmentation".
        alpha: the reversal's factor, any number; negative is antagonistic, positive collaborative.
        fidelity: which of the two readings.
        dropout_rate: before every linear layer (A.5: 0.2).
        layers: how many linear layers; those between first and last keep the hidden width.
    """

    @checks_arguments
    def __init__(
        self,
        dim: int,
        num_classes: int,
        alpha: float = -1.0,
        fidelity: Fidelity = "paper",
        dropout_rate: DropoutRate = 0.2,
        layers: DiscriminatorDepth = 2,
    ) -> None:
        super().__init__()
        self.alpha = alpha
        hidden = 2 * dim if fidelity == "paper" else 4 * dim
        widths = [2 * dim, *[hidden] * (layers - 1), num_classes]
        modules: list[nn.Module] = []
        for width, next_width in pairwise(widths):
            modules += [nn.Dropout(dropout_rate), nn.Linear(width, next_width), nn.Tanh()]
        self.layers = nn.Sequential(*(modules if fidelity == "repo" else modules[:-1]))

    def forward(self, originals: Tensor, augmented: Tensor) -> Tensor:
        """Return one logit per class. Shapes: originals, augmented (batch, H) -> (batch, K)."""
        pairs = torch.cat([originals, augmented], dim=1)  # (batch, 2H)
        logits: Tensor = self.layers(reverse_gradient(pairs, self.alpha))
        return logits


def augmentation_cross_entropy(logits: Tensor, labels: Tensor, chosen: Tensor | None = None) -> Tensor:
    """Binary cross entropy against the one-hot label, averaged over the batch and over K.

    AugCSE Eq. 2 (its 1/K sum over classes), and the batch mean. `chosen`, (batch,) bool, leaves rows out; 0 if none is left.
    Shapes: logits (batch, K), labels (batch,) int -> scalar.
    """
    losses = row_losses(logits, labels)
    return losses.mean() if chosen is None else (losses * chosen).sum() / chosen.sum().clamp(min=1)


def row_losses(logits: Tensor, labels: Tensor) -> Tensor:
    """Binary cross entropy of each row against its one-hot label, averaged over K, in fp32 at least.

    Shapes: (batch, K), (batch,) -> (batch,).
    """
    with torch.autocast(logits.device.type, enabled=False):
        precise = logits.to(torch.promote_types(logits.dtype, torch.float32))
        targets = nn.functional.one_hot(labels, logits.shape[1]).to(precise.dtype)
        return nn.functional.binary_cross_entropy_with_logits(precise, targets, reduction="none").mean(dim=1)


def accuracies(logits: Tensor, labels: Tensor, chosen: Tensor | None = None) -> dict[str, Tensor]:
    """Return how often the largest logit is the label's: of all rows, as the mean over the classes present, and the latter by chance.

    A discriminator that always names one class has the balanced accuracy of chance, 1 / (classes present), for any shares of these.
    Shapes: logits (batch, K), labels (batch,) int, chosen (batch,) bool, the rows that count -> scalars.
    """
    counted = nn.functional.one_hot(labels, logits.shape[1]).float()  # (batch, K)
    if chosen is not None:
        counted = counted * chosen[:, None]
    right = counted * (logits.argmax(dim=1) == labels)[:, None]
    sizes = counted.sum(dim=0)
    present = (sizes > 0).sum().clamp(min=1)
    return {
        "discriminator_accuracy": right.sum() / sizes.sum().clamp(min=1),
        "discriminator_balanced_accuracy": (right.sum(dim=0) / sizes.clamp(min=1)).sum() / present,
        "discriminator_chance": 1 / present.float(),
    }


def shuffled_pairs(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Exchange the two members of a random half of the pairs and return which: what the order discriminator is to predict.

    AugCSE's code (train_text_classification.py:1124-1130) drew such labels and exchanged nothing: they were noise. The choice
    is drawn from torch's default CPU generator, so that a checkpoint restores it on every device.

    Shapes: first, second (batch, H) -> left, right (batch, H), label (batch,) int, 1 where exchanged.
    """
    exchanged = (torch.rand(len(first)) < 0.5).to(first.device)
    left = torch.where(exchanged[:, None], second, first)
    right = torch.where(exchanged[:, None], first, second)
    return left, right, exchanged.long()
