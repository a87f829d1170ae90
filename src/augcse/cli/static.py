"""`augcse static`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer

from augcse.cli.console import note, print_json, reported_stop, training_watcher
from augcse.cli.train import check_encoding_errors
from augcse.encoding.static.options import (
    MAX_CONTEXTS,
    MAX_DIM,
    MAX_VOCABULARY,
    MAX_WINDOW,
    MIN_VOCABULARY,
    StaticOptions,
)
from augcse.training.stopping import signals_interrupt

DEFAULTS = StaticOptions()
# Settings with their own command-line option.
_NAMED = ("rows", "backbone", "tokenizer", "dim", "vocabulary_size", "window", "contexts", "tokens_once", "precision")


def static(
    corpus: list[Path] = typer.Argument(
        help="Text files, one sentence per line, or tables (.csv .tsv .jsonl .json .parquet), also .gz .xz .bz2 .zst; - is standard input."
    ),
    output: Path = typer.Option(..., help="Folder for the model."),
    rows: str | None = typer.Option(
        None, help="Vectors of tokens: cooccurrence, backbone or both (default: both with a --backbone, else cooccurrence)."
    ),
    backbone: str | None = typer.Option(None, help="Model whose embedding table and tokenizer to take: mini-bert, a folder or a hub name."),
    tokenizer: str | None = typer.Option(
        None, help="Model whose tokenizer to take (default: the backbone's, or one trained on the corpus)."
    ),
    whiten_on: list[Path] = typer.Option([], "--whiten-on", help="Sentences to fit the whitening on, instead of the corpus; repeatable."),
    dim: int | None = typer.Option(None, min=1, max=MAX_DIM, help="Dimensions to keep (default: all)."),
    vocabulary_size: int = typer.Option(
        DEFAULTS.vocabulary_size, min=MIN_VOCABULARY, max=MAX_VOCABULARY, help="Size of a trained tokenizer."
    ),
    window: int = typer.Option(DEFAULTS.window, min=1, max=MAX_WINDOW, help="Tokens on either side that count as the context of a token."),
    contexts: int = typer.Option(
        DEFAULTS.contexts, min=2, max=MAX_CONTEXTS, help="Number of tokens, the most frequent, that are counted as contexts."
    ),
    tokens_once: bool = typer.Option(
        DEFAULTS.tokens_once, "--tokens-once", help="Count each token of a sentence once; needs augcse to load."
    ),
    precision: str = typer.Option(DEFAULTS.precision, help="Precision of the stored vectors: fp32 or fp16."),
    settings: list[str] = typer.Option(
        [], "--set", help="Another setting: key=value, e.g. frequency_weight=0.001 or whitening_sentences=100000; repeatable."
    ),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document, what static.json holds."),
) -> None:
    """Make a static sentence encoder from plain text: a vector per token from co-occurrence or a backbone, weighted and whitened."""
    from augcse.assignments import parse_assignments
    from augcse.corpus.pipes import as_given, corpus_files
    from augcse.encoding.static.build import static as run
    from augcse.encoding.static.progress import Progress

    named = {name: value for name, value in locals().items() if name in _NAMED and value is not None}
    given = named | parse_assignments(settings)
    with reported_stop(), signals_interrupt(), corpus_files([*corpus, *whiten_on]) as files, training_watcher(1, quiet) as watcher:
        with_given_names = as_given([*corpus, *whiten_on], files)
        built = run(
            files[: len(corpus)],
            output=output,
            whiten_on=files[len(corpus) :],
            column=column,
            encoding_errors=check_encoding_errors(encoding_errors),
            progress=Progress(
                watcher.start, lambda count: watcher.advance(count, {}), lambda message: watcher.warn(with_given_names(message))
            ),
            **given,
        )
    if as_json:
        print_json({"folder": str(built.folder), **built.record})
    elif not quiet:
        _print_summary(built.folder, built.record)


def _print_summary(folder: Path, record: dict[str, Any]) -> None:
    """Print a summary of the model and how to use it."""
    note(
        f"{record['dim']} dimensions, {record['vocabulary']:,} tokens, {record['megabytes']} MB from {record['sentences']:,} sentences,"
        f" {record['unknown_share']:.2%} of their tokens unknown; model: {folder}"
    )
    loading = "augcse.encoding.model.load_encoder" if record["settings"]["tokens_once"] else "sentence_transformers.SentenceTransformer"
    note(f"use it: {loading}({str(folder)!r}).encode([...]); is it good for a text? augcse probe {folder} CORPUS")
