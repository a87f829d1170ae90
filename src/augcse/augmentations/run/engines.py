"""The engines that apply rules to chunks of rows: processes of this machine, or a Ray cluster. The results are the same."""

from __future__ import annotations

import importlib.util
import logging
import multiprocessing
import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import AbstractContextManager, contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from typing import Literal, TypeVar

from augcse.augmentations.run.apply import Job, Request, apply_requests
from augcse.errors import FailedWorkError, MissingDependencyError, unknown_name

Engine = Literal["local", "ray"]
Applied = list[list[str | None]]
Results = Generator[tuple[Request, list[str | None]], None, None]
Item = TypeVar("Item")
# Hands a chunk of rows to a worker.
_Submit = Callable[[list[Request], Job], Future[Applied]]
# Starts this many workers for the length of a block.
_StartWorkers = Callable[[int], AbstractContextManager[_Submit]]
CHUNK_ROWS = 2_000


def apply_stream(requests: Iterable[Request], job: Job, workers: int = 1, engine: Engine = "local") -> Results:
    """Apply to a stream of requests of any length, in order. The results are the same for any number of workers and either engine.

    Close it (`contextlib.closing`) unless it is read to its end, so that the workers stop at once. They also stop when this process ends,
    for whatever reason. Raises `UserError` for an unknown engine and for Ray if it is not installed, `FailedWorkError` for a killed worker.

    Args:
        requests: rows and the augmentations wanted for them.
        job: seed, parser, fitted state; Ray on several machines needs its folders at the same path on all of them.
        workers: processes, or parallel Ray tasks.
        engine: "local", or "ray" for Ray tasks: on the cluster of `RAY_ADDRESS`, else on one that is started on this machine.
    """
    check_engine(engine)
    chunks = chunks_of(requests, CHUNK_ROWS)
    if engine == "local" and workers <= 1:
        return (pair for chunk in chunks for pair in zip(chunk, apply_requests(chunk, job), strict=True))
    return _submitted(chunks, job, workers, _ENGINES[engine])


def check_engine(engine: Engine) -> None:
    """Raise `UserError` for an unknown engine, or one that is not installed."""
    if engine not in _ENGINES:
        raise unknown_name("engine", engine, _ENGINES)
    if engine == "ray" and importlib.util.find_spec("ray") is None:
        raise MissingDependencyError("--engine ray needs Ray; install it with: pip install 'augcse[ray]'")


def _submitted(chunks: Iterator[list[Request]], job: Job, workers: int, start: _StartWorkers) -> Results:
    """Keep enough chunks in flight that no worker is idle, and yield their results in order."""
    with start(workers) as submit:
        pending: deque[tuple[list[Request], Future[Applied]]] = deque()
        for chunk in chunks:
            pending.append((chunk, submit(chunk, job)))
            if len(pending) > 2 * workers:
                done, future = pending.popleft()
                yield from zip(done, future.result(), strict=True)
        for done, future in pending:
            yield from zip(done, future.result(), strict=True)


@contextmanager
def _local(workers: int) -> Iterator[_Submit]:
    """Start worker processes that end when the block is left, and when this process ends or is killed."""
    # Spawned, not forked: the parent may have started torch's threads, which a fork would not copy.
    context = multiprocessing.get_context("spawn")
    # Only this process has the writing end. The system closes it when the process ends, even by SIGKILL, and the workers see that.
    reading_end, writing_end = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_end_when_closed, initargs=(reading_end,))

    def submit(chunk: list[Request], job: Job) -> Future[Applied]:
        with _deaf_to_interrupts():
            return pool.submit(apply_requests, chunk, job)

    try:
        yield submit
        pool.shutdown()
    except BrokenProcessPool as error:
        raise FailedWorkError("a worker process was killed, perhaps for lack of memory; fewer --workers take less") from error
    finally:
        writing_end.close()
        pool.shutdown(cancel_futures=True)
        reading_end.close()


def _end_when_closed(reading_end: Connection) -> None:
    """End this worker process as soon as the other end of the pipe is closed."""

    def watch() -> None:
        reading_end.poll(None)
        # At once: workers write no files, and an exception in this thread would not stop a busy main thread.
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Let processes started in the block inherit a mask against Ctrl-C, which a terminal sends to all: the parent ends them."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    previous_mask = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        # An interrupt that came meanwhile is delivered now.
        signal.pthread_sigmask(signal.SIG_SETMASK, previous_mask)


@contextmanager
def _ray(workers: int) -> Iterator[_Submit]:
    """Run each chunk as a Ray task; if its machine is lost, Ray runs the task again."""
    import ray

    if not ray.is_initialized():
        # A cluster knows its number of processors; one started here gets one for each worker.
        processors = None if os.environ.get("RAY_ADDRESS") else workers
        ray.init(num_cpus=processors, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    task = ray.remote(apply_requests)
    yield lambda chunk, job: task.remote(chunk, job).future()


def chunks_of(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of `size` items; the last one may be shorter."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


_ENGINES: dict[str, _StartWorkers] = {"local": _local, "ray": _ray}
