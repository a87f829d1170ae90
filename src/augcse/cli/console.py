"""What the commands show: progress and warnings on stderr, results on stdout."""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.progress import Progress

    from augcse.training.run import Watcher

_PLAIN_EVERY_S = 15.0
_SHOWN_FIGURES = ("loss", "discriminator_accuracy")


def print_json(document: Any) -> None:
    """Print one JSON document on stdout."""
    typer.echo(json.dumps(document, indent=2, ensure_ascii=False))


def warn(message: str) -> None:
    """Print a warning line on stderr."""
    typer.echo(f"augcse: warning: {message}", err=True)


def note(message: str) -> None:
    """Print a line on stderr."""
    typer.echo(message, err=True)


class TrainingProgress:
    """Turns a run's reports into a progress bar: sentences/s, time left, the latest figures. Plain lines where there is no terminal."""

    def __init__(self, progress: Progress, batch_size: int) -> None:
        self._progress = progress
        self._batch_size = batch_size
        self._task: Any = None
        self._stage = ""
        self._plain = not sys.stderr.isatty()
        self._started = self._printed = time.monotonic()
        self._first = self._done = 0
        self._total: int | None = None
        self._figures: dict[str, float] = {}

    def start(self, stage: str, total: int | None) -> None:
        """Begin a stage."""
        if self._task is not None:
            self._progress.remove_task(self._task)
        self._stage, self._total = stage, total
        self._started = self._printed = time.monotonic()
        self._first = self._done = 0
        self._task = self._progress.add_task(stage, total=total, figures="")
        if self._plain:
            note(f"{stage}" + (f": {total} steps" if total else ""))

    def advance(self, count: int, figures: Mapping[str, float]) -> None:
        """Report progress: a step number while training, a number of further rows while preparing."""
        training = self._stage == "training"
        if training and not self._done:
            self._first = max(count - 1, 0)
        self._done = count if training else self._done + count
        self._figures.update({name: value for name, value in figures.items() if name in _SHOWN_FIGURES or "eval" in name})
        text = self._describe(training)
        self._progress.update(self._task, completed=self._done, figures=text)
        if self._plain and time.monotonic() - self._printed > _PLAIN_EVERY_S:
            self._printed = time.monotonic()
            note(f"{self._stage} {self._done}" + (f"/{self._total}" if self._total else "") + f" {text}")

    def _describe(self, training: bool) -> str:
        elapsed = max(time.monotonic() - self._started, 1e-6)
        rate = (self._done - self._first) * (self._batch_size if training else 1) / elapsed
        parts = [f"{rate:,.0f} sentences/s"]
        if training and self._total:
            left_s = (self._total - self._done) * self._batch_size / max(rate, 1e-6)
            parts.append(f"{left_s / 60:.1f} min left")
        names = {"discriminator_accuracy": "discriminator"}
        parts += [f"{names.get(name, name.removeprefix('eval_'))} {value:.3g}" for name, value in self._figures.items()]
        return "  ".join(parts)


@contextmanager
def training_watcher(batch_size: int) -> Iterator[Watcher]:
    """Give a watcher that shows a run on stderr."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from augcse.training.run import Watcher

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[figures]}"))
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        shown = TrainingProgress(progress, batch_size)
        yield Watcher(start=shown.start, advance=shown.advance, warn=warn, note=note)


@contextmanager
def row_progress(label: str, total: int | None) -> Iterator[Any]:
    """Give a function that takes a number of further rows and shows a bar with rate and time left."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, disable=not console.is_terminal) as progress:
        task = progress.add_task(label, total=total)
        yield lambda rows: progress.advance(task, rows)


def print_table(header: list[str], rows: list[list[str]]) -> None:
    """Print a table on stdout, as wide as the terminal."""
    from rich.console import Console
    from rich.table import Table

    table = Table(box=None, pad_edge=False, header_style="bold")
    for place, name in enumerate(header):
        table.add_column(name, justify="left" if place == 0 else "default", overflow="fold")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
