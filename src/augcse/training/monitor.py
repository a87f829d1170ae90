"""Stop a training whose embeddings have collapsed: all sentences on one point, whatever the loss says."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from augcse.errors import UserError

# A cosine of 0.999 between any two sentences is a uniformity (Wang and Isola 2020) of -0.004; 0 is a single point.
COLLAPSED_COSINE = 0.999
# A pretrained encoder may start that narrow (RoBERTa's <s>) and needs some steps to spread.
PATIENCE_STEPS = 100


def mean_cosine(embeddings: Tensor) -> Tensor:
    """Return the mean cosine between two different rows: (|sum of unit rows|^2 - n) / (n (n - 1)), without the n x n matrix.

    Shapes: (rows, dim) -> scalar; 0 for a single row.
    """
    unit = functional.normalize(embeddings.float(), dim=1)
    rows = len(unit)
    return (unit.sum(dim=0).square().sum() - unit.square().sum()) / max(rows * (rows - 1), 1)


class CollapseMonitor:
    """Watches the encoder's embeddings in training.

    It reads the first pass of each step. Where that holds two views of each sentence, the pairs of views count too, one in 2n - 1.

    Args:
        model: the encoder.
        cosine: mean cosine from which a step counts as collapsed.
        patience_steps: so many such steps in a row stop the training.
    """

    def __init__(self, model: nn.Module, cosine: float = COLLAPSED_COSINE, patience_steps: int = PATIENCE_STEPS) -> None:
        self.cosine = cosine
        self.patience_steps = patience_steps
        self.collapsed_steps = 0
        self._seen: Tensor | None = None
        model.register_forward_hook(self._remember)

    def check(self, step: int) -> dict[str, Tensor]:
        """Judge step `step` and forget its embeddings. Returns {"mean_cosine": scalar}, nothing if nothing was encoded.

        Raises:
            UserError: the embeddings have been collapsed for `patience_steps` steps.
        """
        embeddings, self._seen = self._seen, None
        if embeddings is None or len(embeddings) < 2:
            return {}
        with torch.autocast(embeddings.device.type, enabled=False):
            value = mean_cosine(embeddings)
        self.collapsed_steps = self.collapsed_steps + 1 if value.item() >= self.cosine else 0
        if self.collapsed_steps >= self.patience_steps:
            raise UserError(
                f"the embeddings have collapsed: at step {step} the mean cosine between different sentences is {value.item():.4f}, and has"
                f" been at least {self.cosine} for {self.patience_steps} steps; lower training.learning_rate, or raise"
                " training.warmup_ratio"
            )
        return {"mean_cosine": value}

    def _remember(self, model: nn.Module, arguments: Any, output: dict[str, Any]) -> None:
        if model.training and self._seen is None:
            self._seen = output["sentence_embedding"].detach()
