"""The test scores of a report: runs, their models before training, other models, and differences to a baseline."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Any, Literal

from augcse.errors import UserError
from augcse.report.html import Html, Section, paragraph
from augcse.report.runs import STS_COLUMNS, ReportedRun, group_name, groups, start_groups
from augcse.report.table import Table, scores_table
from augcse.training.outcome import is_average, signed

if TYPE_CHECKING:
    from augcse.evaluation.bootstrap import Comparison, Interval

BEFORE = "before"
# Row name -> task -> comparison.
Comparisons = Mapping[str, Mapping[str, "Comparison"]]
# With more rows than this, intervals are not drawn.
_DRAWN_ROWS = 16
_DRAWN_TASKS = 3


@dataclass(frozen=True)
class ScoreRow:
    """A model with test scores: before training, trained by a run, or given in addition to the runs.

    Args:
        name: the display name.
        kind: one of the three.
        scores: task -> score x 100.
        intervals: task -> low and high.
        run: the run that trained it, or the first one that started from it.
        model: the folder or name of a model given in addition to the runs.
    """

    name: str
    kind: Literal["before", "run", "beside"]
    scores: Mapping[str, float]
    intervals: Mapping[str, Mapping[str, float]] = field(default_factory=dict)
    run: ReportedRun | None = None
    model: str | None = None


@dataclass(frozen=True)
class Scored:
    """All rows with their baselines: `baseline` for all rows or, if it is None, each run's model before training."""

    rows: Sequence[ScoreRow]
    baseline: ScoreRow | None
    starts: Mapping[str, ScoreRow]

    def compared_to(self, row: ScoreRow) -> ScoreRow | None:
        """Return the baseline of `row`; None for the baseline itself, and if there is none."""
        if self.baseline is not None:
            return None if row is self.baseline else self.baseline
        if row.kind == "before":
            return None
        return self._only_start() if row.run is None else self.starts.get(row.run.name)

    def _only_start(self) -> ScoreRow | None:
        """Return the model before training that all runs share; None if they started from several."""
        starts = {id(row): row for row in self.starts.values()}
        return next(iter(starts.values())) if len(starts) == 1 else None

    def tasks(self) -> list[str]:
        """Return the tasks that any row is scored on: the STS tasks in the papers' order, then the others in order of appearance."""
        return tasks_in_order([row.scores for row in self.rows])


def tasks_in_order(scores: Sequence[Mapping[str, float]]) -> list[str]:
    """Return the tasks of several models: the STS tasks in the papers' order, then the others in order of appearance."""
    scored = dict.fromkeys(task for task_scores in scores for task in task_scores)
    columns = [task for task in STS_COLUMNS if task in scored]
    return [*columns, *(task for task in scored if task not in columns)]


def scored_rows(runs: Sequence[ReportedRun], beside: Sequence[tuple[str, Mapping[str, Any]]] = (), baseline: str = BEFORE) -> Scored:
    """Return the rows: starts, models given in addition to the runs, runs.

    Args:
        runs: the runs.
        beside: names of other models, with their output of `augcse evaluate --json`.
        baseline: the name of a row, or `BEFORE` for each run's model before training.

    Raises:
        UserError: no row has that name.
    """
    starts = _starts(runs)
    unique = list({id(row): row for row in starts.values()}.values())
    others = [
        ScoreRow(name, "beside", scored["scores"], scored.get("intervals", {}), model=str(scored["model"])) for name, scored in beside
    ]
    trained = [ScoreRow(run.name, "run", run.record["scores"], run.record.get("intervals", {}), run) for run in runs]
    rows = [row for row in [*unique, *others, *trained] if row.scores]
    return Scored(rows, _find_baseline(rows, baseline), {name: row for name, row in starts.items() if row.scores})


def _starts(runs: Sequence[ReportedRun]) -> dict[str, ScoreRow]:
    """Return, by run name, the row of its model before training; runs with the same start share one."""
    by_start = start_groups(runs)
    titles = [f"before training: {members[0].start_name}" for members in by_start]
    start_of = {}
    for title, members in zip(titles, by_start, strict=True):
        name = title if titles.count(title) == 1 else f"{title} ({group_name(members)})"
        scores = {task: score for run in members for task, score in run.before.items()}
        # A run that kept its start has intervals of the start.
        recorded = [run.record.get("intervals", {}) for run in members if run.kept_step == 0]
        intervals = {task: interval for by_task in recorded for task, interval in by_task.items()}
        row = ScoreRow(name, "before", scores, intervals, members[0])
        start_of.update({run.name: row for run in members})
    return start_of


def _find_baseline(rows: Sequence[ScoreRow], baseline: str) -> ScoreRow | None:
    """Return the row of that name or folder; None for `BEFORE`. Raises `UserError` if there is none."""
    if baseline == BEFORE:
        return None
    name = baseline.rstrip("/")
    for row in rows:
        place = str(row.run.folder) if row.run and row.kind == "run" else row.model
        if name in (row.name, place):
            return row
    known = ", ".join(dict.fromkeys([BEFORE, *(row.name for row in rows)]))
    raise UserError(f"--baseline {baseline}: no row of that name; known: {known}")


def difference(row: ScoreRow, task: str, scored: Scored) -> float | None:
    """Return a row's score minus that of its baseline; None if either is missing."""
    other = scored.compared_to(row)
    if other is None or task not in row.scores or task not in other.scores:
        return None
    return row.scores[task] - other.scores[task]


