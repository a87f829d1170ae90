"""The tables of docs/adapt.md, from the records of scripts/measure_adapt.py."""

from __future__ import annotations

import json
from typing import Any

from augcse.report.table import Table
from docs_pages.layout import DOCS, RESULTS

RECORDS = RESULTS / "adapt"
PAGE = DOCS / "adapt.md"
# What tells one run from the others.
_NAMES = ("model", "text", "objective", "chosen by", "layers", "seed")
START, END = "<!-- measured:start -->", "<!-- measured:end -->"


def adapt() -> str:
    """Return the page with the tables of today between their marks; its prose is written by hand."""
    records = [json.loads(path.read_text("utf-8")) for path in sorted(RECORDS.glob("*.json"))]
    before, rest = PAGE.read_text("utf-8").split(START)
    return f"{before}{START}\n\n{_scores(records)}\n\n{_choices(records)}\n\n{END}{rest.split(END)[1]}"


def _scores(records: list[dict[str, Any]]) -> str:
    rows = [
        [*_run(record), task, *(f"{record[part][task]:.2f}" for part in ("before", "trained", "kept"))]
        for record in records
        for task in record["before"]
    ]
    return Table([*_NAMES, "scored on", "before", "trained", "kept"], rows).markdown()


def _run(record: dict[str, Any]) -> list[str]:
    """Return the cells of `_NAMES`."""
    training = record["recipe"]["training"]
    layers = training.get("last_layers")
    objective = record["recipe"]["objective"]["name"]
    names = [record["model"], record["domain"], objective, record["dev"]]
    return [*names, "all" if layers is None else f"last {layers}", str(training["seed"])]


def _choices(records: list[dict[str, Any]]) -> str:
    rows = []
    for record in records:
        curve = record["interpolation"]["curve"]
        name = next(iter(curve[0]["dev"]))
        best = max(curve, key=lambda mix: mix["dev"][name])
        compared = best["from_start"]
        gain = "" if compared is None else f"{compared['difference']:+.2f}"
        interval = "" if compared is None else f"{compared['interval']['low']:+.2f} to {compared['interval']['high']:+.2f}"
        cells = [f"{record['interpolation']['trained_step']} of {record['steps']}", f"{curve[0]['dev'][name]:.2f}", f"{best['weight']:g}"]
        rows.append([*_run(record), *cells, gain, interval, f"{record['weight']:g}"])
    header = [*_NAMES, "trained step", "dev: start", "best weight", "gain", "95 % interval", "kept weight"]
    return Table(header, rows).markdown()
