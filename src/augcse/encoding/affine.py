"""An affine map as sentence-transformers' own `Dense` module: saved models load anywhere, without this package."""

from __future__ import annotations

from typing import Any

import numpy.typing as npt
import torch
from sentence_transformers.sentence_transformer.modules import Dense


def dense(weight: npt.NDArray[Any], bias: npt.NDArray[Any]) -> Dense:
    """Return the module that maps an embedding x to weight x + bias. (dim out, dim in), (dim out,)."""
    return Dense(
        weight.shape[1],
        weight.shape[0],
        activation_function=torch.nn.Identity(),
        init_weight=torch.tensor(weight, dtype=torch.float32),
        init_bias=torch.tensor(bias, dtype=torch.float32),
    )
