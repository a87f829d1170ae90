"""A page about finished runs, from their `run.json` alone: scores over seeds, curves side by side."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from augcse.report.html import Section, figure, page
from augcse.report.record import LARGEST, Record
from augcse.report.svg import Point, line_chart
from augcse.report.table import Table, scores_table

STS_COLUMNS = ("STS12", "STS13", "STS14", "STS15", "STS16", "STSB", "SICKR", "avg")
CURVES = {
    "discriminator_accuracy": "Share of rows whose augmentation the discriminator names (smoothed)",
    "contrastive": "Contrastive loss (smoothed)",
}
SCORES_TEXT = (
    "STS and pairs: Spearman x 100; classes: accuracy x 100. Of several seeds median and sample standard deviation; of one run in"
    " parentheses the 95 % interval over resampled pairs or rows."
)
_DEV = "eval_"
_DEV_TITLES = {"eval_stsb_dev": "STS-B dev, Spearman x 100", "eval_selection": "What selects the model: the weighted sum of scores x 100"}


def labels(records: Sequence[Record]) -> list[str]:
    """Return what to call each run's group: its recipe, and the settings that vary among the runs of that recipe (not the seed)."""
    varied: dict[str, dict[str, set[str]]] = {}
    for record in records:
        for key, value in _settings(record).items():
            varied.setdefault(record["recipe"]["name"], {}).setdefault(key, set()).add(str(value))
    return [_label(record, [key for key, values in varied[record["recipe"]["name"]].items() if len(values) > 1]) for record in records]


def _label(record: Record, keys: Sequence[str]) -> str:
    settings = _settings(record)
    shown = {key: settings.get(key) for key in keys}
    return ", ".join([record["recipe"]["name"], *(f"{k} = {v:g}" if isinstance(v, float) else f"{k} = {v}" for k, v in shown.items())])


def _settings(record: Record) -> dict[str, Any]:
    recipe = record["recipe"]
    return {**recipe["objective"], **{key: value for key, value in recipe["training"].items() if key != "seed"}}


def curve(record: Record, name: str) -> list[Point]:
    """Return (step, value) of one figure along the run, where it was measured and is finite."""
    points = [(entry["step"], entry.get(name)) for entry in record["curves"]]
    return [(step, value) for step, value in points if isinstance(value, (int, float)) and math.isfinite(value) and abs(value) <= LARGEST]


def curve_titles(records: Sequence[Record]) -> dict[str, str]:
    """Return the figures that are drawn and what they are called: the losses, and whatever was scored while training."""
    scored = dict.fromkeys(key for record in records for entry in record["curves"] for key in entry if key.startswith(_DEV))
    titles = {key: _DEV_TITLES.get(key, f"{key.removeprefix(_DEV)} while training, x 100") for key in scored}
    return CURVES | titles


def smoothed(points: Sequence[Point], window: int = 9) -> list[Point]:
    """Return the running mean over the last `window` points."""
    return [
        (x, sum(y for _, y in points[max(0, index - window + 1) : index + 1]) / min(index + 1, window))
        for index, (x, _) in enumerate(points)
    ]


def group_scores(records: Sequence[Record]) -> Table:
    """Return the table of final scores: one row per recipe, median and sd over its runs, or one run's score with its interval.

    Its columns are the tasks that any run was scored on: the STS tasks in the papers' order, then the others as they come.
    """
    groups: dict[str, list[dict[str, float]]] = {}
    intervals: dict[str, dict[str, dict[str, float]]] = {}
    for name, record in zip(labels(records), records, strict=True):
        groups.setdefault(name, []).append(record["scores"])
        intervals[name] = record.get("intervals", {})
    scored = dict.fromkeys(task for record in records for task in record["scores"])
    columns = [task for task in STS_COLUMNS if task in scored]
    return scores_table(groups, [*columns, *(task for task in scored if task not in columns)], intervals)


def runs_page(records: Sequence[Record], title: str = "augcse runs") -> str:
    """Return the HTML page."""
    charts = []
    for name, heading in curve_titles(records).items():
        series: dict[str, list[Point]] = {}
        for run, record in zip(labels(records), records, strict=True):
            points = curve(record, name)
            if points:
                key = f"{run} (seed {record['recipe']['training']['seed']})"
                # Two runs of the same recipe and seed are two lines.
                key += f", run {len(series) + 1}" if key in series else ""
                series[key] = points if name.startswith(_DEV) else smoothed(points)
        if series:
            charts.append(figure(line_chart(series, title=heading, x_label="step", y_label="")))
    return page(
        title,
        [
            *_before_and_after(records),
            Section("Scores", SCORES_TEXT, [group_scores(records).html()]),
            Section("Curves", "One line per run.", charts),
            Section("Runs", "What each run was.", [_runs_table(records).html()]),
        ],
    )


def _before_and_after(records: Sequence[Record]) -> list[Section]:
    """Return what each run made of the model it was given, for the runs whose records say it."""
    rows = [
        [name, str(record["recipe"]["training"]["seed"]), *cells]
        for name, record in zip(labels(records), records, strict=True)
        for cells in _outcome_rows(record)
    ]
    if not rows:
        return []
    header = ["run", "seed", "scored on", "before", "best", "at step", "last", "at step"]
    text = "The model as it was given, the best step by the first dev score, whose model is kept (0: the one that was given), and the last."
    return [Section("Before, best, last", text, [Table(header, rows).html()])]


def _outcome_rows(record: Record) -> list[list[str]]:
    before, best, last = (record.get(moment) for moment in ("before", "best", "last"))
    if before is None or last is None:
        return []
    rows = []
    for part, mark in (("dev", " (dev)"), ("test", "")):
        scores = [moment.get(part, {}) if moment else {} for moment in (before, best, last)]
        for name in dict.fromkeys(key for found in scores for key in found):
            first, highest, end = (f"{found[name]:.2f}" if name in found else "-" for found in scores)
            rows.append([name + mark, first, highest, str(best["step"]) if best else "-", end, str(last["step"])])
    return rows


def _runs_table(records: Sequence[Record]) -> Table:
    rows = [
        [
            name,
            str(record["recipe"]["training"]["seed"]),
            str(record["steps"]),
            record["precision"],
            f"{record['wall_time_s']:.0f}",
            f"{record['peak_memory_mb']:.0f}",
            record["hardware"]["processor"],
        ]
        for name, record in zip(labels(records), records, strict=True)
    ]
    return Table(["run", "seed", "steps", "precision", "wall time (s)", "peak memory (MB)", "processor"], rows)
