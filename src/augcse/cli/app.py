"""The `augcse` command: puts the verbs together and turns errors into one line and an exit code."""

from __future__ import annotations

import os
import sys

import typer

from augcse import __version__
from augcse.cli import analyze, augment, demo, doctor, evaluate, listing, preview, report, train
from augcse.errors import UserError

app = typer.Typer(
    name="augcse",
    help="Sentence embeddings from nothing but plain text: contrastive learning with diverse text augmentation.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo")(demo.demo)
app.add_typer(analyze.app, name="analyze")
app.command("train")(train.train)
app.command("evaluate")(evaluate.evaluate)
app.command("augment")(augment.augment)
app.command("preview")(preview.preview)
app.command("doctor")(doctor.doctor)
app.command("list")(listing.list_members)
app.command("report")(report.report)

EXIT_BAD_INPUT = 2
EXIT_INTERRUPTED = 130


@app.callback(invoke_without_command=True)
def _root(version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True)) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit


def main() -> None:
    """Run the command line. Exit codes: 0 success, 2 usage or bad input (one line on stderr), 1 failure."""
    _quieten_libraries()
    try:
        app()
    except UserError as error:
        sys.stderr.write(f"augcse: error: {error}\n")
        sys.exit(EXIT_BAD_INPUT)
    except BrokenPipeError:
        # The reader (head, less) has gone; Python would complain again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.stderr.write("augcse: interrupted; a training run goes on with --resume\n")
        sys.exit(EXIT_INTERRUPTED)


def _quieten_libraries() -> None:
    """Keep stderr for our own lines; set before the libraries are imported, and only where the user has not."""
    # Threads that spin while they wait cost a factor of ten on shared cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TQDM_DISABLE", "1")
