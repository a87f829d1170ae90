"""The tables of docs/cost.md, from the records of three benches and from run.json files; the rest is written by hand."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from augcse.report.record import load_record
from augcse.report.table import Table
from docs_pages.layout import DOCS, RESULTS, between

CORPORA = (10_000, 100_000, 1_000_000)
# Operations per second that a processor sustains, times 1e12.
RATES = (10, 50, 200)


def cost() -> str:
    """Return the page with the tables of today between their marks."""
    record = json.loads((RESULTS / "training_cost.json").read_text("utf-8"))
    gpu = json.loads((RESULTS / "training_cost_gpu.json").read_text("utf-8"))
    text = (DOCS / "cost.md").read_text("utf-8")
    tables = {
        "steps": _steps(record),
        "gpu": _gpu(gpu),
        "gpu-runs": _gpu_runs(),
        "other-processors": _other_processors(record),
        "whole-runs": _runs(),
        "static": _static(),
        "weights": _weights(),
    }
    for name, table in tables.items():
        text = between(text, name, table)
    return text


def _steps(record: dict[str, Any]) -> str:
    rows = [
        [
            shape,
            f"{figures['weights'] / 1e6:.0f}",
            f"{figures['peak_memory_mb']:,}",
            f"{figures['cpu_s_per_step']:.1f}",
            *(_duration(sentences / record["batch_size"] * figures["cpu_s_per_step"]) for sentences in CORPORA),
        ]
        for shape, figures in record["shapes"].items()
    ]
    header = ["size of", "million weights", "peak MB", "core seconds per step", *(f"{number:,} sentences" for number in CORPORA)]
    about = (
        f"Batches of {record['batch_size']} sentences of {record['tokens']} tokens each, {record['precision']}, one thread of"
        f" {record['hardware']['processor']}; {record['hardware']['cores']} cores, both busy with other work."
    )
    return f"{Table(header, rows).markdown()}\n\n{about}"


def _duration(seconds: float) -> str:
    """Return a time in the unit in which it has one or two digits.

    >>> _duration(31), _duration(240), _duration(90_000)
    ('31 s', '4 min', '25 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.{1 if seconds < 36_000 else 0}f} h"


def _gpu(record: dict[str, Any]) -> str:
    """Return the measured steps on a GPU, by size and precision."""
    rows = [
        [
            shape,
            precision,
            f"{figures['wall_s_per_step'] * 1e3:.0f}",
            f"{figures['peak_memory_mb']:,}",
            f"{figures['operations_per_s'] / 1e12:.0f}",
            _duration(1e6 / record["batch_size"] * figures["wall_s_per_step"]),
        ]
        for precision, shapes in record["precisions"].items()
        for shape, figures in shapes.items()
    ]
    header = ["size of", "precision", "milliseconds per step", "peak MB of tensors", "10^12 operations per second", "a million sentences"]
    about = f"{record['hardware']['device']}, batches of {record['batch_size']} sentences of {record['tokens']} tokens each."
    return f"{Table(header, rows).markdown()}\n\n{about}"


def _gpu_runs() -> str:
    """Return the runs that were made on a GPU, with what they chose and scored."""
    rows = []
    for path in sorted((RESULTS / "gpu").glob("*/run.json")):
        record = load_record(path)
        before, best = record["before"], record["best"]
        pairs = [(before["dev"]["stsb_dev"], best["dev"]["stsb_dev"]), (before["test"]["avg"], best["test"]["avg"])]
        scores = [f"{old:.2f} -> {new:.2f}" for old, new in pairs]
        about = [str(record["steps"]), str(record["kept_step"]), f"{record['wall_time_s']:.0f}", record["precision"]]
        rows.append([_link(path), *about, *scores])
    return Table(["run", "steps", "kept", "seconds", "precision", "STS-B dev, before -> kept", "seven STS tasks"], rows).markdown()


def _other_processors(record: dict[str, Any]) -> str:
    rows = [
        [
            shape,
            f"{figures['operations_per_step'] / record['batch_size'] / 1e9:.1f}",
            f"{figures['operations_per_s'] / 1e9:.0f}",
            *(_duration(1e6 / record["batch_size"] * figures["operations_per_step"] / (rate * 1e12)) for rate in RATES),
        ]
        for shape, figures in record["shapes"].items()
    ]
    header = [
        "size of",
        "10^9 operations per sentence",
        "10^9 per second, one core (measured)",
        *(f"a million sentences at {rate} x 10^12 per second" for rate in RATES),
    ]
    return Table(header, rows).markdown()


def _link(path: Path) -> str:
    """Return a link to a run's record, by the name of its folder."""
    return f"[{path.parent.name}]({path.relative_to(DOCS)})"


def _runs() -> str:
    """Whole runs as they were: preparing, training, evaluation while training and at the end."""
    rows = []
    for path in sorted([*RESULTS.glob("mini/*/run.json"), *RESULTS.glob("alpha/*/run.json")]):
        record = load_record(path)
        seen = record["steps"] * record["recipe"]["training"]["batch_size"]
        cells = [f"{record['steps']:,}", f"{seen:,}", f"{record['wall_time_s'] / 60:.0f}", f"{record['peak_memory_mb']:,.0f}"]
        rows.append([_link(path), *cells, record["precision"], record["hardware"]["processor"].replace("(R)", "")])
    return Table(["run", "steps", "sentences seen", "minutes", "peak MB", "precision", "processor, 2 cores"], rows).markdown()


def _static() -> str:
    records = [json.loads((RESULTS / "free" / f"{name}.json").read_text("utf-8")) for name in _STATIC]
    rows = [[f"`augcse {record['command']}`", f"{record['seconds']:.0f}", f"{record['megabytes']:.0f}"] for record in records]
    return Table(["command", "seconds", "MB on the disk"], rows).markdown()


def _weights() -> str:
    """Weights of the papers' models while training and afterwards, beside the published figures."""
    rows = []
    for entry in json.loads((RESULTS / "published_weights.json").read_text("utf-8")):
        counts, published = entry["weights"], entry["published_millions"]
        settings = "".join(f" with {name} = {value}" for name, value in entry["set"].items())
        millions = [f"{counts[name] / 1e6:.1f}" for name in ("held", "trained", "model")]
        rows.append([entry["model"], f"`{entry['recipe']}`{settings}", *millions, f"{published['trained']}", f"{published['model']}"])
    header = ["", "recipe", "held", "trained", "kept", "published, training", "published, afterwards"]
    return Table(header, rows).markdown()


_STATIC = ("static-from-zero", "static", "static-256", "static-once", "sif", "sif-whitened")
