"""BERT's linear layer."""

from __future__ import annotations

from torch import nn

_INITIAL_DEVIATION = 0.02


def bert_linear(inputs: int, outputs: int) -> nn.Linear:
    """Return a linear layer with weights from a normal distribution (mean 0, deviation 0.02) and bias 0, as in BERT."""
    layer = nn.Linear(inputs, outputs)
    nn.init.normal_(layer.weight, std=_INITIAL_DEVIATION)
    nn.init.zeros_(layer.bias)
    return layer
