"""`augcse evaluate`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from augcse.cli import completion
from augcse.cli.console import print_json, print_line, print_table, warn
from augcse.options import MAX_BATCH_ROWS


def evaluate(
    model: str = typer.Argument(help="A model folder, mini-bert, or a hub name."),
    tasks: str = typer.Option(
        "sts",
        help="Comma-separated tasks or suites (see: augcse list tasks), or files of your own pairs or labels: pairs.tsv, labels.csv,"
        " train.csv+test.csv.",
        autocompletion=completion.task_list,
    ),
    data: Path | None = typer.Option(None, help="Data folder with sts/, transfer/ in it (or AUGCSE_DATA); without it, the hub."),
    pooling: str | None = typer.Option(
        None, help="For a bare backbone: cls, mean (default), first-last-0, first-last-1. For a sentence-transformers folder: its own."
    ),
    batch_size: int = typer.Option(128, min=1, max=MAX_BATCH_ROWS, help="Sentences encoded at a time."),
    classifier: str = typer.Option("lbfgs", help="For transfer tasks: lbfgs (exact, fast) or senteval (SentEval's training loop, slow)."),
    protocol: str = typer.Option(
        "test",
        help="For transfer tasks: test (10 folds, as reported), fast (5 folds), or dev (5 folds, development accuracy, as in training).",
    ),
    mteb_results: Path | None = typer.Option(None, help="Folder in which MTEB keeps the results of its own tasks (mteb:NAME)."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Score a model: Spearman x 100 or accuracy x 100 per task, SimCSE's protocol."""
    from augcse.evaluation.evaluate import evaluate as run

    names = [name.strip() for name in tasks.split(",") if name.strip()]
    scores = run(
        model,
        names,
        data,
        pooling=pooling,  # type: ignore[arg-type]
        batch_size=batch_size,
        classifier=classifier,  # type: ignore[arg-type]
        protocol=protocol,  # type: ignore[arg-type]
        mteb_results=mteb_results,
    )
    document = scores.as_json()
    for warning in scores.warnings:
        warn(warning.message)
    if as_json:
        print_json(document)
        return
    rows = [[*row, _details(scores.details.get(row[0], {}))] for row in score_rows(document)]
    header = ["task", "score x 100", "95 % interval", "details"]
    # MTEB's tasks have no interval and no details.
    if not scores.details:
        header, rows = header[:2], [row[:2] for row in rows]
    print_table(header, rows)
    print_line(scores.truncated or "no sentence was cut: the model has no maximum length")


def score_rows(document: Mapping[str, Any]) -> list[list[str]]:
    """Return rows of task, score and interval (if any) from a JSON document or record of scores."""
    ends = {task: f"{interval['low']:.2f} to {interval['high']:.2f}" for task, interval in document.get("intervals", {}).items()}
    return [[task, f"{value:.2f}", ends.get(task, "")] for task, value in document["scores"].items()]


def _details(figures: dict[str, float]) -> str:
    """Return the secondary figures; the first one is the main score, which has its own column."""
    counts = {figure: f"{value:,}" if isinstance(value, int) else f"{value:.2f}" for figure, value in figures.items()}
    return ", ".join(f"{figure} {value}" for figure, value in list(counts.items())[1:])
