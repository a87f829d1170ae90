"""What `augcse train` brings along for objectives with teachers: a vector per row."""

from __future__ import annotations

import torch
from torch import Tensor

from augcse.objectives.base import ObjectiveCard
from augcse.objectives.views import TEACHER


def teacher_rows(card: ObjectiveCard, rows: int) -> dict[str, Tensor]:
    """Return the feature of the first view that holds the teachers' vectors, (rows, 7); none for other objectives."""
    if "teachers" not in card.options:
        return {}
    vectors = torch.randn(rows, 7, generator=torch.Generator().manual_seed(9))
    return {TEACHER: torch.nn.functional.normalize(vectors, dim=1)}
