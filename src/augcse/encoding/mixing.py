"""Linear interpolation between the weights of two models of one architecture: (1 - w) start + w trained, exact at both ends."""

from __future__ import annotations

from collections.abc import Mapping

import torch
from torch import Tensor, nn


def float32_state(model: nn.Module) -> dict[str, Tensor]:
    """Return a copy of a model's state dict, with floating-point tensors in float32."""
    return {name: value.float().clone() if value.is_floating_point() else value.clone() for name, value in model.state_dict().items()}


def mixed_state(start: Mapping[str, Tensor], trained: Mapping[str, Tensor], weight: float) -> dict[str, Tensor]:
    """Return (1 - weight) start + weight trained, tensor by tensor; other tensors than floating-point ones are the start's.

    Args:
        start: a state dict.
        trained: another one with the same names and shapes.
        weight: 0 gives exactly the start's values, 1 exactly the trained ones.
    """
    return {
        name: torch.lerp(value, trained[name].to(value.device), weight) if value.is_floating_point() else value
        for name, value in start.items()
    }
