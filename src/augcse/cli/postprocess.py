"""`augcse postprocess`."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import typer

from augcse.cli import completion
from augcse.cli.console import note, print_json, print_table, warn
from augcse.cli.train import check_encoding_errors
from augcse.encoding.postprocess import SAMPLE_SIZE
from augcse.options import MAX_BATCH_ROWS


def postprocess(
    model: str = typer.Argument(help="A model folder, mini-bert, a hub name, or a text file of word vectors (GloVe's format)."),
    corpus: list[Path] = typer.Argument(None, help="The text to fit the steps on: text files, one sentence per line, or tables."),
    steps: list[str] = typer.Option(
        [],
        "--with",
        help="A step, NAME or NAME:option=value,option=value (see: augcse list steps); repeatable, applied in order.",
        autocompletion=completion.step,
    ),
    output: Path = typer.Option(..., help="Folder for the model."),
    pooling: str | None = typer.Option(None, help="For a bare backbone: cls, mean (default), first-last-0, first-last-1."),
    sample: int = typer.Option(
        SAMPLE_SIZE, min=2, max=10_000_000, help="Distinct sentences to fit on; always the same ones for the same text."
    ),
    batch_size: int = typer.Option(128, min=1, max=MAX_BATCH_ROWS, help="Sentences encoded at a time."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    stop_words: bool | None = typer.Option(
        None, "--stop-words/--all-words", help="For word vectors: leave stop words out (default, as published), or average all words."
    ),
    tasks: str = typer.Option("", help="For word vectors: keep only the words of these tasks or suites; saves memory."),
    words: list[Path] = typer.Option(
        [], "--words", help="For word vectors: keep the words of these texts, and of --tasks if given, and no others."
    ),
    data: Path | None = typer.Option(None, help="Data folder of --tasks (or AUGCSE_DATA); without it, the hub."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Add weighting, whitening, a flow or only a pooling to a finished encoder, fitted on plain text; its weights are not trained."""
    from augcse.encoding.postprocess import postprocess as run

    built = run(
        model,
        corpus or [],
        output=output,
        steps=steps,
        pooling=pooling,  # type: ignore[arg-type]
        sample=sample,
        batch_size=batch_size,
        encoding_errors=check_encoding_errors(encoding_errors),
        column=column,
        stop_words=stop_words,
        words=_needed_words(tasks, words, data),
        note=(lambda line: None) if quiet else note,
    )
    for warning in built.record["warnings"]:
        warn(warning)
    if as_json:
        print_json({"output": str(built.folder), **built.record})
        return
    rows = [[step["name"], _listed_values(step["options"]), _listed_values(step["figures"])] for step in built.record["steps"]]
    if rows:
        print_table(["step", "options", "figures"], rows)
    if not quiet:
        note(f"model of {built.record['dim']} dimensions in {built.folder}{_fitting_note(built.record['text'])}")


def _needed_words(tasks: str, texts: list[Path], data: Path | None) -> set[str] | None:
    """Return the words of a word-vector file to load; None for all."""
    if not tasks and not texts:
        return None
    from augcse.corpus.read import check_corpus_paths, no_sentence, read_sentences
    from augcse.encoding.word_vectors import needed_words
    from augcse.evaluation.base import expand_suites, load_task
    from augcse.evaluation.data_folder import find_data

    files = check_corpus_paths(texts) if texts else []
    folder = find_data(data)
    task_names = [name for group in expand_suites([name.strip() for name in tasks.split(",")]).values() for name in group] if tasks else []
    task_words = needed_words(sentence for name in task_names for sentence in load_task(name, folder).sentences())
    text_words = needed_words(read_sentences(files)) if files else set()
    if files and not text_words:
        raise no_sentence(files)
    return task_words | text_words


def _listed_values(values: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={'none' if value is None else str(value).lower()}" for name, value in values.items())


def _fitting_note(text: Mapping[str, Any] | None) -> str:
    return f"; fitted on {text['distinct']:,} distinct sentences of {text['read']:,}" if text else ""
