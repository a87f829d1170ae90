"""The runs of a sweep, each in a process of its own: several at a time, the failure of one no matter to the others.

A process is forked from a server that has imported torch once. It works on one thread, so that the bits of a run do not depend on how
many run beside it, writes what it has to say to its log, and ends when this process does, whatever ends that.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.errors import Interrupted, UserError
from augcse.files import cannot_write
from augcse.training.inputs import INPUTS
from augcse.training.progress import TRAINING
from augcse.training.watcher import Watcher

PRELOADED = ["augcse.pipeline", "augcse.training.run", "augcse.evaluation.scores", "augcse.evaluation.interpolation"]
_POLL_S = 0.5
# A run that is told to end finishes its step and writes a checkpoint.
_PATIENCE_S = 120.0
_LAST_LINES_BYTES = 4_000
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True)
class Order:
    """One run to be made: what `augcse.train` is called with, and where its log goes."""

    name: str
    recipe: Recipe
    corpus: Corpus
    folder: Path
    log: Path
    data: Path | None
    dev: str
    test: tuple[str, ...]


@dataclass
class Ended:
    """What became of a run: the reason of its failure in one line, "" where it is finished; and what its parts took."""

    failure: str = ""
    steps: int = 0
    training_s: float = 0.0
    wall_s: float = 0.0


@dataclass
class _Active:
    """A process at work, and what it has reported."""

    order: Order
    process: BaseProcess
    reports: Connection
    slot: int
    began_s: float
    step: int = 0
    first_step: int = 0
    trained_from_s: float | None = None
    trained_to_s: float | None = None
    refusal: str = ""

    def take(self, kind: str, value: Any, now_s: float) -> None:
        """Take a report."""
        if kind == "stage":
            self.trained_to_s = now_s if self.trained_from_s is not None and self.trained_to_s is None else self.trained_to_s
            self.trained_from_s = now_s if value == TRAINING else self.trained_from_s
        elif kind == "step":
            self.first_step = self.first_step or value
            self.step = value
        else:
            self.refusal = value

    def ended(self, now_s: float) -> Ended:
        """Return what became of it, once it has ended."""
        failure = self.refusal or _failure(self.process.exitcode, self.order.log)
        trained_s = (self.trained_to_s or now_s) - (self.trained_from_s or now_s)
        return Ended(failure, self.step - max(self.first_step - 1, 0), trained_s, now_s - self.began_s)


def run_orders(
    orders: Sequence[Order],
    workers: int,
    *,
    devices: Sequence[str] = (),
    advance: Callable[[int], None] = lambda steps: None,
    finished: Callable[[Order, Ended], None] = lambda order, ended: None,
) -> None:
    """Make all runs, `workers` at a time.

    Args:
        orders: in the order in which they begin.
        workers: processes.
        devices: what CUDA_VISIBLE_DEVICES is for the processes, in turn; none: what it is here.
        advance: called with a number of further steps.
        finished: called in this process after each run.

    Raises:
        Interrupted: passed on from a signal; the processes have written their checkpoints and ended.
    """
    with _server() as context:
        # Only this process holds the writing end. It closes when the process ends, and the runs see it.
        watched, held = context.Pipe(duplex=False)
        waiting, active = deque(orders), dict[int, _Active]()
        try:
            while waiting or active:
                for slot in range(workers):
                    if waiting and slot not in active:
                        active[slot] = _started(context, waiting.popleft(), slot, watched, devices)
                _listen(active, advance)
                for slot in [slot for slot, one in active.items() if not one.process.is_alive()]:
                    one = active.pop(slot)
                    _read(one, advance)
                    one.process.join()
                    one.reports.close()
                    finished(one.order, one.ended(time.monotonic()))
        finally:
            _end(list(active.values()))
            held.close()
            watched.close()


def _started(context: Any, order: Order, slot: int, watched: Connection, devices: Sequence[str]) -> _Active:
    reports, sending = context.Pipe(duplex=False)
    environment = {"CUDA_VISIBLE_DEVICES": devices[slot % len(devices)]} if devices else {}
    process = context.Process(target=_run, args=(order, environment, watched, sending), name=order.name)
    process.start()
    sending.close()
    return _Active(order, process, reports, slot, time.monotonic())


def _listen(active: Mapping[int, _Active], advance: Callable[[int], None]) -> None:
    """Wait until a run reports or ends, and read what there is."""
    wait([one.reports for one in active.values()] + [one.process.sentinel for one in active.values()], timeout=_POLL_S)
    for one in active.values():
        _read(one, advance)


def _read(one: _Active, advance: Callable[[int], None]) -> None:
    before = one.step
    try:
        while one.reports.poll():
            kind, value = one.reports.recv()
            one.take(kind, value, time.monotonic())
    except (EOFError, OSError):
        # It has ended, perhaps in the middle of a report.
        pass
    if one.step > before:
        advance(one.step - (before or one.first_step - 1))


def _end(active: Sequence[_Active]) -> None:
    """Have the processes write their checkpoints and end; those that do not are ended."""
    for one in active:
        one.process.terminate()
    deadline = time.monotonic() + _PATIENCE_S
    for one in active:
        while one.process.is_alive() and time.monotonic() < deadline:
            _read(one, lambda steps: None)
            one.process.join(_POLL_S)
        if one.process.is_alive():
            one.process.kill()
            one.process.join()
        one.reports.close()


@contextmanager
def _server() -> Iterator[Any]:
    """Give a way to start processes that have torch imported already, where the system has one; with one thread each."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload(PRELOADED)
    before = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        yield context
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _run(order: Order, environment: Mapping[str, str], watched: Connection, reports: Connection) -> None:
    """Make one run; in a process of its own."""
    os.environ.update({**_ONE_THREAD, **environment})
    _end_with(watched)
    if hasattr(signal, "pthread_sigmask"):
        # Ctrl-C in a terminal reaches all processes; it is the first one's to end the others.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    _write_to(order.log)
    import torch

    from augcse.pipeline import train

    torch.set_num_threads(1)
    try:
        train(
            order.recipe,
            corpus=order.corpus.paths,
            column=order.corpus.column,
            encoding_errors=order.corpus.encoding_errors,
            output=order.folder,
            data=order.data or "",
            dev=order.dev,
            test=order.test,
            resume=(order.folder / INPUTS).exists(),
            workers=1,
            watcher=_reporting(reports),
        )
    except UserError as error:
        reports.send(("refused", str(error)))
        sys.exit(2)
    except Interrupted as stop:
        sys.exit(stop.exit_code)


