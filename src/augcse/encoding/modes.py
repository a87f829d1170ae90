"""A model in train or eval mode for a while."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn


@contextmanager
def in_mode(model: nn.Module, training: bool) -> Iterator[None]:
    """Put the model into train or eval mode; every module gets its own mode back. Nothing is done where it is in that mode already."""
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
