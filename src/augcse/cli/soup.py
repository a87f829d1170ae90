"""`augcse soup`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli.console import note, print_json


def soup(
    models: list[str] = typer.Argument(help="Two or more model folders of one architecture, e.g. my-sweep/runs/CELL-seed*/model."),
    output: Path = typer.Option(..., help="Folder for the model."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="Nothing on stderr but errors."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Average the weights of models of one architecture, such as the seeds of a cell of augcse sweep; nothing is trained."""
    from augcse.encoding.soup import soup as run

    built = run(models, output=output)
    if as_json:
        print_json({"output": str(built.folder), **built.record})
    elif not quiet:
        note(f"mean of {len(models)} models in {built.folder}; score it: augcse evaluate {built.folder}")