def _reporting(reports: Connection) -> Watcher:
    """Return a watcher that sends stages and steps, and writes the rest to the log."""
    stage = [""]

    def start(name: str, total: int | None) -> None:
        stage[0] = name
        reports.send(("stage", name))

    def advance(done: int, figures: Mapping[str, float]) -> None:
        if stage[0] == TRAINING:
            reports.send(("step", done))

    def say(message: str) -> None:
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()

    return Watcher(start=start, advance=advance, warn=say, note=say, finish=lambda run: reports.send(("stage", "")))


def _write_to(log: Path) -> None:
    """Let all that this process prints, and what the libraries do, go to a file."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    except OSError as error:
        raise cannot_write(log, error) from error
    for stream in (1, 2):
        os.dup2(descriptor, stream)
    os.close(descriptor)


def _end_with(watched: Connection) -> None:
    """End this process as soon as the other end of the pipe is closed; what it wrote goes on from its last checkpoint."""

    def watch() -> None:
        watched.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _failure(exit_code: int | None, log: Path) -> str:
    """Return in one line why a process ended; "" where it is done."""
    if exit_code == 0:
        return ""
    if exit_code is not None and exit_code < 0:
        name = signal.Signals(-exit_code).name if -exit_code in [one.value for one in signal.Signals] else f"signal {-exit_code}"
        return f"killed ({name})" + (", perhaps for want of memory" if exit_code == -signal.SIGKILL else "")
    try:
        text = log.read_bytes()[-_LAST_LINES_BYTES:].decode("utf-8", "replace")
    except OSError:
        text = ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else f"ended with exit code {exit_code}"
