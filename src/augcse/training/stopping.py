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
    """A request to stop training after the current step, and the signal that caused it; false until there is one."""

    def __init__(self) -> None:
        self.signal_number: int | None = None

    def __bool__(self) -> bool:
        return self.signal_number is not None

    def take(self, number: int) -> None:
        """Store a signal; raise `Interrupted` at a second one, which stops the training at once."""
        if self:
            raise interrupted(number)
        self.signal_number = number


@contextmanager
def signals_interrupt() -> Iterator[None]:
    """Make SIGINT and SIGTERM raise `Interrupted` inside the block, so that partial files are removed.

    Like `deferred_signals`, it does nothing outside the main thread, which receives no signals, and restores the previous handlers.

    Raises:
        Interrupted: a signal was received; also if other code turned the exception into another one.
    """
    request = StopRequest()

    def stop(number: int) -> None:
        request.take(number)
        raise interrupted(number)

    try:
        with _handled(stop):
            yield
    except Exception as error:
        # Raised in `__set_name__` or during the import of a C extension, `Interrupted` becomes a RuntimeError or an ImportError.
        if request.signal_number is None:
            raise
        raise interrupted(request.signal_number) from error


@contextmanager
def deferred_signals(request: StopRequest) -> Iterator[None]:
    """Store SIGINT and SIGTERM in `request` inside the block."""
    with _handled(request.take):
        yield


def interrupted(number: int) -> Interrupted:
    """Return the exception for a signal."""
    return Interrupted(f"stopped by {signal.Signals(number).name}", number)


@contextmanager
def _handled(handle: Callable[[int], None]) -> Iterator[None]:
    """Call `handle` with each signal inside the block, and restore the previous handlers afterwards."""

    def handler(number: int, frame: FrameType | None) -> None:
        handle(number)

    previous_handlers: dict[signal.Signals, Any] = {}
    try:
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                # An ignored signal (nohup, a background job) stays ignored; a handler not set from Python could not be restored.
                if signal.getsignal(number) not in (signal.SIG_IGN, None):
                    previous_handlers[number] = signal.signal(number, handler)
        yield
    finally:
        for number, previous in previous_handlers.items():
            signal.signal(number, previous)
