"""`augcse report`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli.console import note


def report(
    runs: list[Path] = typer.Argument(help="Run folders, or run.json files."),
    output: Path = typer.Option(..., help="The HTML file to write."),
    title: str = typer.Option("augcse runs", help="Heading of the page."),
) -> None:
    """Write an HTML page about finished runs: scores over seeds, curves side by side."""
    from augcse.files import write_text
    from augcse.report.runs import load_record, runs_page

    write_text(output, runs_page([load_record(run) for run in runs], title))
    note(f"report: {output}")
