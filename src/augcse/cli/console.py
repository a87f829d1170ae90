"""Output of the commands: progress and warnings on stderr, results on stdout.

Sentences, file names, model names and exception messages are untrusted: their control characters could clear the screen, set the
terminal's title or change the reading direction. So every command writes through the functions below, which escape such characters and
interpret no markup; a command that needs a rich `Text` makes it from `escaped(...)`.
"""

from __future__ import annotations

import json
import os
import re
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

from augcse.corpus.json_values import json_text
from augcse.training.progress import StageProgress

if TYPE_CHECKING:
    from rich.progress import Progress
    from rich.text import Text

    from augcse.training.watcher import Watcher

_PLAIN_EVERY_S = 15.0
# DEL and C1 controls, direction marks, line separators, invisible characters, and lone surrogates (bytes that are not UTF-8). The joiners
# U+200C and U+200D are allowed: Persian and emoji need them.
_UNSAFE_IN_JSON = "\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ud800-\udfff\U000e0000-\U000e007f"
# Also ASCII controls, which JSON escapes by itself.
_UNSAFE = "\x00-\x1f" + _UNSAFE_IN_JSON


def escaped(text: object) -> str:
    r"""Return untrusted text in one line, with control characters escaped for the terminal.

    >>> escaped("red\x1b[31m, two\nlines")
    'red\\x1b[31m, two\\nlines'
    """
    return re.sub(f"[{_UNSAFE}]", lambda match: match.group().encode("unicode_escape").decode("ascii"), str(text))


def _echo(text: str, *, to_stderr: bool = False, newline: bool = True) -> None:
    """Print a text, only in the first of the processes that a launcher started; the others would repeat it."""
    if _is_first_process():
        typer.echo(text, nl=newline, err=to_stderr)


def _is_first_process() -> bool:
    if "LOCAL_RANK" not in os.environ:
        # No launcher, so there is no need to import torch, which takes seconds. Whole pods set RANK alone, and there every command prints.
        return True
    from augcse.training.processes import is_first_process

    return is_first_process()


def print_json(document: Any) -> None:
    """Print one JSON document on stdout; non-finite numbers, which JSON cannot represent, become null."""
    text = json_text(document, indent=2)
    _echo(re.sub(f"[{_UNSAFE_IN_JSON}]", lambda match: json.dumps(match.group())[1:-1], text))


def print_line(text: object) -> None:
    """Print a line on stdout."""
    _echo(escaped(text))


def warn(message: object) -> None:
    """Print a warning line on stderr, in every process."""
    typer.echo(f"augcse: warning: {escaped(message)}", err=True)


def note(message: object) -> None:
    """Print a line on stderr."""
    _echo(escaped(message), to_stderr=True)


def print_error(message: object) -> None:
    """Print an error line on stderr, in every process."""
    typer.echo(f"augcse: error: {escaped(message)}", err=True)


def require_command(context: typer.Context) -> None:
    """Print a group's help on stderr and exit with 2 if no subcommand was given."""
    if context.invoked_subcommand is None:
        typer.echo(context.get_help(), err=True)
        raise typer.Exit(2)


class TrainingProgress:
    """Shows a run's progress as a bar with speed, time left and the latest figures, or as plain lines without a terminal."""

    def __init__(self, progress: Progress, batch_size: int, unit: str) -> None:
        self._progress = progress
        self._stage = StageProgress(batch_size, unit)
        self._task: Any = None
        self._plain = not sys.stderr.isatty()
        self._printed = time.monotonic()

    def start(self, stage: str, total: int | None) -> None:
        """Begin a stage."""
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._stage.start(stage, total)
        self._printed = time.monotonic()
        self._task = self._progress.add_task(stage, total=total, figures="")
        if self._plain:
            note(self._stage.beginning())

    def advance(self, count: int, figures: Mapping[str, float]) -> None:
        """Report progress: a step number while training, a number of further rows while preparing."""
        self._stage.advance(count, figures)
        self._progress.update(self._task, completed=self._stage.done, figures=escaped(self._stage.details()))
        if self._plain and time.monotonic() - self._printed > _PLAIN_EVERY_S:
            self._printed = time.monotonic()
            note(self._stage.line())


