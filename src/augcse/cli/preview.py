"""`augcse preview`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import typer

from augcse.cli import completion
from augcse.cli.console import print_json, print_table, shown, warn
from augcse.options import MAX_SEED

if TYPE_CHECKING:
    from rich.text import Text


def preview(
    text: str = typer.Argument(help="The sentence."),
    names: str | None = typer.Option(
        None,
        "--with",
        help="Comma-separated: NAME, NAME:option=value, a set (12-aug-2); default: all that need no download.",
        autocompletion=completion.augmentation_list,
    ),
    seed: int = typer.Option(0, min=0, max=MAX_SEED, help="Seed of the random streams."),
    parser: str = typer.Option("en_ewt", help="spaCy pipeline: en_ewt (bundled), an installed one, or a folder."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """Show what each augmentation makes of a sentence: [-deleted-] and {+inserted+} words, in colour on a terminal."""
    from augcse.augmentations.base import AUGMENTATIONS
    from augcse.augmentations.run.apply import preview_rows
    from augcse.corpus.read import MAX_SENTENCE_CHARACTERS

    if not text.strip():
        raise typer.BadParameter("there is no sentence in it", param_hint="text")
    if len(text) > MAX_SENTENCE_CHARACTERS:
        warn(f"the text has {len(text):,} characters; as in a corpus, the first {MAX_SENTENCE_CHARACTERS:,} are used")
        text = text[:MAX_SENTENCE_CHARACTERS]
    # Without names: all but those that want a published checkpoint, gigabytes that nobody asked for.
    wanted = names.split(",") if names is not None else [member.name for member in AUGMENTATIONS if "seq2seq" not in member.needs]
    results = preview_rows(text, wanted, seed, parser)
    if as_json:
        print_json([{"name": name, "augmented": text if new is None else new, "changed": new is not None} for name, new in results.items()])
        return
    print_table([], [[name, difference(text, new)] for name, new in results.items()])


def difference(old: str, new: str | None) -> Text:
    """Return a word diff: what was deleted as [-old-], in red, what was inserted as {+new+}, in green."""
    from rich.text import Text

    from augcse.analysis.word_diff import changes, tokens

    if new is None:
        return Text("(does not apply)", style="dim")
    line = Text()
    for deleted, inserted, kept in changes(tokens(old), tokens(new)):
        if deleted:
            line.append(f"[-{shown(deleted)}-]", style="red")
        if inserted:
            line.append(f"{{+{shown(inserted)}+}}", style="green")
        line.append(shown(kept))
    return line
