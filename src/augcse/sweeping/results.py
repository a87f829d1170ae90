"""What came of a sweep: the cells with mean, sample standard deviation and maximum over seeds, the best by dev, and what cost nothing.

The document depends on the runs' scores alone, not on times, folders or the order in which the runs were made: the same bytes, killed or
not.
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
# What a run made is beside this in every cell: no one figure for all.
_OF_EACH_RUN = "hybrid"
_SHOWN_TESTS = 8
NOT_RUN = "not run yet"


def results(
    name: str,
    cells: Sequence[Cell],
    records: Mapping[str, Record],
    failures: Mapping[str, str],
    compare_to: Sequence[str] = (),
) -> Document:
    """Return the table of a sweep as one JSON document.

    Args:
        name: of the sweep.
        cells: all of them, in order.
        records: of the finished runs, by name.
        failures: reasons of failed runs, by name.
        compare_to: rows and baselines, see `differences`.
    """
    described = [_cell(cell, records, failures) for cell in cells]
    return {
        "sweep": name,
        "chosen_by": _chosen_by(described),
        "best": _best(described),
        "published_of": _published_of(cells),
        "cells": described,
        "cost_nothing": _cost_nothing(cells, records),
        "differences": differences(cells, records, compare_to),
    }


def spread(values: Sequence[float]) -> dict[str, Any]:
    """Return mean, sample standard deviation (None of a single value), maximum and number of values.

    >>> spread([60.0, 61.0])["mean"], spread([60.0])["sd"]
    (60.5, None)
    """
    return {
        "mean": round(statistics.fmean(values), 4),
        "sd": round(statistics.stdev(values), 4) if len(values) > 1 else None,
        "max": round(max(values), 4),
        "runs": len(values),
    }


def failed_runs(document: Document) -> dict[str, str]:
    """Return the failed runs of a document and why."""
    return {run["run"]: run["failed"] for cell in document["cells"] for run in cell["runs"] if run.get("failed")}


def table(document: Document, html: bool = False) -> Table:
    """Return one row per cell, what cost nothing after them, and a row per failed run, red on a page: the best cell has a star."""
    tests = _shown_tests(document)
    stated = list(dict.fromkeys(column for cell in document["cells"] for column in cell["published"]))
    dev_columns = [f"{document['chosen_by']} (dev)", "max"] if document["chosen_by"] else []
    header = ["cell", "runs", *dev_columns, *tests, *(f"published {column}" for column in stated)]
    rows = [[*_row(cell, document, tests), *(_stated(cell["published"].get(column)) for column in stated)] for cell in document["cells"]]
    for free in document["cost_nothing"]:
        dev = free["dev"].get(document["chosen_by"])
        cells = [_number(dev), ""] if document["chosen_by"] else []
        rows.append([free["name"], "-", *cells, *(_number(free["test"].get(task)) for task in tests), *[""] * len(stated)])
    for run, reason in failed_runs(document).items():
        text = f"{run}: {reason}"
        cell = Html(f'<span class="bad">{escape(text)}</span>') if html else text
        rows.append([cell, "failed", *[""] * (len(header) - 2)])
    return Table(header, rows)


def closing_words(document: Document) -> list[str]:
    """Return what is said below the table: which cell is best, and what the published figures are of."""
    of = document["published_of"]
    said = [] if of is None else [f"published: {of}; the other figures are of the runs of this sweep"]
    return [best_in_words(document), *said]


def best_in_words(document: Document) -> str:
    """Say which cell is best and by what, whether its runs are better than their start, or why none is best."""
    if document["best"] is not None:
        found = next(cell for cell in document["cells"] if cell["name"] == document["best"])
        seeds = f"mean of {found['dev']['runs']} seeds" if found["dev"]["runs"] > 1 else "one seed"
        untrained = "" if any(run["kept_step"] for run in found["runs"]) else "; all its runs kept the start: training did not help"
        return f"best by {document['chosen_by']} (dev, {seeds}): {document['best']}, {found['dev']['mean']:.2f}{untrained}"
    if document["chosen_by"] is None:
        return "no cell is best: no run is finished that was scored while training (--data, --dev)"
    return "no cell is best: none has all its runs"


def _cell(cell: Cell, records: Mapping[str, Record], failures: Mapping[str, str]) -> Document:
    runs = [_run(cell, seed, records, failures) for seed in cell.seeds]
    done = [run for run in runs if "test" in run]
    dev = [run["dev"] for run in done if run["dev"]]
    tests = dict.fromkeys(task for run in done for task in run["test"])
    return {
        "name": cell.name,
        "recipe": cell.recipe.name,
        "corpus": cell.corpus,
        "settings": dict(cell.settings),
        "published": dict(cell.published.figures) if cell.published else {},
        "dev": {"name": next(iter(dev[0])), **spread([next(iter(one.values())) for one in dev])} if dev else None,
        "test": {task: spread([run["test"][task] for run in done if task in run["test"]]) for task in tests},
        "runs": runs,
    }


def _run(cell: Cell, seed: int, records: Mapping[str, Record], failures: Mapping[str, str]) -> Document:
    name = cell.run_name(seed)
    if name in records:
        record = records[name]
        kept = kept_moment(record)
        return {
            "run": name,
            "seed": seed,
            "kept_step": record.get("kept_step"),
            "dev": dict(kept.get("dev", {})),
            "test": dict(record["scores"]),
        }
    return {"run": name, "seed": seed, **({"failed": failures[name]} if name in failures else {"state": NOT_RUN})}


def _published_of(cells: Sequence[Cell]) -> str | None:
    return next((cell.published.of for cell in cells if cell.published), None)


def _chosen_by(cells: Sequence[Document]) -> str | None:
    """Return the name of the score that chooses; None where nothing was scored, or not everything by the same."""
    names = {cell["dev"]["name"] for cell in cells if cell["dev"]}
    return names.pop() if len(names) == 1 else None


def _best(cells: Sequence[Document]) -> str | None:
    """Return the cell with the highest mean among those that have all their runs; of equals, the first."""
    whole = [cell for cell in cells if cell["dev"] and cell["dev"]["runs"] == len(cell["runs"])]
    if _chosen_by(cells) is None or not whole:
        return None
    return str(max(whole, key=lambda cell: cell["dev"]["mean"])["name"])


def _cost_nothing(cells: Sequence[Cell], records: Mapping[str, Record]) -> list[Document]:
    """Return the scores of what costs nothing, once for each backbone and text."""
    starts = dict.fromkeys((cell.recipe.model.backbone, cell.corpus) for cell in cells)
    several = len(starts) > 1
    found: dict[tuple[str, str, str], Document] = {}
    for cell in cells:
        for seed in cell.seeds:
            for name, scores in records.get(cell.run_name(seed), {}).get("baselines", {}).items():
                words = BASELINES[name].words if name in BASELINES else name
                title = f"{words} ({cell.recipe.model.backbone}, {cell.corpus})" if several else words
                entry = {"name": title, "baseline": name, "corpus": cell.corpus, "dev": scores["dev"], "test": scores["test"]}
                if name != _OF_EACH_RUN:
                    found.setdefault((name, cell.recipe.model.backbone, cell.corpus), entry)
    return list(found.values())


def _shown_tests(document: Document) -> list[str]:
    """Return the averages and the tasks that are in none, or where there are no averages the first few tests."""
    tests = list(dict.fromkeys(task for cell in document["cells"] for task in cell["test"]))
    averages = [task for task in tests if is_average(task) or task.endswith("_avg")]
    alone = [task for task in tests if task in TASKS and not TASKS.get(task).suites]
    return [*averages, *alone] if averages else tests[:_SHOWN_TESTS]


def _row(cell: Document, document: Document, tests: Sequence[str]) -> list[str]:
    done = sum("test" in run for run in cell["runs"])
    star = " *" if cell["name"] == document["best"] else ""
    dev = [_mean(cell["dev"]), _number(cell["dev"] and cell["dev"]["max"])] if document["chosen_by"] else []
    return [f"{cell['name']}{star}", f"{done}/{len(cell['runs'])}", *dev, *(_mean(cell["test"].get(task)) for task in tests)]


def _mean(found: Mapping[str, Any] | None) -> str:
    if not found:
        return "-"
    return f"{found['mean']:.2f}" + ("" if found["sd"] is None else f" ± {found['sd']:.2f}")


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"


def _stated(value: float | None) -> str:
    """Return a published figure with the decimals that the paper has."""
    return "-" if value is None else f"{value:g}"
