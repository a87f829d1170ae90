"""`augcse preview`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import typer

from augcse.cli import completion
from augcse.cli.console import escaped, print_json, print_table, warn
from augcse.options import MAX_SEED

if TYPE_CHECKING:
    from rich.text import Text

    from augcse.augmentations.run.apply import Preview


def preview(
    text: str = typer.Argument(help="The sentence."),
    names: str | None = typer.Option(
        None,
        "--with",
        help="Comma-separated: NAME, NAME:option=value, a set (12-aug-2), or 'chain(a, b)'; default: all that need no download.",
        autocompletion=completion.augmentation_list,
    ),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Seed of the random streams."),
    parser: str = typer.Option("en_ewt", help="spaCy pipeline: en_ewt (bundled), an installed one, or a folder."),
    why: bool = typer.Option(False, "--why", help="Say why an augmentation does not apply, and what it left alone."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show what each augmentation makes of a sentence: [-deleted-] and {+inserted+} words, in colour on a terminal."""
    from augcse.augmentations.base import AUGMENTATIONS
    from augcse.augmentations.composition import split_names
    from augcse.augmentations.run.apply import preview_rows
    from augcse.corpus.read import MAX_SENTENCE_CHARACTERS

    if not text.strip():
        raise typer.BadParameter("there is no sentence in it", param_hint="text")
    if len(text) > MAX_SENTENCE_CHARACTERS:
        warn(f"the text has {len(text):,} characters; as in a corpus, the first {MAX_SENTENCE_CHARACTERS:,} are used")
        text = text[:MAX_SENTENCE_CHARACTERS]
    # By default all except those that need a published checkpoint: they would download gigabytes.
    selected = split_names(names) if names is not None else [member.name for member in AUGMENTATIONS if "seq2seq" not in member.needs]
    results = preview_rows(text, selected, seed, parser)
    if as_json:
        print_json([_preview_record(text, result) for result in results])
        return
    rows: list[list[str | Text]] = []
    for result in results:
        rows.append([result.name, difference(text, result.augmented)])
        if why:
            rows[-1].append(_reason(result))
    print_table([], rows)


def _preview_record(text: str, result: Preview) -> dict[str, Any]:
    changed = result.augmented is not None
    return {
        "name": result.name,
        "augmented": result.augmented if changed else text,
        "changed": changed,
        "left_alone": list(result.refusals),
        "why_unchanged": result.why_unchanged or None,
    }


def _reason(result: Preview) -> str:
    """Return the refusals that applied, by name, or else what the rule needs."""
    return f"left alone: {', '.join(result.refusals)}" if result.refusals else result.why_unchanged


def difference(old: str, new: str | None) -> Text:
    """Return a word diff, with deletions as [-old-] in red and insertions as {+new+} in green."""
    from rich.text import Text

    from augcse.augmentations.word_diff import changes, tokens

    if new is None:
        return Text("(does not apply)", style="dim")
    line = Text()
    for deleted, inserted, kept in changes(tokens(old), tokens(new)):
        if deleted:
            line.append(f"[-{escaped(deleted)}-]", style="red")
        if inserted:
            line.append(f"{{+{escaped(inserted)}+}}", style="green")
        line.append(escaped(kept))
    return line
