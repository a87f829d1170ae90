"""SIGINT and SIGTERM: a training stops after its current step, with a checkpoint; other work stops where it is."""

from __future__ import annotations

import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from augcse.errors import Interrupted

_SIGNALS = (signal.SIGINT, signal.SIGTERM)


class StopRequest:
    """Whether a training is to stop after its current step, and because of which signal."""

    def __init__(self) -> None:
        self.signal_number: int | None = None

    def __bool__(self) -> bool:
        return self.signal_number is not None

    def take(self, number: int) -> None:
        """Note a signal; raise `Interrupted` for a second one, for a user who does not want to wait for the step's end."""
        if self:
            raise interrupted(number)
        self.signal_number = number


@contextmanager
def signals_interrupt() -> Iterator[None]:
    """Let SIGINT and SIGTERM raise `Interrupted`, so that SIGTERM too leaves nothing half-written.

    As `deferred_signals`, it does nothing outside the main thread, where Python takes no signals, and puts back what was set before.

    Raises:
        Interrupted: a signal came; also where other code turned that into an error of its own.
    """
    request = StopRequest()

    def stop(number: int) -> None:
        request.take(number)
        raise interrupted(number)

    try:
        with _handled(stop):
            yield
    except Exception as error:
        # Raised while a class is made (`__set_name__`) or a C part is imported, it comes out as a RuntimeError or an ImportError.
        if request.signal_number is None:
            raise
        raise interrupted(request.signal_number) from error


@contextmanager
def deferred_signals(request: StopRequest) -> Iterator[None]:
    """Let SIGINT and SIGTERM be noted in `request`."""
    with _handled(request.take):
        yield


def interrupted(number: int) -> Interrupted:
    """Return what to raise for a signal."""
    return Interrupted(f"stopped by {signal.Signals(number).name}", number)


@contextmanager
def _handled(handle: Callable[[int], None]) -> Iterator[None]:
    def handler(number: int, frame: FrameType | None) -> None:
        handle(number)

    before: dict[signal.Signals, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                # One that is ignored (nohup, a background job) stays so; one that was not set from Python could not be put back.
                if signal.getsignal(number) not in (signal.SIG_IGN, None):
                    before[number] = signal.signal(number, handler)
        yield
    finally:
        for number, previous in before.items():
            signal.signal(number, previous)
