"""What carries chunks of rows to the rules: this machine's processes, or a Ray cluster. The rows are the same either way."""

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
from augcse.errors import MissingDependencyError, UserError, unknown_name

Engine = Literal["local", "ray"]
Applied = list[list[str | None]]
Results = Generator[tuple[Request, list[str | None]], None, None]
Item = TypeVar("Item")
# What takes a chunk of rows to a worker, and what such workers are started with: how many.
_Submit = Callable[[list[Request], Job], Future[Applied]]
_Workers = Callable[[int], AbstractContextManager[_Submit]]
CHUNK_ROWS = 2_000


def apply_stream(requests: Iterable[Request], job: Job, workers: int = 1, engine: Engine = "local") -> Results:
    """Apply to an endless stream of requests, in order. The results are the same for any number of workers and either engine.

    Close it (`contextlib.closing`) where it is not read to its end, so that the workers end at once. They also end with this process,
    whatever ends it. Raises `UserError` for an unknown engine, Ray where it is not installed, and a worker that was killed.

    Args:
        requests: rows and the augmentations wanted of them.
        job: seed, parser, fitted state; under Ray on several machines its folders must be seen by all of them.
        workers: processes, or parallel Ray tasks.
        engine: "local", or "ray" for Ray tasks: the cluster of `RAY_ADDRESS`, else one started on this machine for the purpose.
    """
    check_engine(engine)
    chunks = chunks_of(requests, CHUNK_ROWS)
    if engine == "local" and workers <= 1:
        return (pair for chunk in chunks for pair in zip(chunk, apply_requests(chunk, job), strict=True))
    return _submitted(chunks, job, workers, _ENGINES[engine])


def check_engine(engine: Engine) -> None:
    """Raise `UserError` for an engine that there is not, or that is not installed."""
    if engine not in _ENGINES:
        raise unknown_name("engine", engine, _ENGINES)
    if engine == "ray" and importlib.util.find_spec("ray") is None:
        raise MissingDependencyError("--engine ray needs Ray; install it with: pip install 'augcse[ray]'")


def _submitted(chunks: Iterator[list[Request]], job: Job, workers: int, start: _Workers) -> Results:
    """Keep so many chunks under way that no worker waits for one, and yield their results in order."""
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
    """Give worker processes that are gone when the block is left, and when this process is, killed or not."""
    # Spawned, not forked: the parent may have started torch's threads, which a fork would not carry over.
    context = multiprocessing.get_context("spawn")
    # Only this process holds the writing end. It closes when the process ends, and the workers see it: no signal need be caught.
    watched, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_end_with, initargs=(watched,))

    def submit(chunk: list[Request], job: Job) -> Future[Applied]:
        with _deaf_to_interrupts():
            return pool.submit(apply_requests, chunk, job)

    try:
        yield submit
        pool.shutdown()
    except BrokenProcessPool as error:
        raise UserError(
            "a worker process was killed, perhaps for want of memory; what is finished is kept, and the same command goes on from there"
            " (fewer --workers take less memory)"
        ) from error
    finally:
        held.close()
        pool.shutdown(cancel_futures=True)
        watched.close()


def _end_with(watched: Connection) -> None:
    """End this worker process as soon as the other end of the pipe is closed."""

    def watch() -> None:
        watched.poll(None)
        # Nothing is written by workers, and a busy one would not hear anything gentler.
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


@contextmanager
def _deaf_to_interrupts() -> Iterator[None]:
    """Start processes that Ctrl-C, which a terminal sends to all, does not reach: it is the parent's to end them. They inherit the mask."""
    if not hasattr(signal, "pthread_sigmask"):
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        # An interrupt that came meanwhile is delivered now.
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


@contextmanager
def _ray(workers: int) -> Iterator[_Submit]:
    """Give a Ray task for each chunk; a task whose machine is lost is run again by Ray."""
    import ray

    if not ray.is_initialized():
        # A cluster's own number of processors holds; one started here gets as many as there are workers.
        own = not os.environ.get("RAY_ADDRESS")
        ray.init(num_cpus=workers if own else None, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    task = ray.remote(apply_requests)
    yield lambda chunk, job: task.remote(chunk, job).future()


def chunks_of(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    """Yield lists of `size` items each, the last one with the rest."""
    iterator = iter(items)
    while chunk := list(islice(iterator, size)):
        yield chunk


_ENGINES: dict[str, _Workers] = {"local": _local, "ray": _ray}
