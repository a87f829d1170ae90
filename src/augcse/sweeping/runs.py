"""The runs of a sweep, each in a process of its own, several at a time; a run that fails does not affect the others.

A process is forked from a server that has imported torch once. It uses one thread, so that the result of a run does not depend on the
number of parallel runs, writes its output to a log file, and exits when the parent process ends, for whatever reason.
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
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.errors import FailedWorkError, Interrupted, UserError
from augcse.files import cannot_write
from augcse.training.inputs import INPUTS
from augcse.training.progress import TRAINING
from augcse.training.watcher import Watcher

PRELOADED = ["augcse.pipeline", "augcse.training.run", "augcse.evaluation.scores", "augcse.evaluation.interpolation"]
_POLL_S = 0.5
# A run that is terminated finishes its step and writes a checkpoint.
_TERMINATION_TIMEOUT_S = 120.0
_LOG_TAIL_BYTES = 4_000
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


@dataclass(frozen=True)
class RunSpec:
    """The arguments of `augcse.train` for one run, and the file for its log."""

    name: str
    recipe: Recipe
    corpus: Corpus
    folder: Path
    log: Path
    data: Path | None
    dev: str
    test: tuple[str, ...]


@dataclass
class RunResult:
    """The result of a run: the reason of a failure in one line, "" if it succeeded; its steps, and seconds of training and in all."""

    failure: str = ""
    steps: int = 0
    training_s: float = 0.0
    wall_s: float = 0.0


@dataclass
class _RunProcess:
    """The process of a run, and the state that it has reported."""

    spec: RunSpec
    process: BaseProcess
    reports: Connection
    slot: int
    started_s: float
    step: int = 0
    first_step: int = 0
    training_started_s: float | None = None
    training_ended_s: float | None = None
    refusal: str = ""

    def update(self, kind: str, value: Any, now_s: float) -> None:
        """Update the state with a report: a "stage", a "step", or the message of an error that the user can fix."""
        if kind == "stage":
            if self.training_started_s is not None and self.training_ended_s is None:
                self.training_ended_s = now_s
            if value == TRAINING:
                self.training_started_s = now_s
        elif kind == "step":
            self.first_step = self.first_step or value
            self.step = value
        else:
            self.refusal = value

    def result(self, now_s: float) -> RunResult:
        """Return the result, once the process has ended."""
        failure = self.refusal or _failure_reason(self.process.exitcode, self.spec.log)
        trained_s = (self.training_ended_s or now_s) - (self.training_started_s or now_s)
        return RunResult(failure, self.step - max(self.first_step - 1, 0), trained_s, now_s - self.started_s)


def run_all(
    specs: Sequence[RunSpec],
    workers: int,
    *,
    devices: Sequence[str] = (),
    advance: Callable[[int], None] = lambda steps: None,
    finished: Callable[[RunSpec, RunResult], None] = lambda spec, result: None,
) -> None:
    """Execute all runs, `workers` at a time.

    Args:
        specs: the runs, in the order in which they are started.
        workers: the number of processes.
        devices: values of CUDA_VISIBLE_DEVICES, assigned to the processes in turn; empty: that of this process.
        advance: called with the number of steps since the last call.
        finished: called in this process after each run.

    Raises:
        Interrupted: a signal was received; the processes have written their checkpoints and ended.
    """
    with _process_context() as context:
        # Only this process holds the writing end, which closes when the process ends; the runs watch the other end.
        parent_pipe, parent_end = context.Pipe(duplex=False)
        waiting, active = deque(specs), dict[int, _RunProcess]()
        try:
            while waiting or active:
                for slot in range(workers):
                    if waiting and slot not in active:
                        active[slot] = _start_process(context, waiting.popleft(), slot, parent_pipe, devices)
                _wait_for_reports(active, advance)
                for slot in [slot for slot, run in active.items() if not run.process.is_alive()]:
                    run = active.pop(slot)
                    _read_reports(run, advance)
                    run.process.join()
                    run.reports.close()
                    finished(run.spec, run.result(time.monotonic()))
        finally:
            _terminate(list(active.values()))
            parent_end.close()
            parent_pipe.close()


def _start_process(context: Any, spec: RunSpec, slot: int, parent_pipe: Connection, devices: Sequence[str]) -> _RunProcess:
    reports, child_reports = context.Pipe(duplex=False)
    environment = {"CUDA_VISIBLE_DEVICES": devices[slot % len(devices)]} if devices else {}
    process = context.Process(target=_execute_run, args=(spec, environment, parent_pipe, child_reports), name=spec.name)
    process.start()
    child_reports.close()
    return _RunProcess(spec, process, reports, slot, time.monotonic())


def _wait_for_reports(active: Mapping[int, _RunProcess], advance: Callable[[int], None]) -> None:
    """Wait until a run reports or ends, and read all reports."""
    wait([run.reports for run in active.values()] + [run.process.sentinel for run in active.values()], timeout=_POLL_S)
    for run in active.values():
        _read_reports(run, advance)


def _read_reports(run: _RunProcess, advance: Callable[[int], None]) -> None:
    """Update the state of a run with all its reports, and pass on the number of new steps."""
    last_step = run.step
    # The process may have ended in the middle of a report.
    with suppress(EOFError, OSError):
        while run.reports.poll():
            kind, value = run.reports.recv()
            run.update(kind, value, time.monotonic())
    if run.step > last_step:
        advance(run.step - (last_step or run.first_step - 1))


def _terminate(active: Sequence[_RunProcess]) -> None:
    """Terminate the processes, which write their checkpoints first; kill those that have not ended after a timeout."""
    for run in active:
        run.process.terminate()
    deadline = time.monotonic() + _TERMINATION_TIMEOUT_S
    for run in active:
        # Its reports are still read: a process that writes to a full pipe would never end.
        while run.process.is_alive() and time.monotonic() < deadline:
            _read_reports(run, lambda steps: None)
            run.process.join(_POLL_S)
        if run.process.is_alive():
            run.process.kill()
            run.process.join()
        run.reports.close()


@contextmanager
def _process_context() -> Iterator[Any]:
    """Yield a multiprocessing context whose processes use one thread each and, with "forkserver", have torch imported already."""
    method = "forkserver" if "forkserver" in multiprocessing.get_all_start_methods() else "spawn"
    context = multiprocessing.get_context(method)
    if method == "forkserver":
        context.set_forkserver_preload(PRELOADED)
    saved = {name: os.environ.get(name) for name in _ONE_THREAD}
    os.environ.update(_ONE_THREAD)
    try:
        yield context
    finally:
        for name, value in saved.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


def _execute_run(spec: RunSpec, environment: Mapping[str, str], parent_pipe: Connection, reports: Connection) -> None:
    """Execute one run; the target of its process."""
    os.environ.update({**_ONE_THREAD, **environment})
    if hasattr(signal, "pthread_sigmask"):
        # Ctrl-C in a terminal reaches all processes, and the parent terminates the others. SIGINT is blocked before any thread starts:
        # threads inherit the mask, and one without it would receive the signal. The parent's would then be the second one, at which a
        # training stops at once.
        signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    _exit_with_parent(parent_pipe)
    _redirect_output(spec.log)
    import torch

    from augcse.pipeline import train

    torch.set_num_threads(1)
    try:
        train(
            spec.recipe,
            corpus=spec.corpus.paths,
            column=spec.corpus.column,
            encoding_errors=spec.corpus.encoding_errors,
            output=spec.folder,
            data=spec.data or "",
            dev=spec.dev,
            test=spec.test,
            resume=(spec.folder / INPUTS).exists(),
            workers=1,
            watcher=_reporting_watcher(reports),
        )
    except UserError as error:
        # Without the part of the message on what is kept and how to resume: a sweep has no --resume.
        reports.send(("refused", error.reason if isinstance(error, FailedWorkError) else str(error)))
        sys.exit(error.exit_code)
    except Interrupted as stop:
        sys.exit(stop.exit_code)


def _reporting_watcher(reports: Connection) -> Watcher:
    """Return a watcher that sends stages and steps to the parent, and writes messages to the log."""
    stage = [""]

    def start(name: str, total: int | None) -> None:
        stage[0] = name
        reports.send(("stage", name))

    def advance(done: int, figures: Mapping[str, float]) -> None:
        if stage[0] == TRAINING:
            reports.send(("step", done))

    def log(message: str) -> None:
        sys.stderr.write(f"{message}\n")
        sys.stderr.flush()

    return Watcher(start=start, advance=advance, warn=log, note=log, finish=lambda run: reports.send(("stage", "")))


def _redirect_output(log: Path) -> None:
    """Redirect stdout and stderr of this process, native libraries included, to a file."""
    try:
        log.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    except OSError as error:
        raise cannot_write(log, error) from error
    for stream in (1, 2):
        os.dup2(descriptor, stream)
    os.close(descriptor)


def _exit_with_parent(parent_pipe: Connection) -> None:
    """Exit this process as soon as the parent's end of the pipe is closed; the run can be resumed from its last checkpoint."""

    def watch() -> None:
        parent_pipe.poll(None)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _failure_reason(exit_code: int | None, log: Path) -> str:
    """Return in one line why a process failed; "" if it succeeded."""
    if exit_code == 0:
        return ""
    if exit_code is not None and exit_code < 0:
        name = signal.Signals(-exit_code).name if -exit_code in list(signal.Signals) else f"signal {-exit_code}"
        return f"killed ({name})" + (", perhaps out of memory" if exit_code == -signal.SIGKILL else "")
    try:
        text = log.read_bytes()[-_LOG_TAIL_BYTES:].decode("utf-8", "replace")
    except OSError:
        text = ""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1] if lines else f"ended with exit code {exit_code}"
