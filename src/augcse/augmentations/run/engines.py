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
from contextlib import contextmanager
from itertools import islice
from multiprocessing.connection import Connection
from typing import Any, Literal

from augcse.augmentations.run.apply import Job, Request, apply_requests
from augcse.errors import MissingDependencyError, UserError, unknown_name

Engine = Literal["local", "ray"]
Results = Generator[tuple[Request, list[str | None]], None, None]
CHUNK_ROWS = 2_000


def apply_stream(requests: Iterable[Request], job: Job, workers: int = 1, engine: Engine = "local") -> Results:
    """Apply to an endless stream of requests, in order. The results are the same for any number of workers and either engine.

    Close it (`contextlib.closing`) where it is not read to its end, so that the workers end at once. They also end with this process,
    whatever ends it.

    Args:
        requests: rows and the augmentations wanted of them.
        job: seed, parser, fitted state; under Ray on several machines its folders must be seen by all of them.
        workers: processes, or parallel Ray tasks.
        engine: "local", or "ray" for Ray Data: the cluster of `RAY_ADDRESS`, else one started on this machine for the purpose.

    Raises:
        UserError: an unknown engine, or a worker that was killed.
        MissingDependencyError: Ray is asked for and not installed.
    """
    return _ENGINES[check_engine(engine)](requests, job, workers)


def check_engine(engine: Engine) -> Engine:
    """Return the engine's name, or raise as `apply_stream` does where it cannot be used."""
    if engine not in _ENGINES:
        raise unknown_name("engine", engine, _ENGINES)
    if engine == "ray" and importlib.util.find_spec("ray") is None:
        raise MissingDependencyError("--engine ray needs Ray Data; install it with: pip install 'augcse[ray]'")
    return engine


def _local(requests: Iterable[Request], job: Job, workers: int) -> Results:
    chunks = _chunks(requests, CHUNK_ROWS)
    if workers <= 1:
        for chunk in chunks:
            yield from zip(chunk, apply_requests(chunk, job), strict=True)
        return
    with _workers(workers) as pool:
        pending: deque[tuple[list[Request], Future[list[list[str | None]]]]] = deque()
        for chunk in chunks:
            with _deaf_to_interrupts():
                pending.append((chunk, pool.submit(apply_requests, chunk, job)))
            if len(pending) > 2 * workers:
                done, future = pending.popleft()
                yield from zip(done, future.result(), strict=True)
        for done, future in pending:
            yield from zip(done, future.result(), strict=True)


@contextmanager
def _workers(number: int) -> Iterator[ProcessPoolExecutor]:
    """Give worker processes that are gone when the block is left, and when this process is, killed or not."""
    # Spawned, not forked: the parent may have started torch's threads, which a fork would not carry over.
    context = multiprocessing.get_context("spawn")
    # Only this process holds the writing end. It closes when the process ends, and the workers see it: no signal need be caught.
    watched, held = context.Pipe(duplex=False)
    pool = ProcessPoolExecutor(number, mp_context=context, initializer=_end_with, initargs=(watched,))
    try:
        yield pool
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


def _ray(requests: Iterable[Request], job: Job, workers: int) -> Results:
    ray = _started_ray(workers)
    # One data set per stretch of the stream: the driver never holds more, and the writer's shards stay resumable.
    for stretch in _chunks(requests, CHUNK_ROWS * workers * 8):
        rows = [{"index": index, "row": r.row, "sentence": r.sentence, "names": list(r.names)} for index, r in enumerate(stretch)]
        blocks = max(min(workers, len(rows)), -(-len(rows) // CHUNK_ROWS))
        data = ray.data.from_items(rows, override_num_blocks=blocks)
        # A batch is a whole block: a fixed batch size would let Ray join the blocks of a small corpus into one task.
        applied = data.map_batches(_apply_batch, fn_kwargs={"job": job}, batch_size=None, batch_format="numpy", concurrency=workers)
        found: dict[int, list[str | None]] = {}
        for item in applied.iter_rows():
            found[int(item["index"])] = [text or None for text in item["augmented"]]
        if len(found) != len(stretch):
            raise UserError(f"the Ray cluster lost {len(stretch) - len(found)} rows; run the command again, it goes on where it stopped")
        yield from ((request, found[index]) for index, request in enumerate(stretch))


def _apply_batch(batch: dict[str, Any], job: Job) -> dict[str, Any]:
    """Run in a Ray task: columns in, columns out. A row that no rule changed carries an empty text, which no rule ever gives."""
    requests = [
        Request(int(row), str(sentence), tuple(map(str, names)))
        for row, sentence, names in zip(batch["row"], batch["sentence"], batch["names"], strict=True)
    ]
    augmented = [[text or "" for text in texts] for texts in apply_requests(requests, job)]
    return {"index": batch["index"], "augmented": augmented}


def _started_ray(workers: int) -> Any:
    import ray
    import ray.data

    if not ray.is_initialized():
        # A cluster's own number of processors holds; one started here gets as many as there are workers.
        own = not os.environ.get("RAY_ADDRESS")
        ray.init(num_cpus=workers if own else None, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    return ray


def _chunks(requests: Iterable[Request], rows: int) -> Iterator[list[Request]]:
    iterator = iter(requests)
    while chunk := list(islice(iterator, rows)):
        yield chunk


_ENGINES: dict[str, Callable[[Iterable[Request], Job, int], Results]] = {"local": _local, "ray": _ray}
