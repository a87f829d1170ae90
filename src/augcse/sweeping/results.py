"""The results of a sweep: cells with mean, sample standard deviation and maximum over seeds, the best cell by dev, and baselines.

The document depends on the scores of the runs alone, not on times, folders or the order of the runs: a sweep that was interrupted and
resumed writes the same bytes.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from augcse.evaluation.base import TASKS
from augcse.report.html import Html
from augcse.report.table import Table
from augcse.sweeping.differences import differences
from augcse.sweeping.plan import Cell
from augcse.training.outcome import BASELINES, is_average, kept_moment

Document = dict[str, Any]
Record = Mapping[str, Any]
# It contains the trained model of a run, so that it has no single score for all runs.
_PER_RUN_BASELINE = "hybrid"
_MAX_TEST_COLUMNS = 8
NOT_RUN = "not run yet"


def results(
    name: str,
    cells: Sequence[Cell],
    records: Mapping[str, Record],
    failures: Mapping[str, str],
    compare_to: Sequence[str] = (),
) -> Document:
    """Return the results of a sweep as a JSON document.

    Args:
        name: the name of the sweep.
        cells: all cells, in the order of the table.
        records: the records of the finished runs, by name.
        failures: the reasons of failed runs, by name.
        compare_to: rows and baselines, see `differences`.
    """
    described = [_cell_document(cell, records, failures) for cell in cells]
    return {
        "sweep": name,
        "chosen_by": _chosen_by(described),
        "best": _best(described),
        "published_of": _published_of(cells),
        "cells": described,
        "cost_nothing": _baselines(cells, records),
        "differences": differences(cells, records, compare_to),
    }


def summarize(values: Sequence[float]) -> dict[str, Any]:
    """Return mean, sample standard deviation (None for a single value), maximum and number of values.

    >>> summarize([60.0, 61.0])["mean"], summarize([60.0])["sd"]
    (60.5, None)
    """
    return {
        "mean": round(statistics.fmean(values), 4),
        "sd": round(statistics.stdev(values), 4) if len(values) > 1 else None,
        "max": round(max(values), 4),
        "runs": len(values),
    }


def failed_runs(document: Document) -> dict[str, str]:
    """Return the reasons of the failed runs, by name."""
    return {run["run"]: run["failed"] for cell in document["cells"] for run in cell["runs"] if run.get("failed")}


def table(document: Document, html: bool = False) -> Table:
    """Return the table: a row per cell (the best has a star), then per baseline and per failed run; with `html` the failures are red."""
    tests = _test_columns(document)
    published = list(dict.fromkeys(column for cell in document["cells"] for column in cell["published"]))
    dev_columns = [f"{document['chosen_by']} (dev)", "max"] if document["chosen_by"] else []
    header = ["cell", "runs", *dev_columns, *tests, *(f"published {column}" for column in published)]
    rows = [
        [*_table_row(cell, document, tests), *(_published_figure(cell["published"].get(column)) for column in published)]
        for cell in document["cells"]
    ]
    for baseline in document["cost_nothing"]:
        dev = [_number_text(baseline["dev"].get(document["chosen_by"])), ""] if document["chosen_by"] else []
        rows.append([baseline["name"], "-", *dev, *(_number_text(baseline["test"].get(task)) for task in tests), *[""] * len(published)])
    for run, reason in failed_runs(document).items():
        text = f"{run}: {reason}"
        cell = Html(f'<span class="bad">{escape(text)}</span>') if html else text
        rows.append([cell, "failed", *[""] * (len(header) - 2)])
    return Table(header, rows)


def notes_below_table(document: Document) -> list[str]:
    """Return the lines below the table: the best cell, and the source of the published figures."""
    source = document["published_of"]
    published = [] if source is None else [f"published: {source}; the other figures are of the runs of this sweep"]
    return [describe_best(document), *published]


def describe_best(document: Document) -> str:
    """Return a sentence that names the best cell, its score, and whether training helped, or the reason why no cell is best."""
    if document["best"] is not None:
        best = next(cell for cell in document["cells"] if cell["name"] == document["best"])
        seeds = f"mean of {best['dev']['runs']} seeds" if best["dev"]["runs"] > 1 else "one seed"
        untrained = "" if any(run["kept_step"] for run in best["runs"]) else "; all its runs kept the start: training did not help"
        return f"best by {document['chosen_by']} (dev, {seeds}): {document['best']}, {best['dev']['mean']:.2f}{untrained}"
    if document["chosen_by"] is None:
        return "no cell is best: no run is finished that was scored while training (--data, --dev)"
    return "no cell is best: none has all its runs"


def _cell_document(cell: Cell, records: Mapping[str, Record], failures: Mapping[str, str]) -> Document:
    """Return the entry of a cell: its settings, the summaries of its scores, and its runs."""
    runs = [_run_document(cell, seed, records, failures) for seed in cell.seeds]
    finished = [run for run in runs if "test" in run]
    dev = [run["dev"] for run in finished if run["dev"]]
    tests = dict.fromkeys(task for run in finished for task in run["test"])
    return {
        "name": cell.name,
        "recipe": cell.recipe.name,
        "corpus": cell.corpus,
        "settings": dict(cell.settings),
        "published": dict(cell.published.figures) if cell.published else {},
        "dev": {"name": next(iter(dev[0])), **summarize([next(iter(scores.values())) for scores in dev])} if dev else None,
        "test": {task: summarize([run["test"][task] for run in finished if task in run["test"]]) for task in tests},
        "runs": runs,
    }


def _run_document(cell: Cell, seed: int, records: Mapping[str, Record], failures: Mapping[str, str]) -> Document:
    """Return the entry of a run: its scores if it is finished, else the reason of its failure or its state."""
    name = cell.run_name(seed)
    if name in records:
        record = records[name]
        return {
            "run": name,
            "seed": seed,
            "kept_step": record.get("kept_step"),
            "dev": dict(kept_moment(record).get("dev", {})),
            "test": dict(record["scores"]),
        }
    return {"run": name, "seed": seed, **({"failed": failures[name]} if name in failures else {"state": NOT_RUN})}


def _published_of(cells: Sequence[Cell]) -> str | None:
    return next((cell.published.of for cell in cells if cell.published), None)


def _chosen_by(cells: Sequence[Document]) -> str | None:
    """Return the name of the dev score; None if nothing was scored, or cells have different ones."""
    names = {cell["dev"]["name"] for cell in cells if cell["dev"]}
    return names.pop() if len(names) == 1 else None


def _best(cells: Sequence[Document]) -> str | None:
    """Return the name of the cell with the highest mean dev score among those with all their runs; the first of equal ones."""
    complete = [cell for cell in cells if cell["dev"] and cell["dev"]["runs"] == len(cell["runs"])]
    if _chosen_by(cells) is None or not complete:
        return None
    return str(max(complete, key=lambda cell: cell["dev"]["mean"])["name"])


def _baselines(cells: Sequence[Cell], records: Mapping[str, Record]) -> list[Document]:
    """Return the scores of the baselines of each backbone and corpus: their means over the runs.

    They differ between seeds if the dev score is that of sentences that each run holds out (`--dev probe`).
    """
    several = len({(cell.recipe.model.backbone, cell.corpus) for cell in cells}) > 1
    scores_of: dict[tuple[str, str, str], list[Record]] = {}
    for cell in cells:
        for seed in cell.seeds:
            for name, scores in records.get(cell.run_name(seed), {}).get("baselines", {}).items():
                if name != _PER_RUN_BASELINE:
                    scores_of.setdefault((name, cell.recipe.model.backbone, cell.corpus), []).append(scores)
    return [
        {
            "name": _baseline_title(name, f" ({backbone}, {corpus})" if several else ""),
            "baseline": name,
            "corpus": corpus,
            "dev": _means([scores["dev"] for scores in by_run]),
            "test": _means([scores["test"] for scores in by_run]),
        }
        for (name, backbone, corpus), by_run in scores_of.items()
    ]


def _baseline_title(name: str, made_from: str) -> str:
    return (BASELINES[name].words if name in BASELINES else name) + made_from


def _means(by_run: Sequence[Mapping[str, float]]) -> dict[str, float]:
    """Return the mean of each score over the runs that have it, which is exact if all are equal."""
    names = dict.fromkeys(name for scores in by_run for name in scores)
    return {name: statistics.mean(scores[name] for scores in by_run if name in scores) for name in names}


def _test_columns(document: Document) -> list[str]:
    """Return the averages and the tasks that belong to no suite; without averages, the first few tasks."""
    tests = list(dict.fromkeys(task for cell in document["cells"] for task in cell["test"]))
    averages = [task for task in tests if is_average(task) or task.endswith("_avg")]
    without_suite = [task for task in tests if task in TASKS and not TASKS.get(task).suites]
    return [*averages, *without_suite] if averages else tests[:_MAX_TEST_COLUMNS]


def _table_row(cell: Document, document: Document, tests: Sequence[str]) -> list[str]:
    finished = sum("test" in run for run in cell["runs"])
    star = " *" if cell["name"] == document["best"] else ""
    dev = [_mean_text(cell["dev"]), _number_text(cell["dev"] and cell["dev"]["max"])] if document["chosen_by"] else []
    return [f"{cell['name']}{star}", f"{finished}/{len(cell['runs'])}", *dev, *(_mean_text(cell["test"].get(task)) for task in tests)]


def _mean_text(summary: Mapping[str, Any] | None) -> str:
    if not summary:
        return "-"
    return f"{summary['mean']:.2f}" + ("" if summary["sd"] is None else f" ± {summary['sd']:.2f}")


def _number_text(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _published_figure(value: float | None) -> str:
    """Return a published figure with the decimals that the paper gives."""
    return "-" if value is None else f"{value:g}"
