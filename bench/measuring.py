"""Measurements for the benchmarks: wall and processor seconds of a function call, and peak memory of the process."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any


def timed(work: Callable[[], Any]) -> tuple[dict[str, float], Any]:
    """Return {"wall_s", "cpu_s"} and the result. Wall time is unreliable on a busy machine."""
    wall, cpu = time.perf_counter(), time.process_time()
    result = work()
    return {"wall_s": time.perf_counter() - wall, "cpu_s": time.process_time() - cpu}, result


def peak_mb() -> int:
    """Return the peak resident memory so far."""
    from augcse.training.record import peak_memory_mb

    return round(peak_memory_mb())
