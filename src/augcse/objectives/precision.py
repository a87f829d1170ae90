"""The precision in which losses are computed."""

from __future__ import annotations

import torch
from torch import Tensor


def at_least_float32(values: Tensor) -> Tensor:
    """Return the values as float32, float64 ones unchanged: sums of exponentials lose too much in half precision."""
    return values if values.dtype == torch.float64 else values.float()
