"""Work that leaves the random generators of its caller, and a training that it interrupts, as they were."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import numpy as np
import torch

from augcse.rng import kept_python_generator


@contextmanager
def kept_generators(gpus: Iterable[int] | None = None) -> Iterator[None]:
    """Restore torch's generators (the CPU's, and those of these GPUs; None: of all), numpy's and Python's at the end of the block."""
    of_numpy = np.random.get_state()  # noqa: NPY002 - kept, not used
    try:
        with kept_python_generator(), torch.random.fork_rng(devices=range(torch.cuda.device_count()) if gpus is None else gpus):
            yield
    finally:
        np.random.set_state(of_numpy)  # noqa: NPY002


@contextmanager
def untouched(model: torch.nn.Module) -> Iterator[None]:
    """Restore every module's mode and the generators (of the GPUs that the model is on) at the end, see `kept_generators`."""
    modes = [(module, module.training) for module in model.modules()]
    gpus = sorted({parameter.device.index or 0 for parameter in model.parameters() if parameter.device.type == "cuda"})
    try:
        with kept_generators(gpus):
            yield
    finally:
        for module, mode in modes:
            module.training = mode
