"""`augcse adapt`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli import completion
from augcse.cli.console import reported_stop, training_watcher
from augcse.cli.train import check_encoding_errors, print_run
from augcse.options import MAX_LAYERS, MAX_WORKERS


def adapt(
    corpus: list[Path] = typer.Argument(
        help="Text, a sentence per line, or a table (.csv .tsv .jsonl .json .parquet), also .gz .xz .bz2 .zst."
    ),
    model: str = typer.Option(..., help="The encoder: a sentence-transformers folder or hub name, a static encoder, or a bare backbone."),
    output: Path = typer.Option(..., help="The run's folder."),
    data: Path | None = typer.Option(None, help="Evaluation data folder with sts/ in it (or AUGCSE_DATA)."),
    dev: str = typer.Option(
        "auto",
        help="Choose by: auto (with --data STS-B dev, else probe), a file of your own pairs or labels, stsb, probe (checks without labels"
        " on sentences that are not trained on), none, or tasks, suites and files with weights.",
    ),
    test: str = typer.Option("auto", help="Score the result: as in augcse train."),
    recipe: str = typer.Option(
        "auto", help="auto (adapt, or adapt-static for a static encoder), a recipe or a TOML file.", autocompletion=completion.recipe
    ),
    objective: str | None = typer.Option(
        None, help="Another objective, by its name or a recipe's, with that recipe's augmentations: augcse, diffcse, contrastive."
    ),
    last_layers: int | None = typer.Option(
        None, min=1, max=MAX_LAYERS, help="Train only this many layers of the transformer, counted from the last one."
    ),
    resume: bool = typer.Option(False, "--resume", help="Continue from the last checkpoint in --output, with the same settings and data."),
    settings: list[str] = typer.Option([], "--set", help="key=value in place of the recipe's, e.g. training.batch_size=16; repeatable."),
    seed: int | None = typer.Option(None, help="Short for --set training.seed=N."),
    workers: int | None = typer.Option(None, min=1, max=MAX_WORKERS, help="Processes for augmentation (default: all cores)."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    report_to: str = typer.Option("none", help="Trackers that get the curves: tensorboard, trackio, wandb, comma-separated, or none."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document, what run.json holds."),
) -> None:
    """Adapt an already good sentence encoder to your text; writes model, run.json and recipe.toml to --output.

    Trains gently, scores mixes of the start's and the trained weights, and keeps the start if none is clearly better.

    Ctrl-C and SIGTERM end it after the current step, with a checkpoint.
    """
    from augcse.adaptation import adapt_recipe
    from augcse.assignments import parse_assignments, with_option
    from augcse.pipeline import train as run

    keys = parse_assignments(settings)
    keys = with_option(keys, "last-layers", last_layers, "training.last_layers")
    keys = with_option(keys, "seed", seed, "training.seed")
    keys = with_option(keys, "model", model, "model.backbone")
    resolved = adapt_recipe(model, recipe, objective, keys)
    with reported_stop(), training_watcher(resolved.training.batch_size, quiet) as watcher:
        result = run(
            resolved,
            corpus=list(corpus),
            output=output,
            data=data,
            dev=dev,
            test=test,
            resume=resume,
            workers=workers,
            column=column,
            encoding_errors=check_encoding_errors(encoding_errors),
            report_to=report_to,
            watcher=watcher,
        )
    print_run(result, quiet, as_json)
