"""`augcse play`."""

from __future__ import annotations

from pathlib import Path

import typer

from augcse.cli.console import note, print_line, row_progress, warn
from augcse.cli.train import check_encoding_errors
from augcse.options import MAX_BATCH_ROWS

MAX_PORT = 65_535


def play(
    model: str = typer.Argument(help="A model folder, mini-bert, or a hub name."),
    corpus: list[Path] = typer.Argument(
        None, help="The text to search: text files, one sentence per line, or tables; - is standard input."
    ),
    beside: str | None = typer.Option(None, help="A second model, to compare with."),
    port: int | None = typer.Option(None, min=1, max=MAX_PORT, help="Port of the page (default: a free one from 7860)."),
    browser: bool = typer.Option(False, "--browser", help="Open the page in the browser."),
    column: str | None = typer.Option(None, help="The text's column in a table; a number from 1 if a .csv or .tsv has no header."),
    encoding_errors: str = typer.Option("strict", help="Bytes that are not UTF-8: strict stops, replace continues."),
    parser: str = typer.Option("en_ewt", help="spaCy pipeline: en_ewt (bundled), an installed one, or a folder."),
    batch_size: int = typer.Option(128, min=1, max=MAX_BATCH_ROWS, help="Sentences encoded at a time."),
    quiet: bool = typer.Option(False, "--quiet", "-q", help="No progress on stderr; warnings and errors only."),
) -> None:
    """Try augmentations and a model on sentences of your own: a local page; Ctrl-C ends it.

    It answers only this machine (127.0.0.1), and downloads nothing.
    """
    from augcse.corpus.pipes import as_given, corpus_files
    from augcse.playing.server import address, listen, serve
    from augcse.playing.start import check_inputs, open_session

    with corpus_files(corpus or []) as files:
        with_given_names = as_given(corpus or [], files)
        inputs = check_inputs(
            model,
            files,
            beside=beside,
            column=column,
            encoding_errors=check_encoding_errors(encoding_errors),
            parser=parser,
            warn=lambda message: warn(with_given_names(message)),
        )
    with listen(port) as listener:
        with row_progress("encoded", quiet or not inputs.sentences) as progress:
            progress.start(len(inputs.sentences) * len(inputs.models))
            session = open_session(inputs, batch_size=batch_size, advance=progress.advance)
        if not quiet:
            note("loading the augmentations")

        def ready() -> None:
            print_line(address(listener))
            if not quiet:
                note("open it in a browser; Ctrl-C ends it")
            if browser:
                typer.launch(address(listener))

        serve(session, listener, ready)
