"""Processor time by part."""

from __future__ import annotations

from augcse.clock import CpuClock


def test_a_part_inside_another_counts_for_itself_alone() -> None:
    times = iter([0.0, 2.0, 5.0, 11.0, 20.0, 21.0])
    clock = CpuClock(lambda: next(times))
    with clock.part("training"), clock.part("choosing"):
        pass
    with clock.part("choosing"):
        pass
    assert clock.seconds == {"choosing": 3.0 + 1.0, "training": 11.0 - 3.0}
