"""Callbacks that are not ours, called so that what they draw, switch or encode changes nothing of the training."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, redirect_stdout
from functools import partial
from typing import Any

from torch import nn
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from augcse.encoding.untouched import untouched
from augcse.errors import ForeignFailure

EVENTS = tuple(name for name in vars(TrainerCallback) if name.startswith("on_"))


class OthersCallbacks(TrainerCallback):  # type: ignore[misc]
    """Passes every event on, in order, to callbacks of the user's and of trackers, as transformers would.

    The generators and every module's train or eval mode are put back after each, so that a run ends with the same bits with callbacks and
    without. What a callback asks for (`control`), and what it does to the weights, counts.

    Args:
        model: the encoder.
        callbacks: the user's; what they raise passes as it is.
        trackers: with their names; what they raise becomes a `UserError`.
    """

    def __init__(
        self, model: nn.Module, callbacks: Sequence[TrainerCallback], trackers: Sequence[tuple[str, TrainerCallback]] = ()
    ) -> None:
        self._model = model
        own: list[tuple[TrainerCallback, Callable[[], AbstractContextManager[Any]]]] = [(callback, nullcontext) for callback in callbacks]
        self._callbacks = own + [(callback, partial(_reported, name)) for name, callback in trackers]

    def pass_on(
        self, event: str, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any
    ) -> TrainerControl | None:
        """Call every callback that has something to do at the event."""
        for callback, context in self._callbacks:
            if getattr(type(callback), event) is not getattr(TrainerCallback, event):
                with context(), untouched(self._model):
                    control = getattr(callback, event)(args, state, control, **others) or control
        return control


def _passing_on(event: str) -> Callable[..., TrainerControl | None]:
    def pass_on(
        self: OthersCallbacks, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any
    ) -> TrainerControl | None:
        return self.pass_on(event, args, state, control, **others)

    return pass_on


for _event in EVENTS:
    setattr(OthersCallbacks, _event, _passing_on(_event))


@contextmanager
def _reported(tracker: str) -> Iterator[None]:
    """Make what a tracker raises a `UserError`, and write what it prints to stderr: stdout is for results, such as one JSON document."""

    def describe(error: BaseException) -> str:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        return f"report_to {tracker}: {reason[:300]}; fix that, or go on with --resume and another report_to"

    with redirect_stdout(sys.stderr), ForeignFailure(describe):
        yield
