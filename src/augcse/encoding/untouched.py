"""Work that leaves no trace in the random generators of its caller, or in a training beside it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np
import torch

from augcse.rng import kept_python_generator


@contextmanager
def kept_generators(gpus: Iterable[int] | None = None) -> Iterator[None]:
    """Put back the generators of torch (the processor's, and those of these GPUs; None: of all), numpy and Python on leaving."""
    of_numpy = np.random.get_state()  # noqa: NPY002 - kept, not used
    try:
        with kept_python_generator(), torch.random.fork_rng(devices=range(torch.cuda.device_count()) if gpus is None else gpus):
            yield
    finally:
        np.random.set_state(of_numpy)  # noqa: NPY002


@contextmanager
def untouched(model: torch.nn.Module) -> Iterator[None]:
    """Put back every module's mode and the generators (of the GPUs that the model is on) on leaving, see `kept_generators`."""
    modes = [(module, module.training) for module in model.modules()]
    gpus = sorted({parameter.device.index or 0 for parameter in model.parameters() if parameter.device.type == "cuda"})
    try:
        with kept_generators(gpus):
            yield
    finally:
        for module, mode in modes:
            module.training = mode
