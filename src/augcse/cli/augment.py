"""`augcse augment`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

from augcse.cli import completion
from augcse.cli.console import note, print_json, print_table, reported_stop, row_progress, warn
from augcse.cli.train import check_encoding_errors
from augcse.errors import FailedWorkError, Interrupted, UserError
from augcse.options import MAX_SEED, MAX_WORKERS

if TYPE_CHECKING:
    from augcse.augmentations.run.write import AugmentationCounts


def augment(
    corpus: list[Path] = typer.Argument(
        help="Text files, one sentence per line, or tables (.csv .tsv .jsonl .json .parquet), also .gz .xz .bz2 .zst; - is standard input."
    ),
    names: str = typer.Option(
        ...,
        "--with",
        help="Comma-separated: NAME, NAME:option=value, a set (12-aug-2), file.py:Class, or 'chain(a, b)' (augcse list compositions).",
        autocompletion=completion.augmentation_list,
    ),
    output: Path = typer.Option(..., help="Folder for the shards; if it holds other augmentations of the same corpus, these are added."),
    format: str = typer.Option("parquet", help="parquet, jsonl or csv."),
    changed_only: bool = typer.Option(False, "--changed-only", help="Leave out the rows that an augmentation did not change."),
    record: bool = typer.Option(False, "--record", help="Write which augmentations made a text, and which spans of characters changed."),
    keep_words: Path | None = typer.Option(None, help="File of words and phrases, one a line, that must stay in a row's text."),
    largest_change: float | None = typer.Option(None, help="The largest share of a row's words that may change."),
    smallest_similarity: float | None = typer.Option(
        None, help="The smallest cosine of a row's old and new text, under --similarity-model."
    ),
    similarity_model: str | None = typer.Option(None, help="For --smallest-similarity: mini-bert (default), a folder or a hub name."),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Seed of the random streams."),
    workers: int = typer.Option(1, min=1, max=MAX_WORKERS, help="Processes; the result does not depend on it."),
    engine: str = typer.Option("local", help="local, or ray: a Ray cluster, for a corpus that outgrows a machine."),
    parser: str = typer.Option("en_ewt", help="spaCy pipeline: en_ewt (bundled), an installed one, or a folder."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Augment a corpus to Parquet, JSONL or CSV (row, sentence, augmentation, augmented, changed); continues a killed run."""
    from augcse.augmentations.run.write import augment_corpus
    from augcse.corpus.pipes import as_given, corpus_files

    if similarity_model is not None and smallest_similarity is None:
        raise UserError("--similarity-model is for --smallest-similarity; give both, e.g. --smallest-similarity 0.8")
    limits = {
        "keep_words": (str(keep_words),) if keep_words else None,
        "largest_change": None if largest_change is None else (largest_change,),
        "smallest_similarity": None if smallest_similarity is None else (smallest_similarity, similarity_model or "mini-bert"),
    }
    with reported_stop(), _report_finished_shards(output), corpus_files(corpus) as files, row_progress("augmenting", quiet) as rows_done:
        with_given_names = as_given(corpus, files)
        counts = augment_corpus(
            files,
            _with_constraints(names, limits),
            output,
            seed=seed,
            workers=workers,
            engine=engine,  # type: ignore[arg-type] # validated by augment_corpus
            parser=parser,
            column=column,
            encoding_errors=check_encoding_errors(encoding_errors),
            format=format,  # type: ignore[arg-type] # validated by augment_corpus
            changed_only=changed_only,
            record=record,
            start=rows_done.start,
            progress=rows_done.advance,
            warn=lambda message: warn(with_given_names(message)),
        )
    _print_counts(counts, output, as_json, quiet)


def _print_counts(counts: AugmentationCounts, output: Path, as_json: bool, quiet: bool) -> None:
    sentences = max(counts.sentences - counts.blank, 1)
    if as_json:
        shares = {name: {"changed": count, "share": round(count / sentences, 6)} for name, count in counts.changed.items()}
        document = {"output": str(output), "rows": counts.sentences, "blank": counts.blank}
        print_json({**document, "augmentations": shares, "why_none": dict(counts.unchanged)})
        return
    rows = [[name, f"{count:,}", f"{count / sentences:.1%}", counts.unchanged.get(name, "")] for name, count in counts.changed.items()]
    print_table(["augmentation", "changed", "share", "why none" if counts.unchanged else ""], rows)
    blank = f", {counts.blank:,} of them blank" if counts.blank else ""
    if not quiet:
        note(f"{counts.sentences:,} rows{blank}; shards in {output}")


def _with_constraints(names: str, limits: Mapping[str, tuple[Any, ...] | None]) -> list[str]:
    """Return the named augmentations, each wrapped in the given constraints."""
    from augcse.augmentations.composition import COMPOSITIONS, Call, split_names
    from augcse.augmentations.sets import expand

    expanded = expand(split_names(names))
    for name, values in limits.items():
        if values is not None:
            composition = COMPOSITIONS[name]
            for option, value in zip(composition.parameters.values(), values, strict=True):
                option.check(value, f"--{name.replace('_', '-')}")
            expanded = [Call(composition, tuple(map(str, values)), (augmentation,)).text([augmentation]) for augmentation in expanded]
    return expanded


@contextmanager
def _report_finished_shards(output: Path) -> Iterator[None]:
    """On interruption by a signal, and on a failure, report how many finished shards are kept."""
    from augcse.training.stopping import signals_interrupt

    try:
        with signals_interrupt():
            yield
    except Interrupted as stop:
        raise Interrupted(f"{stop}; {_kept_in_words(output)}", stop.signal_number) from None
    except FailedWorkError as failure:
        raise FailedWorkError(failure.reason, _kept_in_words(output)) from failure


def _kept_in_words(output: Path) -> str:
    from augcse.augmentations.run.write import finished_shards

    count = finished_shards(output)
    if not count:
        return "no shard was finished, and the same command begins again"
    return f"{count} finished shards are kept in {output}, and the same command continues from there"
