"""What training did: before, best and last of each run, and what costs nothing beside it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from augcse.evaluation.baselines import HYBRID
from augcse.report.html import Html, Section, paragraph
from augcse.report.runs import Run
from augcse.report.table import Table
from augcse.training.outcome import baseline_rows, baselines_in_words

# Of more runs, single tests are left out.
_RUNS_IN_FULL = 3
_AVERAGE = "avg"


def outcome_section(runs: Sequence[Run]) -> Section | None:
    """Return before, best and last of each run that was scored, dev and test."""
    mixed = any(run.record.get("kept") for run in runs)
    columns = ["before", "best", "last", *(["kept"] if mixed else [])]
    brief = len(runs) > _RUNS_IN_FULL
    rows = [row for run in runs for row in _outcome_rows(run, columns, brief)]
    if not rows:
        return None
    text = "The model as it was given, the step with the best dev score (0: the one that was given), and the last step."
    text += (
        " Kept is the best, or where weights of start and best were mixed, the mix with that weight of the best."
        if mixed
        else " The best is kept, or the last where nothing was scored while training."
    )
    text += " Of so many runs, dev scores and averages; each test stands above." if brief else ""
    return Section("Before, best, last", text, [Table(["run", *columns], rows).html(), *_baselines(runs)])


def _baselines(runs: Sequence[Run]) -> list[str]:
    """Return a heading, words and a table of what costs nothing: once for all runs beside which it scored the same, but for hybrids."""
    alike: dict[str, list[Run]] = {}
    for run in runs:
        free = {name: scores for name, scores in run.record.get("baselines", {}).items() if name != HYBRID}
        alike.setdefault(json.dumps(free, sort_keys=True), []).append(run)
    return [part for group in alike.values() for part in _baselines_of(*group)]


def _baselines_of(first: Run, *others: Run) -> list[str]:
    header, rows = baseline_rows(first.record)
    if not rows:
        return []
    runs = f"{len(others)} further run{'s have' if len(others) > 1 else ' has'}"
    same = f" {runs} the same beside it, but for the hybrid, which is each run's own." if others else ""
    words = paragraph(f"{baselines_in_words(first.record)}.{same}", "note")
    return [f"<h3>{escape(first.name)}: what costs nothing</h3>", words, Table(header, rows).html()]


def _outcome_rows(run: Run, columns: Sequence[str], brief: bool) -> list[list[str]]:
    moments = [run.kept if column == "kept" else run.record.get(column) for column in columns]
    if run.record.get("before") is None or run.record.get("last") is None:
        return []
    rows = []
    for part, mark in (("dev", " (dev)"), ("test", "")):
        scores = [moment.get(part, {}) if moment else {} for moment in moments]
        tasks = list(dict.fromkeys(key for found in scores for key in found))
        averages = [task for task in tasks if task.startswith(_AVERAGE)] if brief and part == "test" else []
        for task in averages or tasks:
            cells = [_moment_cell(moment, found.get(task)) for moment, found in zip(moments, scores, strict=True)]
            rows.append([Html(f"{escape(run.name)}<small>{escape(task)}{mark}</small>"), *cells])
    return rows


def _moment_cell(moment: Mapping[str, Any] | None, score: float | None) -> str:
    if moment is None or score is None:
        return "-"
    weight = moment.get("weight", 1.0)
    of_step = f"step {moment['step']:,}" if weight == 1 else f"weight {weight:.3g} of step {moment['step']:,}" if weight else "the start"
    return Html(f"<span>{score:.2f}<small>{of_step}</small></span>")
