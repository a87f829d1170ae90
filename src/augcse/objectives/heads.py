"""Heads that exist in training only: projections, the gradient reversal layer and the augmentation discriminator."""

from __future__ import annotations

from typing import Any, Literal, get_args

import torch
from torch import Tensor, nn

from augcse.errors import unknown_name

ProjectionKind = Literal["none", "mlp", "batchnorm"]
Fidelity = Literal["paper", "repo"]


def build_projection(kind: ProjectionKind, dim: int) -> nn.Module:
    """Return the projection head `kind`, mapping (rows, dim) to (rows, dim).

    none: identity. mlp: Linear and tanh, SimCSE's head (its code, models.py:19-33). batchnorm: DiffCSE's two-layer head, which
    AugCSE takes over (paper 4.3): Linear(H, 2H) - BatchNorm - ReLU - Linear(2H, H) - BatchNorm without affine; no biases, since
    the normalisation behind each layer would remove them.
    """
    if kind == "none":
        return nn.Identity()
    if kind == "mlp":
        return nn.Sequential(nn.Linear(dim, dim), nn.Tanh())
    if kind == "batchnorm":
        return nn.Sequential(
            nn.Linear(dim, 2 * dim, bias=False),
            nn.BatchNorm1d(2 * dim),
            nn.ReLU(),
            nn.Linear(2 * dim, dim, bias=False),
            nn.BatchNorm1d(dim, affine=False),
        )
    raise unknown_name("projection", kind, get_args(ProjectionKind))


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
    """Tells which augmentation made the second of two embeddings, from both, behind a gradient reversal.

    AugCSE 4.3, A.5: per layer Dropout, Linear, Tanh. Two readings, because the listing in A.5 (H -> 2H -> H, tanh last) cannot
    take two concatenated embeddings nor give K probabilities:
        paper: 2H -> 2H -> K. The hidden width is A.5's 2H, the output Eq. 2's K; no tanh on the logits, since a sigmoid of a tanh
            is held inside [0.27, 0.73] and Eq. 2 asks for probabilities.
        repo: 2H -> 4H -> K, tanh on the logits too (the loss cannot fall below 0.313).

    Args:
        dim: H, the width of one embedding.
        num_classes: K, the augmentations and "no augmentation".
        alpha: the reversal's factor; -1 is antagonistic.
        fidelity: which of the two readings.
        dropout_rate: before every linear layer (A.5: 0.2).
    """

    def __init__(self, dim: int, num_classes: int, alpha: float = -1.0, fidelity: Fidelity = "paper", dropout_rate: float = 0.2) -> None:
        super().__init__()
        if fidelity not in get_args(Fidelity):
            raise unknown_name("fidelity", fidelity, get_args(Fidelity))
        self.alpha = alpha
        hidden = 2 * dim if fidelity == "paper" else 4 * dim
        layers: list[nn.Module] = [
            nn.Dropout(dropout_rate),
            nn.Linear(2 * dim, hidden),
            nn.Tanh(),
            nn.Dropout(dropout_rate),
            nn.Linear(hidden, num_classes),
        ]
        self.layers = nn.Sequential(*layers, nn.Tanh()) if fidelity == "repo" else nn.Sequential(*layers)

    def forward(self, originals: Tensor, augmented: Tensor) -> Tensor:
        """Return one logit per class. Shapes: originals, augmented (batch, H) -> (batch, K)."""
        pairs = torch.cat([originals, augmented], dim=1)  # (batch, 2H)
        logits: Tensor = self.layers(reverse_gradient(pairs, self.alpha))
        return logits


def augmentation_cross_entropy(logits: Tensor, labels: Tensor) -> Tensor:
    """Binary cross entropy against the one-hot label, averaged over the batch and over K.

    AugCSE Eq. 2 (its 1/K sum over classes), and the batch mean. Shapes: logits (batch, K), labels (batch,) int -> scalar.
    """
    with torch.autocast(logits.device.type, enabled=False):
        targets = nn.functional.one_hot(labels, logits.shape[1]).float()
        return nn.functional.binary_cross_entropy_with_logits(logits.float(), targets)
