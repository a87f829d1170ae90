"""The pages of bundled sweeps, from the records of their runs alone (scripts/keep_sweep.py); what was not run is said."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from augcse.evaluation.run_scores import KEPT_MODEL
from augcse.report.record import load_record
from augcse.report.table import Table
from augcse.sweeping.differences import DIFFERENCES_NOTE, differences_table
from augcse.sweeping.file import read_plan, sweep_names
from augcse.sweeping.plan import Cell, Plan, cells_of
from augcse.sweeping.results import notes_below_table, results, table
from augcse.training.outcome import BASELINES
from docs_pages.layout import NOTE, RESULTS
from measure_spaces import FIGURES, PROBE

_LISTED_FILES = 2
_ABOUT_SPACES = (
    "Alignment of the pairs graded 4 or more and uniformity of all sentences of STS-B's test split (the lower the better), and the summary"
    " of the checks without labels on the run's text (the higher the better): `python scripts/measure_spaces.py`."
)


def benchmark_mini(records: Path = RESULTS) -> str:
    """Return the page of the sweep benchmark-mini."""
    return sweep_page("benchmark-mini", records)


def kept_sweeps(records: Path = RESULTS) -> dict[str, Callable[[], str]]:
    """Return the pages of the other sweeps that have records, by file."""
    names = [name for name in sweep_names() if (records / name).is_dir()]
    return {f"results/{name}.md": partial(sweep_page, name, records) for name in names}


def sweep_page(name: str, records: Path) -> str:
    """Return the page of a sweep: its header, the table, the differences, what has not been run, how it was made."""
    plan = read_plan(name, {})
    cells = cells_of(plan, {})
    found = _records(cells, records / name)
    # Those without a run are named above the table.
    begun = [cell for cell in cells if any(cell.run_name(seed) in found for seed in cell.seeds)]
    document = results(name, begun, found, {}, plan.compare_to)
    compared = differences_table(document["differences"])
    parts = [
        f"# The sweep {name}\n\n{_header(plan)}\n\nMean ± sample standard deviation over seeds, x 100; made from the records of the runs"
        f" alone (docs/results/{name}/). A star: the best by dev. Below the cells, what costs nothing.",
        _not_run(cells, found),
    ]
    if found:
        parts += [
            table(document).markdown(),
            *notes_below_table(document),
            *([DIFFERENCES_NOTE, compared.markdown()] if compared else []),
            _spaces(begun, found),
            _conditions(found),
            _reproduced(records / "reproduced" / f"{name}.json"),
        ]
    return NOTE + "\n\n".join(filter(None, parts)) + "\n"


def _records(cells: Sequence[Cell], folder: Path) -> dict[str, dict[str, Any]]:
    paths = {name: folder / f"{name}.json" for cell in cells for name in map(cell.run_name, cell.seeds)}
    found = {name: load_record(path) for name, path in paths.items() if path.exists()}
    for cell in cells:
        for seed in cell.seeds:
            _check(cell, seed, found.get(cell.run_name(seed)))
    return found


def _check(cell: Cell, seed: int, record: Mapping[str, Any] | None) -> None:
    """Refuse a record of other settings than the sweep file has now: it is no cell of it. Keys that it lacks are newer than it."""
    if record is None:
        return
    now, then = _flat(cell.recipe_of(seed).model_dump(mode="json")), _flat(record["recipe"])
    # The same model from a folder as from the hub.
    for recipe in (now, then):
        recipe["model.backbone"] = recipe["model.backbone"].rpartition("/")[2]
    differing = sorted(key for key in now.keys() & then.keys() if now[key] != then[key])
    if differing:
        raise ValueError(f"the record of {cell.run_name(seed)} has another recipe ({', '.join(differing)}); run it again")


def _flat(recipe: Mapping[str, Any]) -> dict[str, Any]:
    sections = {key: value for key, value in recipe.items() if isinstance(value, dict)}
    return {f"{section}.{key}": value for section, content in sections.items() for key, value in content.items()}


def _header(plan: Plan) -> str:
    return " ".join(plan.header.split("\n"))


def _not_run(cells: Sequence[Cell], found: Mapping[str, Any]) -> str:
    """Say how many runs there are, and which cells lack some."""
    runs = [name for cell in cells for name in map(cell.run_name, cell.seeds)]
    if len(found) == len(runs):
        return f"All {len(runs)} runs have been made."
    cells_without: dict[str, list[str]] = {}
    for cell in cells:
        missing = [str(seed) for seed in cell.seeds if cell.run_name(seed) not in found]
        if missing:
            cells_without.setdefault("all" if len(missing) == len(cell.seeds) else ", ".join(missing), []).append(cell.name)
    rows = [[seeds, "; ".join(names)] for seeds, names in cells_without.items()]
    return f"**{len(found)} of {len(runs)} runs have been made.** Not yet run:\n\n" + Table(["seeds", "cells"], rows).markdown()


def _spaces(cells: Sequence[Cell], found: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the figures of scripts/measure_spaces.py, for the cells and for what costs nothing on each text; "" where there are none."""
    rows: dict[str, list[Mapping[str, float]]] = {}
    free: dict[str, list[Mapping[str, float]]] = {}
    for cell in cells:
        for run in (found.get(cell.run_name(seed), {}) for seed in cell.seeds):
            for name, figures in run.get("spaces", {}).items():
                if name == KEPT_MODEL:
                    rows.setdefault(cell.name, []).append(figures)
                else:
                    free[f"{BASELINES[name].words}, {cell.corpus}"] = [figures]
    if not rows:
        return ""
    columns = [*FIGURES, PROBE]
    cells_shown = [[name, *(_mean([figures[key] for figures in kept]) for key in columns)] for name, kept in {**rows, **free}.items()]
    return f"{_ABOUT_SPACES}\n\n" + Table(["cell", *columns], cells_shown).markdown()


def _mean(values: Sequence[float]) -> str:
    return f"{statistics.fmean(values):.3f}" + (f" ± {statistics.stdev(values):.3f}" if len(values) > 1 else "")


def _conditions(found: Mapping[str, Mapping[str, Any]]) -> str:
    """Say on what the runs were made."""
    records = list(found.values())
    processors = sorted({record["hardware"]["processor"] for record in records})
    files = sorted({f"{file['path']} ({file['sha256'][:8]})" for record in records for file in record["corpus"]})[:_LISTED_FILES]
    seconds = statistics.median(record["wall_time_s"] for record in records)
    return f"Texts: {', '.join(files)}. Median time of a run: {seconds:,.0f} s on one thread of {', '.join(processors)}."


def _reproduced(path: Path) -> str:
    """Say which runs were trained again, and what of them was not the same; "" where none was."""
    if not path.exists():
        return ""
    made = json.loads(path.read_text("utf-8"))
    outcomes = [f"{name} (differing: {', '.join(keys)})" if keys else f"{name} (the same)" for name, keys in made["differing"].items()]
    return (
        f"Drawn by chance from these records (seed {made['draw']}) and trained again on {made['processor']} from the recipe alone, with"
        f" weights, curves and scores compared: {', '.join(outcomes)}. `python scripts/reproduce_cells.py {path.stem}`."
    )
