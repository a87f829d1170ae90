"""Processor time by parts of the work."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class CpuClock:
    """Seconds that the processors spent on this process, all threads together, by part; what is inside a part counts for itself alone.

    Args:
        now: the clock; another one in tests.

    Attributes:
        seconds: by part.
    """

    def __init__(self, now: Callable[[], float] = time.process_time) -> None:
        self.seconds: dict[str, float] = {}
        self._now = now

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Count what is done inside for a part."""
        started, counted = self._now(), sum(self.seconds.values())
        try:
            yield
        finally:
            inside = sum(self.seconds.values()) - counted
            self.seconds[name] = self.seconds.get(name, 0.0) + self._now() - started - inside
