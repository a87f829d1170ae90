"""Set the train or eval mode of a model temporarily."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn


@contextmanager
def in_mode(model: nn.Module, training: bool) -> Iterator[None]:
    """Set the model to train or eval mode inside the block, unless it is in that mode; the mode of each module is restored afterwards."""
    if model.training == training:
        yield
        return
    modes = [(module, module.training) for module in model.modules()]
    model.train(training)
    try:
        yield
    finally:
        for module, mode in modes:
            module.training = mode
