"""A running average of an encoder."""

from __future__ import annotations

import copy

import torch
from torch import Tensor, nn

from augcse.objectives.views import Features, encode


class MomentumEncoder(nn.Module):
    """A running average of an encoder: theta_m <- m * theta_m + (1 - m) * theta. Dropout is always off in it."""

    def __init__(self, model: nn.Module, momentum: float) -> None:
        super().__init__()
        self.momentum = momentum
        self.average = nn.Sequential(*(copy.deepcopy(module) for module in model.children()))
        self.average.requires_grad_(False).eval()

    def train(self, mode: bool = True) -> MomentumEncoder:
        """Switch the mode, but never the copy's."""
        super().train(mode)
        self.average.eval()
        return self

    @torch.no_grad()
    def follow(self, model: nn.Module) -> None:
        """Move towards the encoder's present weights."""
        for average, current in zip(self.average.parameters(), model.parameters(), strict=True):
            average.lerp_(current.to(average.dtype), 1 - self.momentum)

    @torch.no_grad()
    def forward(self, features: Features) -> Tensor:
        """Encode one view: (batch, length) -> (batch, dim)."""
        return encode(self.average, features)
