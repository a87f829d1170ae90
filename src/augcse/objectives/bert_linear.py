"""BERT's linear layer."""

from __future__ import annotations

from torch import nn

_INITIAL_DEVIATION = 0.02


def bert_linear(inputs: int, outputs: int) -> nn.Linear:
    """Return a linear layer whose weights are drawn from a normal distribution (0, 0.02) and whose bias is 0, as BERT's are."""
    layer = nn.Linear(inputs, outputs)
    nn.init.normal_(layer.weight, std=_INITIAL_DEVIATION)
    nn.init.zeros_(layer.bias)
    return layer
