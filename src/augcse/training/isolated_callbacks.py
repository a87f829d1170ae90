"""User callbacks and trackers, isolated: their use of random generators and of train or eval mode does not affect the training."""

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


class IsolatedCallbacks(TrainerCallback):  # type: ignore[misc]
    """Forwards every event to the user's callbacks, then to the trackers, as transformers would.

    The random generators and the train or eval mode of every module are restored after each call, so that a run has the same result with
    callbacks and without. Changes to `control` and to the weights take effect.

    Args:
        model: the encoder.
        callbacks: the user's callbacks, whose exceptions are not changed.
        trackers: callbacks with the names of their trackers; their exceptions become a `UserError`.
    """

    def __init__(
        self, model: nn.Module, callbacks: Sequence[TrainerCallback], trackers: Sequence[tuple[str, TrainerCallback]] = ()
    ) -> None:
        self._model = model
        users: list[tuple[TrainerCallback, Callable[[], AbstractContextManager[Any]]]] = [(callback, nullcontext) for callback in callbacks]
        self._callbacks = users + [(callback, partial(_reported, name)) for name, callback in trackers]

    def dispatch(
        self, event: str, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any
    ) -> TrainerControl | None:
        """Call every callback that handles the event."""
        for callback, context in self._callbacks:
            if getattr(type(callback), event) is not getattr(TrainerCallback, event):
                with context(), untouched(self._model):
                    control = getattr(callback, event)(args, state, control, **others) or control
        return control


def _event_handler(event: str) -> Callable[..., TrainerControl | None]:
    def dispatch(
        self: IsolatedCallbacks, args: TrainingArguments, state: TrainerState, control: TrainerControl, **others: Any
    ) -> TrainerControl | None:
        return self.dispatch(event, args, state, control, **others)

    return dispatch


for _event in EVENTS:
    setattr(IsolatedCallbacks, _event, _event_handler(_event))


@contextmanager
def _reported(tracker: str) -> Iterator[None]:
    """Turn a tracker's exceptions into `UserError`, and redirect its output to stderr: stdout is for results, such as a JSON document."""

    def describe(error: BaseException) -> str:
        reason = (str(error).strip().splitlines() or [type(error).__name__])[0]
        return f"report_to {tracker}: {reason[:300]}; fix that, or continue with --resume and another report_to"

    with redirect_stdout(sys.stderr), ForeignFailure(describe):
        yield
