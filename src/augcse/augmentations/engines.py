"""What carries chunks of rows to the rules: this machine's processes, or a Ray cluster. The rows are the same either way."""

from __future__ import annotations

import logging
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from typing import Any, Literal

from augcse.augmentations.apply import Job, Request, apply_requests
from augcse.errors import MissingDependencyError, UserError, unknown_name

Engine = Literal["local", "ray"]
Results = Iterator[tuple[Request, list[str | None]]]
CHUNK_ROWS = 2_000


def apply_stream(requests: Iterable[Request], job: Job, workers: int = 1, engine: Engine = "local") -> Results:
    """Apply to an endless stream of requests, in order. The results are the same for any number of workers and either engine.

    Args:
        requests: rows and the augmentations wanted of them.
        job: seed, parser, fitted state; under Ray on several machines its folders must be seen by all of them.
        workers: processes, or parallel Ray tasks.
        engine: "local", or "ray" for Ray Data: the cluster of `RAY_ADDRESS`, else one started on this machine for the purpose.

    Raises:
        UserError: an unknown engine.
        MissingDependencyError: Ray is asked for and not installed.
    """
    engines: dict[str, Callable[[Iterable[Request], Job, int], Results]] = {"local": _local, "ray": _ray}
    if engine not in engines:
        raise unknown_name("engine", engine, engines)
    return engines[engine](requests, job, workers)


def _local(requests: Iterable[Request], job: Job, workers: int) -> Results:
    chunks = _chunks(requests, CHUNK_ROWS)
    if workers <= 1:
        for chunk in chunks:
            yield from zip(chunk, apply_requests(chunk, job), strict=True)
        return
    # Spawned, not forked: the parent may have started torch's threads, which a fork would not carry over.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        pending: deque[tuple[list[Request], Future[list[list[str | None]]]]] = deque()
        for chunk in chunks:
            pending.append((chunk, pool.submit(apply_requests, chunk, job)))
            if len(pending) > 2 * workers:
                done, future = pending.popleft()
                yield from zip(done, future.result(), strict=True)
        for done, future in pending:
            yield from zip(done, future.result(), strict=True)


def _ray(requests: Iterable[Request], job: Job, workers: int) -> Results:
    ray = _started_ray(workers)
    # One data set per stretch of the stream: the driver never holds more, and the writer's shards stay resumable.
    for stretch in _chunks(requests, CHUNK_ROWS * workers * 8):
        rows = [{"place": place, "row": r.row, "sentence": r.sentence, "names": list(r.names)} for place, r in enumerate(stretch)]
        blocks = max(min(workers, len(rows)), -(-len(rows) // CHUNK_ROWS))
        data = ray.data.from_items(rows, override_num_blocks=blocks)
        # A batch is a whole block: a fixed batch size would let Ray join the blocks of a small corpus into one task.
        applied = data.map_batches(_apply_batch, fn_kwargs={"job": job}, batch_size=None, batch_format="numpy", concurrency=workers)
        found: dict[int, list[str | None]] = {}
        for item in applied.iter_rows():
            found[int(item["place"])] = [text or None for text in item["augmented"]]
        if len(found) != len(stretch):
            raise UserError(f"the Ray cluster lost {len(stretch) - len(found)} rows; run the command again, it goes on where it stopped")
        yield from ((request, found[place]) for place, request in enumerate(stretch))


def _apply_batch(batch: dict[str, Any], job: Job) -> dict[str, Any]:
    """Run in a Ray task: columns in, columns out. A row that no rule changed carries an empty text, which no rule ever gives."""
    requests = [
        Request(int(row), str(sentence), tuple(map(str, names)))
        for row, sentence, names in zip(batch["row"], batch["sentence"], batch["names"], strict=True)
    ]
    augmented = [[text or "" for text in texts] for texts in apply_requests(requests, job)]
    return {"place": batch["place"], "augmented": augmented}


def _started_ray(workers: int) -> Any:
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise MissingDependencyError("--engine ray needs Ray Data; install it with: pip install 'augcse[ray]'") from error
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
