"""CPU time by phases of a run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager


class CpuClock:
    """Measures the CPU time of this process, all threads together, by named part; a nested part does not count for the outer one.

    Args:
        now: returns the CPU time in seconds; replaced in tests.

    Attributes:
        seconds: CPU seconds by part.
    """

    def __init__(self, now: Callable[[], float] = time.process_time) -> None:
        self.seconds: dict[str, float] = {}
        self._now = now

    @contextmanager
    def part(self, name: str) -> Iterator[None]:
        """Add the CPU time of the block to a part."""
        started, counted = self._now(), sum(self.seconds.values())
        try:
            yield
        finally:
            nested = sum(self.seconds.values()) - counted
            self.seconds[name] = self.seconds.get(name, 0.0) + self._now() - started - nested
