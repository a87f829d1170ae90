"""The corpus as a stream of rows with the results of their augmentations: one pass, the same for any number of workers."""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import TypeVar

from augcse.augmentations.run.apply import Job, Request, fit_all
from augcse.augmentations.run.engines import apply_stream
from augcse.corpus.rows import Row
from augcse.training.store.plan import Plan
from augcse.training.store.views import NEXT, ORIGINAL, Candidate

FITTED = "fitted"
_PARALLEL_FROM_ROWS = 20_000
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class DrawnRow:
    """A row of the corpus, the following row if the next sentence is needed, and the candidates for each augmented view."""

    row: Row
    following: Row | None
    drawn: dict[str, Candidate]

    @property
    def sentence(self) -> str:
        """The original sentence."""
        return self.row.cells[ORIGINAL]

    def text(self, view: str) -> str:
        """Return the text of a view that is not augmented."""
        return self.following.cells[ORIGINAL] if view == NEXT and self.following is not None else self.row.cells[view]


def drawn_rows(rows: Iterable[Row], plan: Plan, folder: Path, workers: int) -> Generator[DrawnRow, None, None]:
    """Yield every row with the results of its augmentations; those that are fitted on the corpus save their models in `folder` first.

    Close the generator if it is not exhausted, so that the worker processes end.
    """
    pairs: Iterator[tuple[Row, Row | None]] = pair_with_next(rows) if plan.reads_next_sentence else ((row, None) for row in rows)
    slots = plan.slots()
    names = tuple(dict.fromkeys(name for slot in slots for name in slot.names()))
    if not names:
        for row, following in pairs:
            yield DrawnRow(row, following, {slot.view: Candidate(row.cells[ORIGINAL], (), ()) for slot in slots})
        return
    pending: deque[tuple[tuple[tuple[str, ...], ...], Row, Row | None]] = deque()
    seed = plan.epoch_seed()

    def requests() -> Iterator[Request]:
        for number, (row, following) in enumerate(pairs):
            draws = tuple(slot.draw(number, seed) for slot in slots)
            pending.append((draws, row, following))
            yield Request(number, row.cells[ORIGINAL], tuple(dict.fromkeys(name for drawn in draws for name in drawn)))

    job = Job(seed, plan.augmentation.parser, fit_all(names, plan.read_originals, folder / FITTED))
    for request, texts in _apply_augmentations(requests(), job, workers):
        draws, row, following = pending.popleft()
        text_of = dict(zip(request.names, texts, strict=True))
        drawn = {
            slot.view: Candidate(request.sentence, names_drawn, tuple(text_of[name] for name in names_drawn))
            for slot, names_drawn in zip(slots, draws, strict=True)
        }
        yield DrawnRow(row, following, drawn)


def pair_with_next(items: Iterable[Item]) -> Iterator[tuple[Item, Item]]:
    """Pair each item with the next one; the last item of the corpus, and one before an empty item (the end of a document), are skipped."""
    previous: Item | None = None
    for item in items:
        if previous and item:
            yield previous, item
        previous = item


def _apply_augmentations(requests: Iterator[Request], job: Job, workers: int) -> Iterator[tuple[Request, list[str | None]]]:
    """Yield each request with its results, None if an augmentation does not apply; one process serves a small corpus."""
    head = list(islice(requests, _PARALLEL_FROM_ROWS))
    # A small corpus takes less time than starting worker processes.
    needed = workers if len(head) == _PARALLEL_FROM_ROWS else 1
    return apply_stream((request for source in (head, requests) for request in source), job, needed)
