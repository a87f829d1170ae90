"""The receiver of a run's progress and messages, in a module that does not import torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import TrainerCallback


@dataclass(frozen=True)
class Watcher:
    """Functions that receive the progress and messages of a run, and callbacks and trackers for its trainer; all optional."""

    start: Callable[[str, int | None], None] = lambda stage, total: None
    advance: Callable[[int, Mapping[str, float]], None] = lambda done, figures: None
    warn: Callable[[str], None] = lambda message: None
    note: Callable[[str], None] = lambda message: None
    # Receives the finished `augcse.training.record.Run`.
    finish: Callable[[object], None] = lambda run: None
    # Callbacks for the trainer, and names of trackers, see `augcse.training.reporting`.
    callbacks: tuple[TrainerCallback, ...] = ()
    report_to: tuple[str, ...] = ()


NO_WATCHER = Watcher()
