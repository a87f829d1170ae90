"""Where a sweep is, in lines: runs and steps done, the rate, the time left.

The time left is by whole runs, scoring included, once one has finished; before that, by steps, and the line says so.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from augcse.sweeping.cost import Cost, duration

_EVERY_S = 15.0


class SweepProgress:
    """Turns reports of runs into lines, every 15 s and after each run.

    Args:
        runs: how many there are.
        kept: how many of them were finished before.
        steps: of the runs that are left.
        notify: receives the lines.
    """

    def __init__(self, runs: int, kept: int, steps: int, notify: Callable[[str], None]) -> None:
        self._runs, self._done, self._steps, self._notify = runs, kept, steps, notify
        self._kept, self._finished, self._workers = kept, 0, 1
        self._steps_done = 0
        self._began_s = self._said_s = self._run_done_s = time.monotonic()

    def begin(self, cost: Cost, workers: int) -> None:
        """Say what is left to do, and about how long it takes."""
        self._workers = workers
        kept = f"{self._kept} of {self._runs} runs are finished; " if self._kept else ""
        self._notify(f"{kept}to do: {cost}, {workers} at a time")

    def steps_done(self, steps: int) -> None:
        """Take a number of further steps."""
        self._steps_done += steps
        if time.monotonic() - self._said_s > _EVERY_S:
            self._say("")

    def run_done(self, name: str, failure: str) -> None:
        """Take a run that has ended."""
        self._done += 1
        if not failure:
            self._finished += 1
            self._run_done_s = time.monotonic()
        self._say(f"{name} failed: {failure}" if failure else f"{name} done")

    def _say(self, what: str) -> None:
        self._said_s = now_s = time.monotonic()
        rate = self._steps_done / max(now_s - self._began_s, 1e-6)
        parts = [f"{self._done}/{self._runs} runs", f"{self._steps_done:,}/{self._steps:,} steps"]
        if rate > 0:
            parts += [f"{rate:.1f} steps/s", self._left(now_s, rate)]
        self._notify("  ".join([*parts, *([what] if what else [])]))

    def _left(self, now_s: float, rate: float) -> str:
        if not self._finished:
            return f"{duration(max(self._steps - self._steps_done, 0) / rate)} left, scoring aside"
        # As many runs as there are workers go side by side: the first of them to finish took no shorter for that.
        run_s = (self._run_done_s - self._began_s) / max(self._finished, min(self._workers, self._runs - self._kept))
        seconds = run_s * (self._runs - self._done) - (now_s - self._run_done_s)
        return f"{duration(max(seconds, 0))} left"
