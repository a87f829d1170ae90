"""The progress of a stage of a run as text: how much is done, the speed, the time left, the latest figures. Never imports torch."""

from __future__ import annotations

import time
from collections.abc import Mapping

TRAINING = "training"
_SHOWN_FIGURES = ("loss", "discriminator_accuracy")
_SHORT_NAMES = {"discriminator_accuracy": "discriminator"}
_EVAL = "eval_"


class StageProgress:
    """Counts the sentences of a stage or, while training, its steps.

    Args:
        batch_size: the number of `unit`s per training step.
        unit: the unit of the training speed.
    """

    def __init__(self, batch_size: int, unit: str = "sentences") -> None:
        self._batch_size = batch_size
        self._unit = unit
        self.start("", None)

    def start(self, stage: str, total: int | None) -> None:
        """Begin a stage; `total` is the final count of `advance`, None if unknown."""
        self.stage = stage
        self.total = total
        self.done = 0
        self._first = 0
        self._started_s = time.monotonic()
        self._figures: dict[str, float] = {}

    def advance(self, count: int, figures: Mapping[str, float]) -> None:
        """Update the count, with a step number while training, else a number of further sentences; and the latest figures."""
        training = self.stage == TRAINING
        if training and not self.done:
            self._first = max(count - 1, 0)
        self.done = count if training else self.done + count
        self._figures.update({name: value for name, value in figures.items() if name in _SHOWN_FIGURES or name.startswith(_EVAL)})

    def beginning(self) -> str:
        """Return the line to show when the stage begins."""
        unit = "steps" if self.stage == TRAINING else "sentences"
        return f"{self.stage}: {self.total:,} {unit}" if self.total else self.stage

    def line(self) -> str:
        """Return stage, count and details in one line."""
        return f"{self.stage} {self.done}" + (f"/{self.total}" if self.total else "") + f" {self.details()}"

    def details(self) -> str:
        """Return rate, time left and figures."""
        training = self.stage == TRAINING
        per_count = self._batch_size if training else 1
        elapsed_s = max(time.monotonic() - self._started_s, 1e-6)
        rate = (self.done - self._first) * per_count / elapsed_s
        shown_rate = f"{rate:,.0f}" if rate >= 10 or not training else f"{rate:.3g}"
        details = [f"{shown_rate} {self._unit if training else 'sentences'}/s"]
        if self.total and rate > 0:
            left_s = (self.total - self.done) * per_count / rate
            details.append(f"{left_s / 60:.1f} min left")
        details += [f"{_SHORT_NAMES.get(name, name.removeprefix(_EVAL))} {value:.3g}" for name, value in self._figures.items()]
        return "  ".join(details)
