"""`augcse demo`."""

from __future__ import annotations

import time
from pathlib import Path

import typer

from augcse.cli.console import note, print_table, training_watcher


def demo(
    output: Path = typer.Option(Path("augcse-demo"), help="Folder for the two runs, the static encoder and the report."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
) -> None:
    """Train SimCSE and AugCSE, and make a static encoder, from bundled parts and without a network; print a table, write an HTML report."""
    from augcse.demo import OVERRIDES, run_demo

    started = time.monotonic()
    with training_watcher(OVERRIDES["batch_size"], quiet) as watcher:
        result = run_demo(output, watcher)
    print_table(list(result.table.header), [list(row) for row in result.table.rows])
    if not quiet:
        note(f"{time.monotonic() - started:.0f} s in all; report: {result.report}")
