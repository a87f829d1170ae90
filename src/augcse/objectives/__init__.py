"""Training objectives: `nn.Module`s that also work in a stock `SentenceTransformerTrainer`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from augcse.objectives.augcse import AugCSELoss
    from augcse.objectives.contrastive import ContrastiveLoss
    from augcse.objectives.denoising import DenoSentLoss, TSDAELoss
    from augcse.objectives.diffcse import DiffCSELoss, DiffCSENextLoss
    from augcse.objectives.diffcse_pairs import DiffCSEPairsLoss
    from augcse.objectives.documents import DocumentsLoss
    from augcse.objectives.esimcse import ESimCSELoss
    from augcse.objectives.joint import JointSupervisedLoss
    from augcse.objectives.mixcse import MixCSELoss
    from augcse.objectives.modals import MODALSLoss
    from augcse.objectives.pca_jitter import PCAJitterLoss
    from augcse.objectives.rankcse import RankCSELoss
    from augcse.objectives.sda import SDALoss
    from augcse.objectives.simcse import SimCSELoss, SupervisedSimCSELoss
    from augcse.objectives.simcse_plus_plus import SimCSEPlusPlusLoss
    from augcse.objectives.sncse import SNCSELoss
    from augcse.objectives.una import UNALoss

__all__ = [
    "AugCSELoss",
    "ContrastiveLoss",
    "DenoSentLoss",
    "DiffCSELoss",
    "DiffCSENextLoss",
    "DiffCSEPairsLoss",
    "DocumentsLoss",
    "ESimCSELoss",
    "JointSupervisedLoss",
    "MODALSLoss",
    "MixCSELoss",
    "PCAJitterLoss",
    "RankCSELoss",
    "SDALoss",
    "SNCSELoss",
    "SimCSELoss",
    "SimCSEPlusPlusLoss",
    "SupervisedSimCSELoss",
    "TSDAELoss",
    "UNALoss",
]


def __getattr__(name: str) -> object:
    # Lazily, so that naming an objective (`augcse list`) does not import torch.
    from augcse.objectives.base import OBJECTIVES

    for card in OBJECTIVES:
        if card.class_name == name:
            return card.load()
    if name == "JointSupervisedLoss":  # for stock trainers only: no recipe names it
        from augcse.objectives.joint import JointSupervisedLoss

        return JointSupervisedLoss
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
