"""What callers hand to `augment`, checked before any work is done: texts, their numbers, and the spans in them that must stay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from numbers import Integral, Real

from augcse.augmentations.word_diff import Span
from augcse.errors import UserError


def texts_of(sentences: Iterable[str | None]) -> list[str | None]:
    """Return the sentences as a list with None for every missing one; raises `UserError` for what is no text."""
    if isinstance(sentences, str | bytes):
        raise UserError("augment takes a list of sentences; put the one sentence into a list")
    texts = [None if _is_missing(value) else value for value in sentences]
    for index, value in enumerate(texts):
        if value is not None and not isinstance(value, str):
            raise UserError(f"sentence {index} is no text but {type(value).__name__} ({value!r:.40}); give texts, None for a missing one")
    return texts


def _is_missing(value: object) -> bool:
    """Tell None and what tables put for a missing text: NaN of any width, and pandas' own marks (known by name: it is no dependency)."""
    return value is None or (isinstance(value, Real) and value != value) or type(value).__name__ in ("NAType", "NaTType")


def row_numbers(rows: Iterable[int] | None, count: int) -> Sequence[int]:
    """Return the number of each sentence in its table; raises `UserError` for what is none, or for more or fewer of them."""
    if rows is None:
        return range(count)
    numbers = list(rows)
    if len(numbers) != count:
        raise UserError(f"rows has {len(numbers):,} numbers for {count:,} sentences; give one for each")
    for index, number in enumerate(numbers):
        if isinstance(number, bool) or not isinstance(number, Integral) or number < 0:
            raise UserError(f"rows[{index}] is {number!r}; give the sentence's number in its table, 0 or more")
    return [int(number) for number in numbers]


def kept_spans(spans: Iterable[Sequence[Span]] | None, count: int) -> Sequence[Sequence[Span]]:
    """Return the spans of each sentence that must stay; raises `UserError` for more or fewer lists of them than sentences."""
    found = [()] * count if spans is None else list(spans)
    if len(found) != count:
        raise UserError(
            f"keep_spans has {len(found):,} lists for {count:,} sentences; give one for each, an empty one where nothing is kept"
        )
    return found
