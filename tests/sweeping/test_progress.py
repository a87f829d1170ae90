"""The time left of a sweep: by steps, without scoring, until a run has finished; then by whole runs."""

from __future__ import annotations

import pytest

from augcse.sweeping.cost import Cost
from augcse.sweeping.progress import SweepProgress


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    now = [1_000.0]
    monkeypatch.setattr("augcse.sweeping.progress.time.monotonic", lambda: now[0])
    return now


def test_the_time_left_is_by_steps_first_and_then_by_runs(clock: list[float]) -> None:
    lines: list[str] = []
    progress = SweepProgress(4, 1, 600, lines.append)
    clock[0] += 100
    progress.advance(100)
    assert lines[-1] == "1/4 runs  100/600 steps  1.0 steps/s  8 min left, without scoring"
    progress.advance(100)
    clock[0] += 500  # scoring
    progress.finish_run("one", "")
    assert lines[-1] == "2/4 runs  200/600 steps  0.3 steps/s  20 min left  one done"
    clock[0] += 120
    progress.advance(120)
    assert lines[-1] == "2/4 runs  320/600 steps  0.4 steps/s  18 min left"
    clock[0] += 5_000
    progress.finish_run("two", "it left no record")
    assert lines[-1].endswith("two failed: it left no record")


def test_runs_that_go_side_by_side_take_no_longer_for_that(clock: list[float]) -> None:
    lines: list[str] = []
    progress = SweepProgress(8, 0, 800, lines.append)
    progress.begin(Cost(8, 800, None), 2)
    progress.advance(200)
    clock[0] += 600
    progress.finish_run("one", "")
    assert "35 min left" in lines[-1]
    progress.finish_run("two", "")
    assert "30 min left" in lines[-1]


def test_a_run_that_failed_at_once_tells_nothing_of_the_others(clock: list[float]) -> None:
    lines: list[str] = []
    progress = SweepProgress(4, 0, 400, lines.append)
    progress.advance(10)
    clock[0] += 20
    progress.finish_run("one", "no such option")
    assert "without scoring" in lines[-1]


def test_what_is_known_of_the_cost_is_said(clock: list[float]) -> None:
    lines: list[str] = []
    SweepProgress(4, 1, 600, lines.append).begin(Cost(3, 600, 120.0, excludes_scoring=True), 2)
    SweepProgress(4, 0, 600, lines.append).begin(Cost(4, 600, 120.0), 2)
    assert lines == [
        "1 of 4 runs are finished; to do: 3 runs, 600 steps, about 2 min, without scoring, 2 at a time",
        "to do: 4 runs, 600 steps, about 2 min, 2 at a time",
    ]
