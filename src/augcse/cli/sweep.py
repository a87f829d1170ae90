"""`augcse sweep`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from augcse.cli import completion
from augcse.cli.console import note, print_json, print_line, print_table, reported_stop
from augcse.cli.sweep_listing import list_all, list_cells
from augcse.cli.train import check_encoding_errors
from augcse.errors import UserError
from augcse.options import MAX_WORKERS

if TYPE_CHECKING:
    from augcse.sweeping.sweep import Sweep

EXIT_FAILED = 1
# Arguments of the sweep function, which --set must not override.
_OWN_OPTIONS = (
    "corpus",
    "output",
    "grid",
    "seeds",
    "model",
    "data",
    "dev",
    "test",
    "workers",
    "column",
    "yes",
    "quiet",
    "rows",
    "published",
)


def sweep(
    recipe: str | None = typer.Argument(
        None,
        help="A recipe's or a sweep's name (see: augcse list recipes, augcse sweep --list), or a TOML file of either.",
        autocompletion=completion.recipe_or_sweep,
    ),
    corpus: list[str] = typer.Option(
        [], "--corpus", help="Text, a sentence per line, or a table; repeatable. For a sweep with several texts: NAME=FILE for each."
    ),
    grid: list[str] = typer.Option(
        [], "--grid", help="key=a,b: a key of the recipe and its values; repeatable, every combination is a cell of the table."
    ),
    seeds: str | None = typer.Option(
        None, help="Seeds of each cell's runs, e.g. 1,11,42,68,421 (default: the sweep file's, else `seeds` of the recipe, else its one)."
    ),
    rows: list[str] = typer.Option([], "--row", help="Name of a row of the sweep file; repeatable, the others are left out."),
    published: bool = typer.Option(
        False, "--published", help="For a sweep of a paper's table: train recipes of the paper's size (BERT-base)."
    ),
    output: Path | None = typer.Option(None, help="The sweep's folder. The same command continues in it."),
    model: str | None = typer.Option(None, help="Model in place of the recipes': mini-bert, a folder or a hub name."),
    data: Path | None = typer.Option(None, help="Evaluation data folder with sts/ in it (or AUGCSE_DATA)."),
    dev: str = typer.Option("auto", help="What chooses the step of a run and the best cell; as in augcse train."),
    test: str = typer.Option("auto", help="What the finished models are scored on; as in augcse train."),
    settings: list[str] = typer.Option([], "--set", help="key=value in place of the recipes', for all cells; repeatable."),
    workers: int | None = typer.Option(
        None,
        min=1,
        max=MAX_WORKERS,
        help="Runs at a time, each on one core, or on one GPU (default: as many as there are).",
    ),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    yes: bool = typer.Option(False, "--yes", help="Make more than 1,000 runs without being asked."),
    list_sweeps: bool = typer.Option(
        False, "--list", help="List the bundled sweeps, or the cells of the one named, with their cost (on --corpus)."
    ),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document, what table.json holds."),
) -> None:
    """Train a recipe, or several, over a grid of settings and seeds; the best cell by dev, with mean, spread and maximum over the seeds.

    Every run is a folder of augcse train in --output, made in its own process. After a kill or a stop, the same command continues with the
    remaining runs and ends with the same table. A run that fails is a row with its reason, and the exit code is 1 when the others are done.
    """
    if list_sweeps and recipe is None:
        list_all(corpus, workers, as_json)
        return
    if recipe is None:
        raise UserError("no recipe or sweep named; give one (see: augcse list recipes, augcse sweep --list)")
    reading = {"column": column, "encoding_errors": check_encoding_errors(encoding_errors)}
    tasks = {"data": data, "dev": dev, "test": test}
    given = {**_parsed_arguments(settings, grid, seeds), **tasks, "rows": rows, "published": published, "model": model, "workers": workers}
    if list_sweeps:
        list_cells(recipe, named_files(recipe, rows, corpus, published) if corpus else None, reading, given, as_json)
        return
    if output is None:
        raise UserError("no --output; give the folder that the sweep is made in")
    finished = _run_sweep(recipe, named_files(recipe, rows, corpus, published), output, quiet, {**given, **reading, "yes": yes})
    _print_sweep(finished, quiet, as_json)


def _parsed_arguments(settings: list[str], grid: list[str], seeds: str | None) -> dict[str, Any]:
    """Parse settings, grid and seeds, and return them as arguments of the sweep function."""
    from augcse.assignments import parse_assignments, refuse_options
    from augcse.sweeping.grid import parse_grid
    from augcse.sweeping.plan import parse_seeds

    overrides = parse_assignments(settings)
    refuse_options(overrides, _OWN_OPTIONS)
    return {"grid": parse_grid(grid), "seeds": None if seeds is None else parse_seeds(seeds), "settings": overrides}


def _run_sweep(recipe: str, files: Any, output: Path, quiet: bool, given: Mapping[str, Any]) -> Sweep:
    from augcse.sweeping.sweep import sweep as run

    notify = (lambda line: None) if quiet else note
    with reported_stop():
        return run(recipe, corpus=files, output=output, notify=notify, **given)


def _print_sweep(finished: Sweep, quiet: bool, as_json: bool) -> None:
    from augcse.sweeping.differences import DIFFERENCES_NOTE, differences_table
    from augcse.sweeping.folder import REPORT, TABLE
    from augcse.sweeping.results import notes_below_table

    if as_json:
        print_json({"folder": str(finished.folder), **finished.document})
    else:
        table = finished.table()
        print_table(table.header, table.rows)
        for line in notes_below_table(finished.document):
            print_line(line)
        differences = differences_table(finished.document["differences"])
        if differences:
            print_line(DIFFERENCES_NOTE)
            print_table(differences.header, differences.rows)
    if not quiet:
        note(f"table: {finished.folder / TABLE}; report: {finished.folder / REPORT}; runs: {finished.folder / 'runs'}")
    if finished.failed:
        note(f"{len(finished.failed)} of the runs failed; their logs are in {finished.folder / 'logs'}, the same command tries them again")
        raise typer.Exit(EXIT_FAILED)


def named_files(recipe: str, rows: Sequence[str], given: Sequence[str], published: bool = False) -> Any:
    """Return the files, or {name: files} if the plan names its texts; files of rows that are left out are accepted."""
    from augcse.sweeping.file import read_plan
    from augcse.sweeping.plan import CORPUS

    if not given:
        raise UserError("no --corpus; give the text to train on")
    plan = read_plan(recipe, {}, published=published)
    names, needed = plan.corpora, plan.select_rows(rows).corpora
    if names == (CORPUS,):
        return [Path(path) for path in given]
    files_by_name: dict[str, list[Path]] = {}
    for entry in given:
        name, equals, path = entry.partition("=")
        if equals and name in names:
            files_by_name.setdefault(name, []).append(Path(path))
        elif len(needed) == 1:
            files_by_name.setdefault(needed[0], []).append(Path(entry))
        else:
            raise UserError(f"--corpus {entry}: {recipe} trains on {', '.join(needed)}; write NAME=FILE, e.g. --corpus {needed[0]}={entry}")
    return files_by_name
