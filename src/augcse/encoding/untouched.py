"""Work beside a training that leaves no trace in it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch


@contextmanager
def untouched(model: torch.nn.Module) -> Iterator[None]:
    """Put back every module's mode and the generators of torch (all devices in use), numpy and Python on leaving."""
    modes = [(module, module.training) for module in model.modules()]
    states: tuple[Any, Any] = (np.random.get_state(), random.getstate())  # noqa: NPY002 - kept, not used
    devices = sorted({parameter.device.index or 0 for parameter in model.parameters() if parameter.device.type == "cuda"})
    try:
        with torch.random.fork_rng(devices=devices):
            yield
    finally:
        for module, mode in modes:
            module.training = mode
        np.random.set_state(states[0])  # noqa: NPY002
        random.setstate(states[1])
