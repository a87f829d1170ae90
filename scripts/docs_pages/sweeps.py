"""The pages of bundled sweeps, from the records of their runs alone (scripts/keep_sweep.py), with what has not been run."""

from __future__ import annotations

import json
import statistics
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from augcse.evaluation.run_scores import KEPT_MODEL
from augcse.report.record import load_record
from augcse.report.table import Table
from augcse.sweeping.differences import DIFFERENCES_NOTE, MIN_SEEDS, differences_table, with_interval
from augcse.sweeping.file import read_plan, sweep_names
from augcse.sweeping.plan import Cell, SweepPlan, cells_of
from augcse.sweeping.results import notes_below_table, results, table
from augcse.training.outcome import BASELINES
from docs_pages.layout import NOTE, RESULTS
from keep_sweep import RULES_COMMIT
from measure_spaces import FIGURES, PROBE

_LISTED_FILES = 2
# Settings that say what else is scored and kept, and change nothing of the run's own scores.
_SCORED_BESIDE = {"evaluation.baselines", "evaluation.kept_resamples"}
_ABOUT_SPACES = (
    "Alignment of the pairs graded 4 or more and uniformity of all sentences of STS-B's test split (the lower the better), and the summary"
    " of the checks without labels on the run's text (the higher the better): `python scripts/measure_spaces.py`."
)


def benchmark_mini(records: Path = RESULTS) -> str:
    """Return the page of the sweep benchmark-mini."""
    return sweep_page("benchmark-mini", records)


def objectives_table(records: Path = RESULTS) -> str:
    """Return the rows of benchmark-mini on mixed text with seeds enough for an interval over them, by their difference to SimCSE on STS."""
    plan = read_plan("benchmark-mini", {})
    cells = cells_of(plan, {})
    found = results("benchmark-mini", cells, _records(cells, records / "benchmark-mini"), {}, plan.compare_to)["differences"]
    rows = {cell.name: cell.row for cell in cells if cell.corpus == "mixed"}
    entries = [entry for entry in found if entry["to"] == "SimCSE" and entry["cell"] in rows and entry["seeds"] >= MIN_SEEDS]
    by_suite = {(entry["cell"], entry["suite"]): entry for entry in entries}
    ranked = sorted((entry for entry in entries if entry["suite"] == "sts"), key=lambda entry: -entry["difference"])
    suites = ("sts", "transfer")
    lines = [
        [rows[entry["cell"]], str(entry["seeds"]), *(with_interval(by_suite[entry["cell"], suite]) for suite in suites)] for entry in ranked
    ]
    return Table(["benchmark row", "seeds", "seven STS, to SimCSE", "seven transfer, to SimCSE"], lines).markdown()


def kept_sweeps(records: Path = RESULTS) -> dict[str, Callable[[], str]]:
    """Return the pages of the other sweeps that have records, by file."""
    names = [name for name in sweep_names() if (records / name).is_dir()]
    return {f"results/{name}.md": partial(sweep_page, name, records) for name in names}


def sweep_page(name: str, records: Path) -> str:
    """Return the page of a sweep: its header, the table, the differences, what has not been run, how it was made."""
    plan = read_plan(name, {})
    cells = cells_of(plan, {})
    records_by_run = _records(cells, records / name)
    # Those without a run are named above the table.
    begun = [cell for cell in cells if any(cell.run_name(seed) in records_by_run for seed in cell.seeds)]
    document = results(name, begun, records_by_run, {}, plan.compare_to)
    compared = differences_table(document["differences"])
    parts = [
        f"# The sweep {name}\n\n{_header(plan)}\n\nMean ± sample standard deviation over seeds, x 100, from the records of the runs"
        f" alone (docs/results/{name}/). A star marks the best cell by dev. Below the cells: training-free baselines.",
        _not_run(cells, records_by_run),
    ]
    if records_by_run:
        parts += [
            table(document).markdown(),
            *notes_below_table(document),
            *([DIFFERENCES_NOTE, compared.markdown()] if compared else []),
            _spaces(begun, records_by_run),
            _conditions(records_by_run),
            _changed(records / "changed" / f"{name}.json", _cells_by_commit(begun, records_by_run)),
            _reproduced(records / "reproduced" / f"{name}.json"),
        ]
    return NOTE + "\n\n".join(filter(None, parts)) + "\n"


def _records(cells: Sequence[Cell], folder: Path) -> dict[str, dict[str, Any]]:
    paths = {name: folder / f"{name}.json" for cell in cells for name in map(cell.run_name, cell.seeds)}
    records_by_run = {name: load_record(path) for name, path in paths.items() if path.exists()}
    for cell in cells:
        for seed in cell.seeds:
            _check(cell, seed, records_by_run.get(cell.run_name(seed)))
    return records_by_run


def _check(cell: Cell, seed: int, record: Mapping[str, Any] | None) -> None:
    """Refuse a record of another training than that of the sweep file; missing keys are newer than the record."""
    if record is None:
        return
    now, then = _flat(cell.recipe_of(seed).model_dump(mode="json")), _flat(record["recipe"])
    # The same model from a folder as from the hub.
    for recipe in (now, then):
        recipe["model.backbone"] = recipe["model.backbone"].rpartition("/")[2]
    differing = sorted(key for key in (now.keys() & then.keys()) - _SCORED_BESIDE if now[key] != then[key])
    if differing:
        raise ValueError(f"the record of {cell.run_name(seed)} has another recipe ({', '.join(differing)}); run it again")


def _flat(recipe: Mapping[str, Any]) -> dict[str, Any]:
    sections = {key: value for key, value in recipe.items() if isinstance(value, dict)}
    return {f"{section}.{key}": value for section, content in sections.items() for key, value in content.items()}


