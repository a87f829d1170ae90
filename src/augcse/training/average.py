"""An exponential moving average (EMA) of the trained weights, which is evaluated and saved instead of them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import torch
from safetensors.torch import load_file, save_file
from torch import Tensor, nn
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

AVERAGE = "average.safetensors"


def decay_at(step: int, decay: float) -> float:
    """Return the decay of the average at a step, counted from 1: min(decay, (1 + step) / (10 + step)).

    It is small in the first steps, so that the average does not stay close to the initial weights for long.

    >>> [round(decay_at(step, 0.99), 3) for step in (1, 10, 1000)]
    [0.182, 0.55, 0.99]
    """
    return min(decay, (1 + step) / (10 + step))


class WeightAverage:
    """theta_mean <- d theta_mean + (1 - d) theta after each step, for the trainable parameters of an encoder; d is that of `decay_at`.

    Polyak and Juditsky 1992; with a decay that rises, Tarvainen and Valpola 2017 (mean teacher, arXiv 1703.01780, section 3).

    Args:
        model: the encoder; the average is initialized with its weights.
        decay: the largest d.
    """

    def __init__(self, model: nn.Module, decay: float) -> None:
        self._model = model
        self._decay = decay
        self.weights = {name: value.detach().clone() for name, value in self._trained_parameters()}

    def follow(self, step: int) -> None:
        """Update the average with the current weights of the encoder, after a step counted from 1."""
        with torch.no_grad():
            for name, value in self._trained_parameters():
                self.weights[name].lerp_(value.detach(), 1 - decay_at(step, self._decay))

    @contextmanager
    def swapped_in(self) -> Iterator[None]:
        """Give the encoder the averaged weights inside the block; the trained weights are restored exactly afterwards."""
        trained = {name: value.detach().clone() for name, value in self._trained_parameters()}
        self._set_weights(self.weights)
        try:
            yield
        finally:
            self._set_weights(trained)

    def save(self, folder: Path) -> None:
        """Write the average into a checkpoint."""
        save_file({name: value.contiguous() for name, value in self.weights.items()}, folder / AVERAGE)

    def load(self, folder: Path) -> None:
        """Read the average from a checkpoint."""
        for name, value in load_file(folder / AVERAGE).items():
            self.weights[name].copy_(value)

    def _trained_parameters(self) -> list[tuple[str, Tensor]]:
        return [(name, value) for name, value in self._model.named_parameters() if value.requires_grad]

    def _set_weights(self, weights: dict[str, Tensor]) -> None:
        with torch.no_grad():
            for name, value in self._trained_parameters():
                value.copy_(weights[name])


class AverageUpdate(TrainerCallback):  # type: ignore[misc]
    """Updates the average after each step, before evaluation and checkpoints."""

    def __init__(self, average: WeightAverage) -> None:
        self._average = average

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any) -> None:
        """Update the average."""
        self._average.follow(state.global_step)