def scores_section(scored: Scored, runs: Sequence[ReportedRun], comparisons: Comparisons) -> Section:
    """Return the test scores of all rows, with differences to their baselines."""
    tasks = scored.tasks()
    if not tasks:
        text = "No run was scored on a test: augcse train --test pairs.tsv does that, and augcse evaluate afterwards."
        return Section("Test scores", text)
    against = f"“{scored.baseline.name}”" if scored.baseline is not None else "the same model before training"
    text = (
        "STS and pairs: Spearman x 100; classes: accuracy x 100. Below each score the difference to"
        f" {against}, and in parentheses its 95 % interval if it is known: both models on the same resampled pairs or rows."
    )
    parts = []
    if len(scored.rows) <= _DRAWN_ROWS:
        parts = [_intervals_plot(scored, task) for task in _drawn_tasks(tasks)]
    parts.append(scores_table_of(scored, comparisons).html())
    seeds = _seeds_table(runs)
    return Section("Test scores", text, [*parts, *seeds])


def _drawn_tasks(tasks: Sequence[str]) -> list[str]:
    """Return the tasks whose intervals are drawn: averages first, then tasks other than STS."""
    averages = [task for task in tasks if is_average(task)]
    other_tasks = [task for task in tasks if task not in STS_COLUMNS and task not in averages]
    return list(dict.fromkeys([*averages, *other_tasks, *tasks]))[:_DRAWN_TASKS]


def scores_table_of(scored: Scored, comparisons: Comparisons) -> Table:
    """Return a table with one row per model and one column per task, with differences below the scores."""
    tasks = scored.tasks()
    rows = [
        [row.name, *(_score_cell(row, task, scored, interval_of(comparisons, row.name, task)) for task in tasks)] for row in scored.rows
    ]
    return Table(["model", *tasks], rows)


def _score_cell(row: ScoreRow, task: str, scored: Scored, interval: Interval | None) -> str:
    if task not in row.scores:
        return "-"
    text = f"{row.scores[task]:.2f}"
    change = difference(row, task, scored)
    return text if change is None else Html(f"<span>{text}<small>{change_html(change, interval)}</small></span>")


def interval_of(comparisons: Comparisons, name: str, task: str) -> Interval | None:
    """Return the interval of a row's difference on a task, if there is one."""
    comparison = comparisons.get(name, {}).get(task)
    return None if comparison is None else comparison.interval


def change_html(change: float, interval: Interval | None, *, ends: bool = True) -> Html:
    """Return a difference, with its interval if `ends`; green or red if the interval excludes 0."""
    if interval is None:
        return Html(f"<span>{signed(change)}</span>")
    low, high = interval.low, interval.high
    css_class = ""
    if low > 0:
        css_class = "good"
    elif high < 0:
        css_class = "bad"
    shown_ends = f" ({signed(low)} to {signed(high)})" if ends else ""
    return Html(f'<span class="{css_class}">{signed(change)}{shown_ends}</span>')


def _intervals_plot(scored: Scored, task: str) -> str:
    """Return a plot of one task's scores with their intervals, and the baseline as a line."""
    rows = [row for row in scored.rows if task in row.scores]
    ends = [_interval_ends(row, task) for row in rows]
    low, high = min(first for first, _ in ends), max(last for _, last in ends)
    margin = max(0.05 * (high - low), 0.5)
    low, high = low - margin, high + margin

    def position(value: float) -> str:
        return f"{100 * (value - low) / (high - low):.2f}%"

    baseline = scored.baseline or scored._only_start()
    mark = f'<u style="left:{position(baseline.scores[task])}"></u>' if baseline is not None and task in baseline.scores else ""
    parts = []
    for row, (first, last) in zip(rows, ends, strict=True):
        score = row.scores[task]
        bar = f'<i style="left:{position(first)};width:{100 * (last - first) / (high - low):.2f}%"></i>' if last > first else ""
        value = f"{score:.2f}" + (f" <small>({first:.1f} to {last:.1f})</small>" if last > first else "")
        parts.append(
            f'<div class="interval {"" if row.kind == "run" else "other"}"><div>{escape(row.name)}</div>'
            f'<div class="track">{mark}{bar}<b style="left:{position(score)}"></b></div><div>{value}</div></div>'
        )
    return f"<h3>{escape(task)}</h3>{''.join(parts)}"


def _interval_ends(row: ScoreRow, task: str) -> tuple[float, float]:
    """Return the ends of a score's interval; without one, the score itself twice."""
    interval = row.intervals.get(task)
    return (interval["low"], interval["high"]) if interval else (row.scores[task], row.scores[task])


def _seeds_table(runs: Sequence[ReportedRun]) -> list[str]:
    """Return a heading, a note and a table of the runs that differ only in their seed; [] if there are none."""
    several = [group for group in groups(runs) if len(group) > 1]
    if not several:
        return []
    scores = {group_name(group): [run.record["scores"] for run in group] for group in several}
    table = scores_table(scores, tasks_in_order([run for group in scores.values() for run in group]))
    text = "Runs that differ in their seed alone: median ± sample standard deviation."
    return ["<h3>Over seeds</h3>", paragraph(text, "note"), table.html()]
