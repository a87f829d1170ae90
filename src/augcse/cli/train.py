"""`augcse train`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from augcse.cli import completion
from augcse.cli.console import note, print_json, print_table, reported_stop, training_watcher
from augcse.corpus.lines import EncodingErrors
from augcse.options import MAX_WORKERS

if TYPE_CHECKING:
    from augcse.training.record import Run


def train(
    recipe: str = typer.Argument(help="A recipe's name (see: augcse list recipes) or a TOML file.", autocompletion=completion.recipe),
    corpus: list[Path] = typer.Option(
        ..., "--corpus", help="Text, a sentence per line, or a table (.csv .tsv .jsonl .json .parquet), also .gz .xz .bz2 .zst; repeatable."
    ),
    model: str | None = typer.Option(
        None, help="Model in place of the recipe's: mini-bert, a folder or a hub name; a sentence-transformers model keeps its modules."
    ),
    data: Path | None = typer.Option(None, help="Evaluation data folder with sts/ in it (or AUGCSE_DATA)."),
    dev: str = typer.Option(
        "auto",
        help="Score while training: auto (if there is --data what the recipe states, else STS-B dev), stsb, none, a file of your own pairs"
        " or labels, or tasks, suites and files with weights (STSB-dev=1,transfer=0.5; transfer tasks by their development rows).",
    ),
    test: str = typer.Option(
        "auto",
        help="Score the finished model: auto (what the recipe states, else sts), tasks or suites, comma-separated, which need --data,"
        " files of your own pairs or labels, or none.",
    ),
    output: Path = typer.Option(Path("augcse-run"), help="The run's folder."),
    resume: bool = typer.Option(False, "--resume", help="Continue from the last checkpoint in --output, with the same settings and data."),
    settings: list[str] = typer.Option([], "--set", help="key=value in place of the recipe's, e.g. training.batch_size=32; repeatable."),
    seed: int | None = typer.Option(None, help="Short for --set training.seed=N."),
    workers: int | None = typer.Option(None, min=1, max=MAX_WORKERS, help="Processes for augmentation (default: all cores)."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    report_to: str = typer.Option("none", help="Trackers that get the curves: tensorboard, trackio, wandb, comma-separated, or none."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document, what run.json holds."),
) -> None:
    """Train a sentence encoder on plain text; writes model, run.json and recipe.toml to --output.

    Prints the scores before training, of the best step, which is kept and may be the start, and of the last.

    Ctrl-C and SIGTERM end it after the current step, with a checkpoint.
    """
    from augcse.assignments import parse_assignments, refuse_options, with_option
    from augcse.config import load_recipe
    from augcse.pipeline import train as run

    overrides = parse_assignments(settings)
    refuse_options(overrides, ("dev", "test"))
    overrides = with_option(overrides, "seed", seed, "training.seed")
    overrides = with_option(overrides, "model", model, "model.backbone")
    batch_size = load_recipe(recipe, overrides).training.batch_size
    with reported_stop(), training_watcher(batch_size, quiet) as watcher:
        result = run(
            recipe,
            corpus=list(corpus),
            model=model,
            data=data,
            dev=dev,
            test=test,
            output=output,
            resume=resume,
            workers=workers,
            column=column,
            encoding_errors=check_encoding_errors(encoding_errors),
            report_to=report_to,
            watcher=watcher,
            **overrides,
        )
    print_run(result, quiet, as_json)


def print_run(result: Run, quiet: bool, as_json: bool) -> None:
    """Print the scores before training, of the best step and of the last, and the paths; or the whole record as JSON."""
    from augcse.training.outcome import baseline_rows, describe_baselines, describe_gain, interpolation_rows, outcome_rows
    from augcse.training.record import since_resume

    record = result.record
    if as_json:
        print_json({"folder": str(result.folder), "model": str(result.model), **record})
        return
    for header, rows in (interpolation_rows(record), outcome_rows(record), baseline_rows(record)):
        if rows:
            print_table(header, rows)
    for description in (describe_gain(record), describe_baselines(record)):
        if description and not quiet:
            note(description)
    minutes = record["wall_time_s"] / 60
    if not quiet:
        kept = kept_in_words(record)
        note(f"{kept}; {minutes:.1f} min{since_resume(record)}; model: {result.model}; record: {result.folder / 'run.json'}")


def kept_in_words(record: dict[str, Any]) -> str:
    """Return in words which step's model, or which interpolation, is kept."""
    if "kept" in record and record["kept"]["weight"] == 0:
        return "the start is kept"
    if "kept" in record:
        return f"the mix of weight {record['kept']['weight']:g} of step {record['kept']['step']} of {record['steps']} is kept"
    return f"step {record['kept_step']} of {record['steps']} is kept" if record["best"] else f"{record['steps']} steps"


def check_encoding_errors(value: str) -> EncodingErrors:
    """Return the value if it is valid; raises a usage error otherwise."""
    if value == "strict":
        return "strict"
    if value == "replace":
        return "replace"
    raise typer.BadParameter("choose strict or replace", param_hint="--encoding-errors")
