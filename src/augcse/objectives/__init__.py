"""Training objectives: `nn.Module`s that also work in a stock `SentenceTransformerTrainer`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from augcse.objectives.augcse import AugCSELoss
    from augcse.objectives.diffcse import DiffCSELoss, DiffCSENextLoss
    from augcse.objectives.diffcse_pairs import DiffCSEPairsLoss
    from augcse.objectives.simcse import SimCSELoss

__all__ = ["AugCSELoss", "DiffCSELoss", "DiffCSENextLoss", "DiffCSEPairsLoss", "SimCSELoss"]


def __getattr__(name: str) -> object:
    # Lazily, so that naming an objective (`augcse list`) does not import torch.
    from augcse.objectives.base import OBJECTIVES

    for card in OBJECTIVES.values():
        if card.class_name == name:
            return card.load()
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
