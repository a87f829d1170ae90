"""A page about finished runs, from their `run.json` alone: scores over seeds, curves side by side."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from augcse.errors import UserError
from augcse.report.html import Section, figure, page
from augcse.report.svg import Point, line_chart
from augcse.report.table import Table, scores_table

STS_COLUMNS = ("STS12", "STS13", "STS14", "STS15", "STS16", "STSB", "SICKR", "avg")
CURVES = {
    "discriminator_accuracy": "Share of rows whose augmentation the discriminator names (smoothed)",
    "contrastive": "Contrastive loss (smoothed)",
    "eval_stsb_dev": "STS-B dev, Spearman x 100",
}
Record = dict[str, Any]


def load_record(folder: Path) -> Record:
    """Read a run's record. Raises `UserError` if the folder holds no finished run."""
    path = folder / "run.json" if folder.is_dir() else folder
    if not path.is_file():
        raise UserError(f"{folder} holds no run.json: not a run folder, or the run has not finished")
    try:
        record: Record = json.loads(path.read_text("utf-8"))
    except json.JSONDecodeError as error:
        raise UserError(f"{path}: not a run record: {error}") from error
    return record


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
    """Return (step, value) of one figure along the run."""
    return [(entry["step"], entry[name]) for entry in record["curves"] if name in entry]


def smoothed(points: Sequence[Point], window: int = 9) -> list[Point]:
    """Return the running mean over the last `window` points."""
    return [
        (x, sum(y for _, y in points[max(0, place - window + 1) : place + 1]) / min(place + 1, window))
        for place, (x, _) in enumerate(points)
    ]


def group_scores(records: Sequence[Record]) -> Table:
    """Return the table of final scores: one row per recipe, mean and sd over its runs."""
    groups: dict[str, list[dict[str, float]]] = {}
    for name, record in zip(labels(records), records, strict=True):
        groups.setdefault(name, []).append(record["scores"])
    return scores_table(groups, STS_COLUMNS)


def runs_page(records: Sequence[Record], title: str = "augcse runs") -> str:
    """Return the HTML page."""
    charts = []
    for name, heading in CURVES.items():
        series = {}
        for run, record in zip(labels(records), records, strict=True):
            points = curve(record, name)
            if points:
                key = f"{run} (seed {record['recipe']['training']['seed']})"
                series[key] = points if name.startswith("eval") else smoothed(points)
        if series:
            charts.append(figure(line_chart(series, title=heading, x_label="step", y_label="")))
    return page(
        title,
        [
            Section("Scores", "Spearman x 100; median and sample standard deviation over seeds.", [group_scores(records).html()]),
            Section("Curves", "One line per run.", charts),
            Section("Runs", "What each run was.", [_runs_table(records).html()]),
        ],
    )


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
