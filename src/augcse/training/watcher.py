"""Where a run reports to. A module of its own, so that a caller who only watches does not import torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from transformers import TrainerCallback


@dataclass(frozen=True)
class Watcher:
    """Where a run reports to. Every member may be left out."""

    start: Callable[[str, int | None], None] = lambda stage, total: None
    advance: Callable[[int, Mapping[str, float]], None] = lambda done, figures: None
    warn: Callable[[str], None] = lambda message: None
    note: Callable[[str], None] = lambda message: None
    # Receives what came out: an `augcse.training.record.Run`.
    finish: Callable[[object], None] = lambda run: None
    # Called by the trainer, see `augcse.training.reporting`; and the names of the trackers that its figures go to.
    callbacks: tuple[TrainerCallback, ...] = ()
    report_to: tuple[str, ...] = ()


# For callers who do not watch.
NOBODY = Watcher()
