"""`augcse report`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli.console import note, print_json


def report(
    runs: list[Path] = typer.Argument(help="Run folders, or run.json files."),
    output: Path = typer.Option(..., help="The HTML file to write."),
    title: str = typer.Option("augcse runs", help="Heading of the page."),
    force: bool = typer.Option(False, "--force", help="Replace --output even if it is not a report."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Write an HTML page about finished runs: before, best and last of each, scores over seeds, curves side by side."""
    from augcse.files import write_text
    from augcse.report.record import load_records
    from augcse.report.runs import labels, runs_page

    check_output(output, force)
    records = load_records(runs)
    write_text(output, runs_page(records, title))
    if as_json:
        described = zip(runs, labels(records), records, strict=True)
        entries = [
            {
                "run": str(run),
                "label": label,
                "seed": record["recipe"]["training"]["seed"],
                **{key: record[key] for key in ("scores", "intervals") if key in record},
                **{moment: record.get(moment) for moment in ("before", "best", "last")},
            }
            for run, label, record in described
        ]
        print_json({"report": str(output), "runs": entries})
        return
    note(f"report: {output}")


def check_output(output: Path, force: bool) -> None:
    """Raise `UserError` for an output that is a folder, or a file that is no report and is not to be replaced."""
    from augcse.errors import UserError
    from augcse.report.html import GENERATOR

    if output.is_dir():
        raise UserError(f"--output {output} is a folder; give a file, e.g. {output / 'runs.html'}")
    if force or not output.exists():
        return
    try:
        with output.open("rb") as file:
            is_report = GENERATOR.encode() in file.read(1000)
    except OSError as error:
        raise UserError(f"--output {output} cannot be read: {error.strerror}; choose another") from error
    if not is_report:
        raise UserError(f"--output {output} exists and is not a report; choose another, or replace it with --force")
