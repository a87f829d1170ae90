"""Detect collapsed embeddings in training: two views of one sentence are no more similar than views of different sentences.

Neither the loss nor a mean cosine near 1 (uniformity near 0) shows this during training: with dropout on, a collapsed mini-bert, whose
loss was the logarithm of the batch size, had a mean cosine of 0.91, and that of an untrained, intact RoBERTa is near 1.
"""

from __future__ import annotations

from collections import deque
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from augcse.errors import UserError

# Means over 25 steps of 16 sentences, mini-bert: 0.61 in a normal run (0.13 in its first step), -0.002 in two collapsed ones.
COLLAPSED_SEPARATION = 0.05
WINDOW_STEPS = 100


def separation(first: Tensor, second: Tensor) -> tuple[Tensor, Tensor]:
    """Return how much more similar two views of a row are than views of different rows, and the mean cosine of the latter.

    (own - other) / (1 - other), with own the mean of cos(first_i, second_i) and other that of cos(first_i, second_j), j != i: 1 if own is
    1, 0 if both are equal. It does not depend on the range of the cosines, and its cost is linear in the rows: for unit rows, other =
    (sum first . sum second - sum of own) / (n (n - 1)).

    Shapes: (rows, dim), two rows at least -> two scalars.
    """
    with torch.autocast(first.device.type, enabled=False):
        left, right = functional.normalize(first.float(), dim=1), functional.normalize(second.float(), dim=1)
        own = (left * right).sum()
        rows = len(left)
        other = (left.sum(dim=0) @ right.sum(dim=0) - own) / (rows * (rows - 1))
        return (own / rows - other) / (1 - other).clamp(min=1e-6), other


class CollapseMonitor:
    """Monitors the encoder's embeddings during training.

    The first two views that a step encodes, in one pass or two, are assumed to be views of the same sentences, as they are for every
    objective here. Steps that encode only one view are skipped.

    Args:
        model: the encoder.
        bound: embeddings have collapsed if the absolute value of the mean separation is below this.
        window_steps: the number of steps of the moving mean; there is no check before the window is full.
    """

    def __init__(self, model: nn.Module, bound: float = COLLAPSED_SEPARATION, window_steps: int = WINDOW_STEPS) -> None:
        self.bound = bound
        # Saved in checkpoints, so that a resumed training stops at the same step.
        self.window: deque[float] = deque(maxlen=window_steps)
        self._seen: list[Tensor] = []
        model.register_forward_hook(self._remember)

    def check(self, step: int, rows: int) -> dict[str, Tensor]:
        """Check a step of `rows` sentences and discard its embeddings. Returns {"separation", "mean_cosine"}, or {} for a skipped step.

        Raises:
            UserError: the embeddings have collapsed.
        """
        seen, self._seen = self._seen, []
        if rows < 2 or sum(map(len, seen)) < 2 * rows:
            return {}
        embeddings = torch.cat(seen)
        value, other = separation(embeddings[:rows], embeddings[rows : 2 * rows])
        self.window.append(value.item())
        mean = sum(self.window) / len(self.window)
        if len(self.window) == self.window.maxlen and abs(mean) < self.bound:
            raise UserError(
                f"the embeddings have collapsed: in the {len(self.window)} steps up to {step} two views of a sentence were no more alike"
                f" than two sentences (mean cosine {other.item():.3f}); lower training.learning_rate, or raise training.warmup_ratio"
            )
        return {"separation": value, "mean_cosine": other}

    def _remember(self, model: nn.Module, arguments: Any, output: dict[str, Any]) -> None:
        if model.training:
            self._seen.append(output["sentence_embedding"].detach())
