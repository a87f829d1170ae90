"""The callback that requests evaluation, checkpoints and the end of training from the trainer after a step."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import Any

from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from augcse.objectives.gather import max_over_processes
from augcse.training.moments import patience_exhausted
from augcse.training.stopping import StopRequest

Advance = Callable[[int, Mapping[str, float]], None]


class _Request(IntEnum):
    """The request of a process after a step; the highest one of all processes applies to all."""

    NOTHING = 0
    SAVE = 1
    STOP = 2


class StepRequests(TrainerCallback):  # type: ignore[misc]
    """Requests evaluation on schedule, and checkpoints by time, on a stop request and after the last step; reports progress.

    Args:
        scored_steps: the steps after which the encoder is evaluated.
        advance: called after each step with its number and, when there are any, new figures.
        checkpoint_every_s: the time between checkpoints; 0: none by time.
        stop_request: set by a signal.
        patience_scores: see `ObjectiveTrainer`.
    """

    def __init__(
        self, scored_steps: frozenset[int], advance: Advance, checkpoint_every_s: float, stop_request: StopRequest, patience_scores: int
    ) -> None:
        self._scored_steps = scored_steps
        self._patience_scores = patience_scores
        self._advance = advance
        self._checkpoint_every_s = checkpoint_every_s
        self._saved_s = time.monotonic()
        self._stop_request = stop_request

    def on_train_begin(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any) -> None:
        """Start the time to the next checkpoint."""
        self._saved_s = time.monotonic()

    def on_save(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any) -> None:
        """Restart the time to the next checkpoint."""
        self._saved_s = time.monotonic()

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any) -> TrainerControl:
        """Request evaluation on schedule, a checkpoint when one is due and after the last step, and a stop if a signal was received."""
        last = state.global_step >= state.max_steps
        if state.global_step in self._scored_steps:
            control.should_evaluate = True
        if last:
            control.should_save = control.should_log = True
        self._advance(state.global_step, {})
        request = _Request.SAVE if self._is_checkpoint_due() else _Request.NOTHING
        if self._stop_request:
            request = _Request.STOP
        # Clocks differ, and a signal may reach one process only, but either all processes must save or none.
        agreed = max_over_processes(request, args.device)
        if agreed:
            control.should_save = True
        if agreed == _Request.STOP:
            control.should_training_stop = True
            if not self._stop_request:
                self._stop_request.take(signal.SIGTERM)
        return control

    def on_evaluate(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any) -> TrainerControl:
        """Request a checkpoint and a stop when the patience is exhausted."""
        if patience_exhausted(state.log_history, self._patience_scores):
            control.should_save = control.should_training_stop = True
        return control

    def _is_checkpoint_due(self) -> bool:
        return 0 < self._checkpoint_every_s <= time.monotonic() - self._saved_s

    def on_log(
        self,
        args: TrainingArguments,
        state: TrainerState,
        control: TrainerControl,
        logs: Mapping[str, float] | None = None,
        **others: Any,
    ) -> None:
        """Report new figures."""
        self._advance(state.global_step, logs or {})
