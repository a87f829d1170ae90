"""What the options of objectives may be. Their constructors are annotated with these names and Python's own types.

No torch here: recipes are checked, and `augcse list` answers, without importing the losses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Literal

from pydantic import AfterValidator, Field

from augcse.augmentations.option_types import ModelName
from augcse.errors import UserError
from augcse.objectives.loss_weights import check_losses
from augcse.objectives.projection_spec import check_projection
from augcse.options import Share

__all__ = ["ModelName", "Share"]


def _without_repetition(names: Sequence[str]) -> Sequence[str]:
    if len(set(names)) < len(names):
        raise UserError(f"one is named twice in {list(names)}; name each once")
    return names


# What divides a cosine or a distance.
Temperature = Annotated[float, Field(gt=0, le=100)]
# The factor of a term of the loss.
Weight = Annotated[float, Field(ge=0, le=1_000_000)]
# A share that is neither none nor all.
PartialShare = Annotated[float, Field(gt=0, lt=1)]
DropoutRate = Annotated[float, Field(ge=0, lt=1)]
ProjectionKind = Annotated[
    str,
    AfterValidator(check_projection),
    Field(description="none, linear, mlp[:layers=N:heads=N], batchnorm, or moe[:experts=N:active=N]"),
]
Fidelity = Literal["paper", "repo"]

# AugCSE: any sign; beyond this the encoder sees nothing else.
ReversalFactor = Annotated[float, Field(ge=-10_000, le=10_000)]
DiscriminatorDepth = Annotated[int, Field(ge=1, le=16)]
Discrimination = Literal["augmentation", "original", "order", "none"]
Contrast = Literal["originals", "augmented"]

# The seven losses of AugCSE's code.
Losses = Annotated[str, AfterValidator(check_losses), Field(description="names with weights, e.g. ranking:1.0,triplet:0.5")]
Sampling = Literal["by_role", "uniform"]
Distance = Literal["cosine", "euclidean", "manhattan"]
Margin = Annotated[float, Field(ge=0, le=10_000)]
# Below 1 its slope is infinite at 0.
AlignmentPower = Annotated[float, Field(ge=1, le=16)]
UniformityScale = Annotated[float, Field(gt=0, le=10_000)]
# Added to a logit: the logarithm of a weight.
LogWeight = Annotated[float, Field(ge=-100, le=100)]

# DiffCSE.
EditName = Literal["replace", "insert", "delete"]
Edits = Annotated[Sequence[EditName], AfterValidator(_without_repetition), Field(min_length=1)]
DifferenceTask = Literal["detection", "masked_lm", "corrective_lm"]
Condition = Literal["projected", "pooled"]
Role = Literal["positive", "negative"]
LayerCount = Annotated[int, Field(ge=1, le=1000)]

# Rows that ESimCSE's queue holds: each is a vector in memory.
QueueRows = Annotated[int, Field(ge=0, le=1_000_000)]
# UNA: batches.
BatchCount = Annotated[int, Field(ge=0, le=1_000_000)]
Method = Literal["interpolation", "extrapolation", "linear", "gaussian"]
Deviation = Annotated[float, Field(ge=0, le=1000)]