def _header(plan: SweepPlan) -> str:
    return " ".join(plan.header.split("\n"))


def _not_run(cells: Sequence[Cell], records_by_run: Mapping[str, Any]) -> str:
    """Say how many runs there are, and which cells lack some."""
    runs = [name for cell in cells for name in map(cell.run_name, cell.seeds)]
    if len(records_by_run) == len(runs):
        return f"All {len(runs)} runs are finished."
    cells_without: dict[str, list[str]] = {}
    for cell in cells:
        missing = [str(seed) for seed in cell.seeds if cell.run_name(seed) not in records_by_run]
        if missing:
            cells_without.setdefault("all" if len(missing) == len(cell.seeds) else ", ".join(missing), []).append(cell.name)
    rows = [[seeds, "; ".join(names)] for seeds, names in cells_without.items()]
    return f"**{len(records_by_run)} of {len(runs)} runs are finished.** Missing:\n\n" + Table(["seeds", "cells"], rows).markdown()


def _spaces(cells: Sequence[Cell], records_by_run: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the figures of scripts/measure_spaces.py, for the cells and for what costs nothing on each text; "" where there are none."""
    rows: dict[str, list[Mapping[str, float]]] = {}
    free: dict[str, list[Mapping[str, float]]] = {}
    for cell in cells:
        for run in (records_by_run.get(cell.run_name(seed), {}) for seed in cell.seeds):
            for name, figures in run.get("spaces", {}).items():
                if name == KEPT_MODEL:
                    rows.setdefault(cell.name, []).append(figures)
                else:
                    free[f"{BASELINES[name].words}, {cell.corpus}"] = [figures]
    if not rows:
        return ""
    columns = [*FIGURES, PROBE]
    cells_shown = [[name, *(_mean([figures[key] for figures in runs]) for key in columns)] for name, runs in {**rows, **free}.items()]
    return f"{_ABOUT_SPACES}\n\n" + Table(["cell", *columns], cells_shown).markdown()


def _mean(values: Sequence[float]) -> str:
    return f"{statistics.fmean(values):.3f}" + (f" ± {statistics.stdev(values):.3f}" if len(values) > 1 else "")


def _conditions(records_by_run: Mapping[str, Mapping[str, Any]]) -> str:
    """Return the machines, texts and precisions of the runs."""
    records = list(records_by_run.values())
    precisions = ", ".join(
        f"{precision} ({count})" for precision, count in sorted(Counter(record["precision"] for record in records).items())
    )
    processors = sorted({record["hardware"]["processor"] for record in records})
    files = sorted({f"{file['path']} ({file['sha256'][:8]})" for record in records for file in record["corpus"]})[:_LISTED_FILES]
    seconds = statistics.median(record["wall_time_s"] for record in records)
    made_on = f"one thread of {', '.join(processors)}; trained in {precisions}"
    return f"Texts: {', '.join(files)}. Median time of a run: {seconds:,.0f} s on {made_on}."


def _cells_by_commit(cells: Sequence[Cell], records_by_run: Mapping[str, Mapping[str, Any]]) -> dict[str, list[str]]:
    """Return the cells whose finished runs all state the same commit of the rules that made their rows, by the commit."""
    by_commit: dict[str, list[str]] = {}
    for cell in cells:
        commits = {records_by_run[run].get(RULES_COMMIT) for run in map(cell.run_name, cell.seeds) if run in records_by_run}
        if len(commits) == 1 and (commit := commits.pop()) is not None:
            by_commit.setdefault(commit, []).append(cell.name)
    return by_commit


def _changed(path: Path, cells_by_commit: Mapping[str, Sequence[str]]) -> str:
    """Return on how many rows the rules write something else today than when the records were made; "" if that was not counted."""
    if not path.exists():
        return ""
    found = json.loads(path.read_text("utf-8"))
    corpus = found["corpus"]
    of_commits = " ".join(
        f"Rules of commit {commit}{_of_cells(cells_by_commit.get(commit))}: {_listed(counts)}."
        for commit, counts in found["commits"].items()
    )
    return (
        f"A record stays when a rule is mended. Of {corpus['rows']:,} rows of {corpus['path']}, so many have another output today than when"
        f" the rows of the augmented cells were made (`python scripts/changed_outputs.py {path.stem} --corpus {corpus['path']} --commit"
        f" COMMIT --every {corpus['every']}`). {of_commits}"
    )


def _of_cells(cells: Sequence[str] | None) -> str:
    return f" ({'; '.join(cells)})" if cells else " or later (all other cells)"


def _listed(counts: Mapping[str, int]) -> str:
    ordered = sorted(((name, count) for name, count in counts.items() if count), key=lambda item: (-item[1], item[0]))
    return f"{', '.join(f'{name} {count:,}' for name, count in ordered)}; of other rules none" if ordered else "none of any rule"


def _reproduced(path: Path) -> str:
    """Return which runs were reproduced, and what differed; "" if none were."""
    if not path.exists():
        return ""
    outcomes = [
        f"{name} (seed {run['draw']} of the draw, package of commit {run['commit'] or 'not recorded'}): "
        + (f"differing in {', '.join(run['differing'])}" if run["differing"] else "the same")
        for name, run in json.loads(path.read_text("utf-8"))["runs"].items()
    ]
    command = f"python scripts/reproduce_cells.py {path.stem} --corpus FILE ... --data DATA --output DIR"
    return (
        "Drawn by chance from these records and trained again from the recipe alone, on the same kind of processor, with weights, curves"
        f" and scores compared: {'; '.join(outcomes)}. `{command}`."
    )
