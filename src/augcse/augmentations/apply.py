"""Apply augmentations to many rows: each sentence is parsed at most once, each row has its own random stream."""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass
from itertools import islice
from typing import Any

from augcse.annotation.parse import Parse
from augcse.annotation.pipeline import BUNDLED_PARSER, parse_sentences
from augcse.augmentations.base import AUGMENTATIONS, row_stream
from augcse.errors import UserError
from augcse.rng import stream

CHUNK_ROWS = 2_000


@dataclass(frozen=True, slots=True)
class Request:
    """One sentence and the augmentations wanted of it. `row` keys the random streams."""

    row: int
    sentence: str
    names: tuple[str, ...]


def augment(sentences: Sequence[str], name: str, *, seed: int = 0, parser: str = BUNDLED_PARSER, **options: Any) -> list[str | None]:
    """Apply one augmentation to every sentence; None where its rule does not apply.

    Args:
        sentences: the texts. Row i draws from the stream (seed, name, i), so results do not depend on the other rows.
        name: as in `augcse list augmentations`.
        seed: of the random streams.
        parser: the spaCy pipeline for augmentations that need a parse.
        **options: the augmentation's own, e.g. `rate=0.1`.

    Raises:
        UserError: an unknown name or option, or a text instead of a list of texts.

    >>> augment(["He doesn't come.", "Yes."], "ContractionExpansions")
    ['He does not come.', None]
    """
    if isinstance(sentences, str):
        raise UserError("augment takes a list of sentences; put the one sentence into a list")
    member = AUGMENTATIONS.get(name)
    member.check_options(options)
    inputs: Iterable[str | Parse] = parse_sentences(sentences, parser) if member.needs_parse else sentences
    return [member.apply(text, row_stream(seed, name, row), **options) for row, text in enumerate(inputs)]


def draw_names(names: Sequence[str], rows: Iterable[int], seed: int) -> list[str]:
    """Draw one augmentation per row, uniformly (AugCSE 4.2); the draw of a row depends on the seed and the row alone."""
    return [names[stream(seed, "draw", row).randrange(len(names))] for row in rows]


def apply_requests(requests: Sequence[Request], seed: int, parser: str = BUNDLED_PARSER) -> list[list[str | None]]:
    """Return, per request, one result per name. A sentence is parsed once if any of its augmentations needs it."""
    needy = [request for request in requests if any(AUGMENTATIONS.get(name).needs_parse for name in request.names)]
    parses = dict(
        zip((request.row for request in needy), parse_sentences((r.sentence for r in needy), parser), strict=True) if needy else ()
    )
    return [[_apply_one(request, name, parses, seed) for name in request.names] for request in requests]


def apply_stream(
    requests: Iterable[Request], seed: int, parser: str = BUNDLED_PARSER, workers: int = 1
) -> Iterator[tuple[Request, list[str | None]]]:
    """Apply to an endless stream of requests in order, in `workers` processes. The results are the same for any number."""
    chunks = _chunks(requests)
    if workers <= 1:
        for chunk in chunks:
            yield from zip(chunk, apply_requests(chunk, seed, parser), strict=True)
        return
    # Spawned, not forked: the parent may have started torch's threads, which a fork would not carry over.
    with ProcessPoolExecutor(workers, mp_context=multiprocessing.get_context("spawn")) as pool:
        pending: deque[tuple[list[Request], Future[list[list[str | None]]]]] = deque()
        for chunk in chunks:
            pending.append((chunk, pool.submit(apply_requests, chunk, seed, parser)))
            if len(pending) > 2 * workers:
                done, future = pending.popleft()
                yield from zip(done, future.result(), strict=True)
        for done, future in pending:
            yield from zip(done, future.result(), strict=True)


def _apply_one(request: Request, name: str, parses: dict[int, Parse], seed: int) -> str | None:
    member = AUGMENTATIONS.get(name)
    text = parses[request.row] if member.needs_parse else request.sentence
    return member.apply(text, row_stream(seed, name, request.row))


def _chunks(requests: Iterable[Request]) -> Iterator[list[Request]]:
    iterator = iter(requests)
    while chunk := list(islice(iterator, CHUNK_ROWS)):
        yield chunk
