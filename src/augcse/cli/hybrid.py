"""`augcse hybrid`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli.console import note, print_json, print_table
from augcse.errors import UserError
from augcse.options import MAX_BATCH_ROWS


def hybrid(
    models: list[str] = typer.Argument(help="Two or more model folders, mini-bert, or hub names."),
    output: Path = typer.Option(..., help="Folder for the model."),
    weights: str | None = typer.Option(None, help="One number above 0 for each model, comma-separated, e.g. 1,0.5 (default: all 1)."),
    dev: str = typer.Option("none", help="Choose the weights on a grid: stsb (STS-B dev), or a file of graded pairs of your own."),
    data: Path | None = typer.Option(None, help="Data folder of --dev stsb (or AUGCSE_DATA); without it, the hub."),
    batch_size: int = typer.Option(128, min=1, max=MAX_BATCH_ROWS, help="Sentences encoded at a time."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Combine several encoders into one: their embeddings of unit length, weighted, are concatenated."""
    from augcse.evaluation.hybrid import hybrid as run

    built = run(
        models,
        output=output,
        weights=None if weights is None else _parsed_weights(weights),
        dev=dev,
        data=data,
        batch_size=batch_size,
        note=(lambda line: None) if quiet else note,
    )
    if as_json:
        print_json({"output": str(built.folder), **built.record})
        return
    if built.record["grid"]:
        rows = [[*(f"{weight:g}" for weight in trial["weights"]), f"{trial['score']:.2f}"] for trial in built.record["grid"]]
        print_table([*built.record["models"], "score x 100"], rows)
    if not quiet:
        chosen = ", ".join(f"{weight:g} x {name}" for weight, name in zip(built.record["weights"], built.record["models"], strict=True))
        note(f"model of {built.record['dim']} dimensions in {built.folder}: {chosen}")


def _parsed_weights(text: str) -> list[float]:
    """Parse "1,0.5". Raises `UserError` for a part that is not a number."""
    try:
        return [float(part) for part in text.split(",")]
    except ValueError as error:
        raise UserError(f"--weights is {text!r}; give one number for each model, e.g. 1,0.5") from error
