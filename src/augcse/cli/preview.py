"""`augcse preview`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from augcse.cli.console import print_json

if TYPE_CHECKING:
    from rich.text import Text


def preview(
    text: str = typer.Argument(help="The sentence."),
    names: str | None = typer.Option(
        None, "--with", help="Comma-separated: NAME, NAME:option=value, a set (12-aug); default: all that need no download."
    ),
    seed: int = typer.Option(0, help="Seed of the random streams."),
    parser: str = typer.Option("en_ewt", help="spaCy pipeline: en_ewt (bundled), an installed one, or a folder."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show what each augmentation makes of a sentence, changes in colour."""
    from augcse.augmentations.apply import preview_rows
    from augcse.augmentations.base import AUGMENTATIONS

    # Without names: all but those that want a published checkpoint, gigabytes that nobody asked for.
    wanted = names.split(",") if names else [member.name for member in AUGMENTATIONS if "seq2seq" not in member.needs]
    results = preview_rows(text, wanted, seed, parser)
    if as_json:
        print_json([{"name": name, "augmented": text if new is None else new, "changed": new is not None} for name, new in results.items()])
        return
    _print_coloured(text, results)


def _print_coloured(text: str, results: dict[str, str | None]) -> None:
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=None, pad_edge=False, show_header=False)
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, new in results.items():
        table.add_row(name, Text("(does not apply)", style="dim") if new is None else _difference(text, new))
    Console().print(table)


def _difference(old: str, new: str) -> Text:
    """Return the new text with what was inserted in green and what was deleted struck out in red."""
    import re
    from difflib import SequenceMatcher

    from rich.text import Text

    before, after = re.findall(r"\s+|\w+|[^\w\s]", old), re.findall(r"\s+|\w+|[^\w\s]", new)
    shown = Text()
    for kind, i1, i2, j1, j2 in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind == "equal":
            shown.append("".join(after[j1:j2]))
            continue
        shown.append("".join(before[i1:i2]), style="red strike")
        shown.append("".join(after[j1:j2]), style="green")
    return shown
