"""`augcse augment`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli.console import note, print_table, row_progress
from augcse.cli.train import check_encoding_errors


def augment(
    corpus: list[Path] = typer.Argument(help="Text files, one sentence per line (.gz, .xz too)."),
    names: str = typer.Option(..., "--with", help="Comma-separated augmentations (see: augcse list augmentations)."),
    output: Path = typer.Option(..., help="Folder for the Parquet shards."),
    seed: int = typer.Option(0, help="Seed of the random streams."),
    workers: int = typer.Option(1, min=1, help="Processes; the result does not depend on it."),
    parser: str = typer.Option("en_ewt", help="spaCy pipeline: en_ewt (bundled), an installed one, or a folder."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace goes on."),
) -> None:
    """Augment a corpus to Parquet (row, sentence, augmentation, augmented, changed); goes on where a killed run stopped."""
    from augcse.augmentations.write import augment_corpus

    wanted = [name.strip() for name in names.split(",") if name.strip()]
    with row_progress("augmenting", None) as advance:
        changed = augment_corpus(
            corpus,
            wanted,
            output,
            seed=seed,
            workers=workers,
            parser=parser,
            encoding_errors=check_encoding_errors(encoding_errors),
            progress=advance,
        )
    total = changed.pop("sentences")
    print_table(["augmentation", "changed", "share"], [[n, f"{c:,}", f"{c / total:.1%}"] for n, c in changed.items()])
    note(f"{total:,} sentences; shards in {output}")
