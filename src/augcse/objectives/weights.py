"""How many weights a training needs, and how many the model keeps (AugCSE, table 13; DiffCSE, table 14)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from torch import nn

from augcse.objectives.sentence_loss import SentenceLoss


@dataclass(frozen=True)
class WeightCounts:
    """Numbers of weights; one that two modules share counts once.

    Attributes:
        model: of the encoder, which is what is saved.
        trained: those that the optimiser changes, with the heads that are dropped after training.
        held: all that the loss holds while training; also frozen ones, such as a generator's, or a running average's that the objective
            keeps. Not the copy of `training.average_decay`, nor teachers, whose vectors are computed before the first step.
    """

    model: int
    trained: int
    held: int

    def __str__(self) -> str:
        """Return the line that is logged at the start of training."""
        return f"weights: {self.model:,} of the model, {self.trained:,} trained, {self.held:,} held while training"


def count_weights(loss: SentenceLoss) -> WeightCounts:
    """Count the weights of a loss and of the encoder that it holds."""
    return WeightCounts(
        model=_number(loss.model.parameters()),
        trained=_number(parameter for parameter in loss.parameters() if parameter.requires_grad),
        held=_number(loss.parameters()),
    )


def _number(parameters: Iterable[nn.Parameter]) -> int:
    return sum(parameter.numel() for parameter in parameters)
