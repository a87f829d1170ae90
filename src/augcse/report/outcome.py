"""Scores before training, of the best step and of the last of each run, and the training-free baselines."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from augcse.evaluation.baselines import HYBRID
from augcse.report.html import Html, Section, paragraph
from augcse.report.runs import ReportedRun
from augcse.report.table import Table
from augcse.training.outcome import baseline_rows, describe_baselines, is_average

# With more runs, only averages of tests are shown.
_RUNS_IN_FULL = 3


def outcome_section(runs: Sequence[ReportedRun]) -> Section | None:
    """Return the dev and test scores of each run before training, at its best step and at its last."""
    mixed = any(run.record.get("kept") for run in runs)
    columns = ["before", "best", "last", *(["kept"] if mixed else [])]
    brief = len(runs) > _RUNS_IN_FULL and all(any(map(is_average, run.record["scores"])) for run in runs)
    rows = [row for run in runs for row in _outcome_rows(run, columns, brief)]
    if not rows:
        return None
    starts = {run.start_in_words for run in runs}
    start = starts.pop() if len(starts) == 1 else "the start of each run"
    text = f"Before training {start}; the step with the best dev score (0: the start), and the last step."
    text += (
        " Kept is the best, or if weights of start and best were mixed, the mix with that weight of the best."
        if mixed
        else " The best is kept, or the last if nothing was scored while training."
    )
    text += " With this many runs, only dev scores and averages are shown; the scores of each test are above." if brief else ""
    return Section("Before, best, last", text, [Table(["run", *columns], rows).html(), *_baselines(runs)])


def _baselines(runs: Sequence[ReportedRun]) -> list[str]:
    """Return the training-free baselines, once for all runs that share them, and the hybrid of each run."""
    runs_by_baselines: dict[str, list[ReportedRun]] = {}
    for run in runs:
        baselines = run.record.get("baselines")
        if baselines:
            shared = {name: scores for name, scores in baselines.items() if name != HYBRID}
            runs_by_baselines.setdefault(json.dumps(shared, sort_keys=True), []).append(run)
    return [part for group in runs_by_baselines.values() for part in _baselines_of(group)]


def _baselines_of(group: Sequence[ReportedRun]) -> list[str]:
    """Return a heading, a note and a table of the baselines that a group of runs shares; [] if they have no scores."""
    first, *others = group
    header, rows = baseline_rows(first.record)
    if not rows:
        return []
    heading = f"<h3>{escape(first.name)}{f' and {len(others)} more' if others else ''}: training-free baselines</h3>"
    parts = [heading, paragraph(f"{describe_baselines(first.record)}.", "note")]
    if not others:
        return [*parts, Table(header, rows).html()]
    shared = {name: scores for name, scores in first.record["baselines"].items() if name != HYBRID}
    header, rows = baseline_rows({"baselines": shared})
    return [*parts, *([Table(header, rows).html()] if rows else []), *_hybrids(group)]


def _hybrids(group: Sequence[ReportedRun]) -> list[str]:
    """Return a table of the runs' hybrids, one row per run."""
    hybrids = {run.name: run.record["baselines"][HYBRID] for run in group if HYBRID in run.record["baselines"]}
    if not hybrids:
        return []
    scores, *columns = zip(*baseline_rows({"baselines": hybrids})[1], strict=True)
    rows = [[name, *cells] for name, cells in zip(hybrids, columns, strict=True)]
    return [Table([HYBRID, *scores], rows).html()]


def _outcome_rows(run: ReportedRun, columns: Sequence[str], brief: bool) -> list[list[str]]:
    """Return a run's rows, one per dev and test score; if `brief`, of the test scores only averages. [] for an older record."""
    moments = [run.kept if column == "kept" else run.record.get(column) for column in columns]
    if run.record.get("before") is None or run.record.get("last") is None:
        return []
    rows = []
    for part, mark in (("dev", " (dev)"), ("test", "")):
        scores = [moment.get(part, {}) if moment else {} for moment in moments]
        for task in dict.fromkeys(key for scores_by_task in scores for key in scores_by_task):
            if brief and part == "test" and not is_average(task):
                continue
            cells = [_moment_cell(moment, by_task.get(task)) for moment, by_task in zip(moments, scores, strict=True)]
            rows.append([Html(f"{escape(run.name)}<small>{escape(task)}{mark}</small>"), *cells])
    return rows


def _moment_cell(moment: Mapping[str, Any] | None, score: float | None) -> str:
    """Return a score with the model it is of; "-" without either."""
    if moment is None or score is None:
        return "-"
    weight = moment.get("weight", 1.0)
    if weight == 0:
        model = "the start"
    elif weight == 1:
        model = f"step {moment['step']:,}"
    else:
        model = f"weight {weight:.3g} of step {moment['step']:,}"
    return Html(f"<span>{score:.2f}<small>{model}</small></span>")