@contextmanager
def training_watcher(batch_size: int, quiet: bool = False, unit: str = "sentences") -> Iterator[Watcher]:
    """Yield a watcher that shows a run on stderr, with `batch_size` sentences (or `unit`s) per step.

    If quiet, and in all but the first of several processes, it shows only warnings.
    """
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from augcse.training.watcher import Watcher

    if quiet or not _is_first_process():
        yield Watcher(warn=warn)
        return
    console = Console(stderr=True)
    stage = TextColumn("{task.description}", markup=False)
    figures = TextColumn("{task.fields[figures]}", markup=False)
    with Progress(stage, BarColumn(), MofNCompleteColumn(), figures, console=console, disable=not console.is_terminal) as progress:
        shown_progress = TrainingProgress(progress, batch_size, unit)
        yield Watcher(start=shown_progress.start, advance=shown_progress.advance, warn=warn, note=note)


@contextmanager
def reported_stop() -> Iterator[None]:
    """On an interruption by a signal, print what is kept, and exit with the conventional code: 130 or 143."""
    from augcse.errors import Interrupted

    try:
        yield
    except Interrupted as stop:
        note(f"augcse: {stop}")
        raise typer.Exit(stop.exit_code) from stop


class RowProgress:
    """Shows the number of processed rows as a bar with the time left, or as plain lines with the rate without a terminal."""

    def __init__(self, progress: Progress, label: str, plain: bool) -> None:
        self._progress = progress
        self._label = label
        self._total: int | None = None
        self._task = progress.add_task(label, total=None)
        self._plain = plain
        self._started = self._printed = time.monotonic()
        self._done = 0

    def start(self, total: int) -> None:
        """Set the total number of rows, and start the clock."""
        self._total = total
        self._started = time.monotonic()
        self._progress.reset(self._task, total=total)

    def advance(self, rows: int) -> None:
        """Report further rows."""
        self._done += rows
        self._progress.advance(self._task, rows)
        if self._plain and time.monotonic() - self._printed > _PLAIN_EVERY_S:
            self._printed = time.monotonic()
            note(self._describe())

    def _describe(self) -> str:
        rate = self._done / max(time.monotonic() - self._started, 1e-6)
        if self._total is None:
            return f"{self._label} {self._done:,}  {rate:,.0f} rows/s"
        left_s = (self._total - self._done) / max(rate, 1e-6)
        return f"{self._label} {self._done:,}/{self._total:,}  {rate:,.0f} rows/s  {left_s / 60:.1f} min left"


@contextmanager
def row_progress(label: str, quiet: bool = False) -> Iterator[RowProgress]:
    """Yield a progress display of rows on stderr; if quiet, it shows nothing."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=quiet or not console.is_terminal) as progress:
        yield RowProgress(progress, label, plain=not quiet and not console.is_terminal)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str | Text]], *, whole_columns: int = 1) -> None:
    """Print a table on stdout, fitted to the terminal's width; without a terminal, one line per row.

    Args:
        header: the columns' names; empty for a table without a header.
        rows: cells, as text or as rich's `Text` made from `escaped(...)`.
        whole_columns: number of columns, from the left, that are never wrapped.
    """
    from rich.console import Console
    from rich.text import Text

    from augcse.cli.table import table_lines

    cells = [[cell if isinstance(cell, Text) else Text(escaped(cell)) for cell in row] for row in rows]
    names = [[Text(escaped(name), style="bold") for name in header]] if header else []
    console = Console(highlight=False)
    # Captured, then written by typer: rich exits with 1 if the reader closes the pipe.
    with console.capture() as captured:
        for line in table_lines([*names, *cells], console.width if console.is_terminal else None, whole_columns):
            console.print(line, soft_wrap=True)
    _echo(captured.get(), newline=False)
