"""`augcse evaluate`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli.console import print_json, print_table


def evaluate(
    model: str = typer.Argument(help="A model folder, mini-bert, or a hub name."),
    tasks: str = typer.Option("sts", help="Comma-separated tasks or suites (see: augcse list tasks)."),
    data: Path | None = typer.Option(None, help="Data folder with sts/ in it (or AUGCSE_DATA); without it, the hub."),
    pooling: str | None = typer.Option(
        None, help="For a bare backbone: cls, mean (default), first-last-0, first-last-1. For a sentence-transformers folder: its own."
    ),
    batch_size: int = typer.Option(128, min=1, help="Sentences encoded at a time."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Score a model: Spearman x 100 per task, SimCSE's protocol."""
    from augcse.pipeline import evaluate as run

    names = [name.strip() for name in tasks.split(",") if name.strip()]
    scores = run(model, names, data, pooling=pooling, batch_size=batch_size)  # type: ignore[arg-type]
    document = scores.as_json()
    if as_json:
        print_json(document)
    else:
        print_table(["task", "Spearman x 100"], [[task, f"{value:.2f}"] for task, value in document["scores"].items()])
