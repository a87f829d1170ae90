"""The progress of a sweep as text lines: runs and steps done, the rate, the time left.

The time left is estimated from whole runs, evaluation included, once one has finished; before that from steps, which the line states.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from augcse.sweeping.cost import Cost, duration

_EVERY_S = 15.0


class SweepProgress:
    """Counts steps and runs, and reports every 15 s and after each run.

    Args:
        runs: the number of runs in the sweep.
        finished_before: how many of them were finished before this call.
        steps: the number of steps that the others still have to make.
        notify: receives the lines.
    """

    def __init__(self, runs: int, finished_before: int, steps: int, notify: Callable[[str], None]) -> None:
        self._runs = runs
        self._finished_before = finished_before
        self._steps = steps
        self._notify = notify
        self._done = finished_before
        self._finished = 0
        self._workers = 1
        self._steps_done = 0
        self._started_s = self._reported_s = self._last_finish_s = time.monotonic()

    def begin(self, cost: Cost, workers: int) -> None:
        """Report what is left to do and the estimated time."""
        self._workers = workers
        finished = f"{self._finished_before} of {self._runs} runs are finished; " if self._finished_before else ""
        self._notify(f"{finished}to do: {cost}, {workers} at a time")

    def advance(self, steps: int) -> None:
        """Count a number of further steps."""
        self._steps_done += steps
        if time.monotonic() - self._reported_s > _EVERY_S:
            self._report("")

    def finish_run(self, name: str, failure: str) -> None:
        """Count a run that has ended; `failure` is the reason if it failed, else ""."""
        self._done += 1
        if not failure:
            self._finished += 1
            self._last_finish_s = time.monotonic()
        self._report(f"{name} failed: {failure}" if failure else f"{name} done")

    def _report(self, event: str) -> None:
        self._reported_s = now_s = time.monotonic()
        rate = self._steps_done / max(now_s - self._started_s, 1e-6)
        fields = [f"{self._done}/{self._runs} runs", f"{self._steps_done:,}/{self._steps:,} steps"]
        if rate > 0:
            fields += [f"{rate:.1f} steps/s", self._time_left(now_s, rate)]
        self._notify("  ".join([*fields, *([event] if event else [])]))

    def _time_left(self, now_s: float, rate: float) -> str:
        if not self._finished:
            return f"{duration(max(self._steps - self._steps_done, 0) / rate)} left, without scoring"
        # Runs of several workers overlap: until one run per worker has finished, the elapsed time is that of all workers' first runs.
        run_s = (self._last_finish_s - self._started_s) / max(self._finished, min(self._workers, self._runs - self._finished_before))
        seconds = run_s * (self._runs - self._done) - (now_s - self._last_finish_s)
        return f"{duration(max(seconds, 0))} left"
