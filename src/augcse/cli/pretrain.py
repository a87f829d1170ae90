"""`augcse pretrain`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from augcse.cli.console import note, print_json, reported_stop, training_watcher
from augcse.cli.train import check_encoding_errors
from augcse.encoding.static.options import MAX_VOCABULARY, MIN_VOCABULARY
from augcse.options import MAX_LAYERS, MAX_SEED
from augcse.training.pretraining.options import MAX_BLOCK, MAX_WIDTH, PretrainOptions, pretrain_options

DEFAULTS = PretrainOptions()
# Settings with their own command-line option.
_NAMED = (
    "backbone",
    "tokenizer",
    "vocabulary_size",
    "hidden_size",
    "layers",
    "block_tokens",
    "epochs",
    "max_steps",
    "seed",
    "sentence_stage",
)


def pretrain(
    corpus: list[Path] = typer.Argument(
        help="Text files, one sentence per line, in order, or tables (.csv .tsv .jsonl .json .parquet), also .gz .xz .bz2 .zst."
    ),
    output: Path = typer.Option(..., help="Folder for the model; OUTPUT.run holds checkpoints until it is there."),
    backbone: str | None = typer.Option(
        None, help="Continue from this masked language model and its tokenizer: mini-bert, a folder or a hub name (default: a new model)."
    ),
    tokenizer: str | None = typer.Option(None, help="Model whose tokenizer a new model takes (default: one trained on the corpus)."),
    vocabulary_size: int | None = typer.Option(
        None, min=MIN_VOCABULARY, max=MAX_VOCABULARY, help=f"Size of a trained tokenizer (default: {DEFAULTS.vocabulary_size})."
    ),
    hidden_size: int | None = typer.Option(None, min=2, max=MAX_WIDTH, help=f"Width of a new model (default: {DEFAULTS.hidden_size})."),
    layers: int | None = typer.Option(None, min=1, max=MAX_LAYERS, help=f"Layers of a new model (default: {DEFAULTS.layers})."),
    block_tokens: int | None = typer.Option(None, min=8, max=MAX_BLOCK, help=f"Length of a block (default: {DEFAULTS.block_tokens})."),
    whole_words: bool = typer.Option(False, "--whole-words", help="Mask all pieces of a word or none."),
    sentence_stage: str = typer.Option(
        DEFAULTS.sentence_stage, help="A second stage for the vectors of whole sentences: none or retromae."
    ),
    random_start: bool = typer.Option(
        False, "--random-start", help="Begin with random embeddings, not with the text's co-occurrence (static_start=false)."
    ),
    epochs: float | None = typer.Option(None, help=f"Passes over the text (default: {DEFAULTS.epochs:g})."),
    max_steps: int | None = typer.Option(None, min=1, max=1_000_000_000, help="At most this many steps."),
    resume: bool = typer.Option(
        False, "--resume", help="Continue from the last checkpoint in OUTPUT.run, with the same settings and text."
    ),
    settings: list[str] = typer.Option(
        [], "--set", help="Another setting: key=value, e.g. mask_rate=0.3, batch_size=32 or learning_rate=5e-4; repeatable."
    ),
    seed: int | None = typer.Option(None, min=0, max=MAX_SEED, help=f"Seed of weights, order and masks (default: {DEFAULTS.seed})."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document, what pretrain.json holds."),
) -> None:
    """Pretrain a small backbone on plain text: tokenizer, embedding table from co-occurrence, masked language model.

    The folder is an ordinary transformers model, for --model and --backbone of every other command.

    Ctrl-C and SIGTERM end it after the current step, with a checkpoint.
    """
    from augcse.assignments import parse_assignments
    from augcse.training.pretraining.pretrain import pretrain as run
    from augcse.training.processes import is_first_process

    named: dict[str, Any] = {name: value for name, value in locals().items() if name in _NAMED and value is not None}
    given = named | _given_flags(whole_words, random_start) | parse_assignments(settings)
    per_step, unit = pretrain_options(given).speed
    with reported_stop(), training_watcher(per_step, quiet, unit) as watcher:
        pretrained = run(
            corpus,
            output=output,
            resume=resume,
            column=column,
            encoding_errors=check_encoding_errors(encoding_errors),
            watcher=watcher,
            **given,
        )
    if not is_first_process():
        return
    if as_json:
        print_json({"folder": str(pretrained.folder), **pretrained.record})
    elif not quiet:
        _describe(pretrained.folder, pretrained.record)


def _given_flags(whole_words: bool, random_start: bool) -> dict[str, Any]:
    """Return the settings of the flags that are given; without a flag, --set and the default decide."""
    flags: dict[str, Any] = {}
    if whole_words:
        flags["whole_words"] = True
    if random_start:
        flags["static_start"] = False
    return flags


def _describe(folder: Path, record: dict[str, Any]) -> None:
    """Print a summary of the model and how to use it."""
    from augcse.training.pretraining.card import shape_in_words

    stages = "; ".join(f"{name} {_loss_summary(record['steps'][name], curve)}" for name, curve in record["curves"].items())
    # No step is named here: each stage counts its own.
    since = " since the last resume" if record["resumed_from_steps"] else ""
    note(
        f"{shape_in_words(record)}, {record['vocabulary']:,} tokens, {record['megabytes']} MB;"
        f" {stages}; {record['wall_time_s'] / 60:.1f} min{since}; model: {folder}"
    )
    note(f"use it: augcse train simcse-mini --model {folder} --corpus FILE; augcse static FILE --backbone {folder} --output MODEL")


def _loss_summary(steps: int, curve: list[dict[str, float]]) -> str:
    losses = [entry["loss"] for entry in curve if "loss" in entry]
    steps_in_words = "1 step" if steps == 1 else f"{steps:,} steps"
    if not losses:
        return steps_in_words
    if len(losses) == 1:
        return f"{steps_in_words}, mean loss {losses[0]:.2f}"
    return f"{steps_in_words}, loss {losses[0]:.2f} -> {losses[-1]:.2f}"
