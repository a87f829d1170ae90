"""`augcse select`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli.console import print_json, print_line, print_table


def select(
    scores: Path = typer.Argument(help="Folder that augcse score --output wrote."),
    size: int = typer.Option(8, min=1, max=100, help="Size of the set."),
    output: Path | None = typer.Option(None, help="New TOML file, which can be given wherever a set can: --with my-set.toml."),
    least_changed: float = typer.Option(0.2, min=0, max=1, help="The smallest share of sentences that an augmentation must change."),
    most_told_apart: float = typer.Option(
        90, min=50, max=100, help="Accuracy of the surface classifier above which an augmentation is left out."
    ),
    most_alike: float = typer.Option(0.9, min=0, max=1, help="Cosine above which two are of one type."),
    diversity: float = typer.Option(0.5, min=0, max=100, help="Weight of the likeness to those already chosen, in addition to the rank."),
    by: Path | None = typer.Option(
        None, help="Sweep of runs with one augmentation each: rank by their dev scores instead of similarity and perplexity."
    ),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Choose a diverse set of augmentations from their scores, each with its reason."""
    from augcse.analysis.scoring.select import Limits
    from augcse.analysis.scoring.select import select as choose
    from augcse.files import write_text

    if output is not None:
        check_output(output)
    scores_of_runs = None if by is None else _scores_by_augmentation(by)
    selection = choose(scores, size, Limits(least_changed, most_told_apart, most_alike, diversity), scores_of_runs)
    if output is not None:
        write_text(output, selection.toml())
    if as_json:
        print_json(selection.as_json())
        return
    print_table(
        ["", "augmentation", "why"], [["in" if choice.chosen else "out", choice.name, choice.reason] for choice in selection.choices]
    )
    if output is not None:
        print_line(f"written to {output}; use it: augcse augment CORPUS --with {output} --output DIR, or --set augmentation.names={output}")


def _scores_by_augmentation(folder: Path) -> dict[str, float]:
    """Return the dev score of training with each augmentation alone, as a positive or with the discriminator."""
    from augcse.errors import UserError
    from augcse.report.record import run_folders
    from augcse.report.runs import load_runs
    from augcse.report.single_augmentation import ROLES, scores_by_augmentation

    by_role = scores_by_augmentation(load_runs(run_folders(folder)), lambda run: next(iter(run.kept.get("dev", {}).values()), None))
    roles = [role for role in (ROLES["positives"], ROLES["names"]) if role in by_role]
    if not roles:
        raise UserError(f"--by {folder}: no run trains with one augmentation alone, as a positive or told apart, and has dev scores")
    return by_role[roles[0]]


def check_output(output: Path) -> None:
    """Raise `UserError` if the name does not end in .toml or the file exists."""
    from augcse.errors import UserError
    from augcse.files import check_can_be_folder

    if output.suffix != ".toml":
        raise UserError(f"--output {output}: a set is a TOML file; end its name in .toml")
    if output.exists() or output.is_symlink():
        raise UserError(f"--output {output} exists; choose another, or delete it")
    check_can_be_folder(output.absolute().parent)
