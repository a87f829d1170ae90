"""The `augcse` command: registers the subcommands, and turns errors into one line and an exit code."""

from __future__ import annotations

import gc
import os
import sys

import typer

from augcse import __version__
from augcse.cli import (
    adapt,
    analyze,
    augment,
    demo,
    doctor,
    evaluate,
    hybrid,
    listing,
    pairs,
    play,
    plot,
    postprocess,
    pretrain,
    preview,
    probe,
    report,
    score,
    select,
    soup,
    split,
    static,
    sweep,
    train,
)
from augcse.cli.console import print_error, require_command
from augcse.errors import FailedWorkError, UserError
from augcse.files import DISK_FULL

app = typer.Typer(
    name="augcse",
    help="Sentence embeddings from nothing but plain text: contrastive learning with diverse text augmentation.",
    # Plain help: rich's exits with 1 if the reader (head) closes the pipe, and takes longer to import than the command.
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command("demo", short_help="Train two models and make a third on bundled parts, without a network.")(demo.demo)
app.add_typer(analyze.app, name="analyze", short_help="Look closer at a score; compare models.")
app.command("split", short_help="Split documents into sentences.")(split.split)
app.command("train", short_help="Train a sentence encoder on plain text.")(train.train)
app.command("sweep", short_help="Train recipes over a grid of settings and seeds.")(sweep.sweep)
app.command("adapt", short_help="Adapt a good sentence encoder to your text, gently.")(adapt.adapt)
app.command("pretrain", short_help="Pretrain a small backbone on plain text.")(pretrain.pretrain)
app.command("static", short_help="Make a static sentence encoder from plain text, in a minute.")(static.static)
app.command("evaluate", short_help="Score a model on tasks.")(evaluate.evaluate)
app.command("probe", short_help="Check a model without labels.")(probe.probe)
app.command("postprocess", short_help="Whiten a model, weight its tokens, and the like; fitted on text.")(postprocess.postprocess)
app.command("hybrid", short_help="Combine several models into one.")(hybrid.hybrid)
app.command("soup", short_help="Average the weights of models of one architecture.")(soup.soup)
app.command("augment", short_help="Augment a corpus to Parquet, JSONL or CSV.")(augment.augment)
app.command("preview", short_help="Show what augmentations make of a sentence.")(preview.preview)
app.command("play", short_help="Try augmentations and models on a local page.")(play.play)
app.command("doctor", short_help="Examine a corpus.")(doctor.doctor)
app.command("score", short_help="Measure what augmentations make of a corpus.")(score.score)
app.command("select", short_help="Choose a set of augmentations by their scores.")(select.select)
app.command("pairs", short_help="Draw pairs of a corpus to grade by hand.")(pairs.pairs)
app.command("list", short_help="List augmentations, objectives, tasks, recipes, steps.")(listing.list_members)
app.command("report", short_help="Write an HTML page about finished runs.")(report.report)
app.command("plot", short_help="Draw finished runs or models as SVG.")(plot.plot)

NAME = "augcse"
# Set by the script that --install-completion writes.
COMPLETION = "_AUGCSE_COMPLETE"
EXIT_INTERRUPTED = 130


@app.callback(invoke_without_command=True)
def _root(
    context: typer.Context, version: bool = typer.Option(False, "--version", help="Print the version and exit.", is_eager=True)
) -> None:
    if version:
        typer.echo(__version__)
        raise typer.Exit
    require_command(context)


def main() -> None:
    """Run the command line.

    Exit codes: 0 success, 2 usage or bad input (one line on stderr), 1 failure (a full disk, a killed worker), 130 or 143 stopped by SIGINT
    or SIGTERM.
    """
    _silence_libraries()
    for stream in (sys.stdout, sys.stderr):
        # In a legacy encoding, unencodable characters become escapes instead of an exception in the middle of a table.
        getattr(stream, "reconfigure", lambda **settings: None)(errors="backslashreplace")
    if COMPLETION in os.environ:
        app(prog_name=NAME)
    code = run(sys.argv[1:])
    # Skip the final garbage collection of millions of objects, which takes seconds.
    gc.freeze()
    sys.exit(code)


def run(arguments: list[str]) -> int:
    """Run one command and return its exit code; errors that the user can fix become one line on stderr.

    The command is not invoked by typer's own `main`, which exits with 1 on a closed pipe and prints nothing on an interruption.
    """
    try:
        with typer.main.get_command(app).make_context(NAME, arguments) as context:
            context.command.invoke(context)
        sys.stdout.flush()
    except typer.Exit as stop:
        return stop.exit_code
    except typer.TyperException as error:
        return _refuse_usage(error)
    except UserError as error:
        print_error(error)
        return error.exit_code
    except BrokenPipeError:
        # The reader (head, less) closed the pipe; Python would raise again when it flushes at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except OSError as error:
        if error.errno is None:
            raise
        # Errors that no command handles, such as a file name that is too long or a disk failure.
        print_error(f"{error.filename}: {error.strerror}" if error.filename is not None else error.strerror)
        return FailedWorkError.exit_code if error.errno in DISK_FULL else UserError.exit_code
    except KeyboardInterrupt:
        sys.stderr.write("augcse: interrupted; a training run continues with --resume\n")
        return EXIT_INTERRUPTED
    return 0


def _refuse_usage(error: typer.TyperException) -> int:
    context = getattr(error, "ctx", None)
    # Lists of choices have line breaks and tabs; pydantic prefixes its messages.
    message = " ".join(error.format_message().split()).replace("Value error, ", "")
    print_error(f"{message} (see: {context.command_path if context else NAME} --help)")
    return error.exit_code


def _silence_libraries() -> None:
    """Silence libraries on stderr; set before they are imported, and without overriding the user's settings."""
    # Busy-waiting threads are ten times slower on shared cores.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    os.environ.setdefault("HF_HUB_DISABLE_PROGRESS_BARS", "1")
    os.environ.setdefault("TQDM_DISABLE", "1")
    # Python's watcher of semaphores outlives a killed command, removes its semaphores, and would warn about them.
    os.environ.setdefault("PYTHONWARNINGS", "ignore::UserWarning:multiprocessing.resource_tracker")
