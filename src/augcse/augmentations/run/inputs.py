"""The checks of what callers give to `augment`, before any work is done: texts, row numbers, and the spans that must stay."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from numbers import Integral
from typing import Annotated, Any, TypeGuard

from pydantic import Field

from augcse.annotation.pipeline import BUNDLED_PARSER, parser_identity
from augcse.augmentations.word_diff import Span
from augcse.corpus.texts import entries_of, present_texts, text_of
from augcse.errors import UserError
from augcse.options import Option
from augcse.plain_values import plain

_SEED = Option("seed", Annotated[int, Field(ge=0)], 0)


def checked_seed(seed: object) -> int:
    """Return the seed; raises `UserError` unless it is a whole number, 0 or more."""
    checked: int = _SEED.check(seed, "augment")
    return checked


def checked_parser(parser: object) -> str:
    """Return the name of a spaCy pipeline; raises `UserError` for one that does not exist, also if no augmentation needs it."""
    if not isinstance(parser, str) or not parser:
        raise UserError(f"parser is {parser!r:.40}; give the name of a spaCy pipeline, or leave it out for the bundled one")
    if parser != BUNDLED_PARSER:
        parser_identity(parser)
    return parser


def check_column(name: object, argument: str) -> None:
    """Raise `UserError` unless an argument is the name of a column."""
    if not isinstance(name, str) or not name:
        raise UserError(f"{argument} is {name!r:.40}; give the name of a column")


def texts_of(sentences: Iterable[str | None]) -> list[str | None]:
    """Return the sentences as a list with None for every missing one; raises `UserError` as `text_of` does."""
    return [text_of(value, f"sentence {index}") for index, value in enumerate(entries_of(sentences, "sentences", "texts"))]


def corpus_texts(corpus: Iterable[str | None]) -> Iterator[str]:
    """Yield the texts of a corpus, without the missing ones; raises `UserError` as `present_texts` does."""
    return present_texts(corpus, "corpus", "sentence {} of the corpus")


def _is_whole_number(value: object) -> TypeGuard[int]:
    """Return whether a value is a whole number, numpy's types included."""
    return isinstance(value, Integral) and not isinstance(value, bool)


def row_numbers(rows: Iterable[int] | None, count: int) -> Sequence[int]:
    """Return the row number of each sentence in its table; raises `UserError` for anything but one number, 0 or more, per sentence."""
    if rows is None:
        return range(count)
    numbers = list(entries_of(plain(rows), "rows", "numbers"))
    if len(numbers) != count:
        raise UserError(f"rows has {len(numbers):,} numbers for {count:,} sentences; give one for each")
    for index, number in enumerate(numbers):
        if not _is_whole_number(number) or number < 0:
            raise UserError(f"rows[{index}] is {number!r}; give the sentence's number in its table, 0 or more")
    return [int(number) for number in numbers]


def kept_spans(spans: Iterable[Sequence[Span]] | None, texts: Sequence[str | None]) -> list[list[Span]]:
    """Return the spans of each text that must stay, an empty list for a missing text; raises `UserError` for anything else."""
    lists: list[Any] = [()] * len(texts) if spans is None else list(entries_of(spans, "keep_spans", "lists of spans"))
    if len(lists) != len(texts):
        raise UserError(
            f"keep_spans has {len(lists):,} lists for {len(texts):,} sentences; give one for each, an empty one where nothing is kept"
        )
    return [
        [] if text is None else spans_of(text, given, f"keep_spans[{index}]")
        for index, (text, given) in enumerate(zip(texts, lists, strict=True))
    ]


def spans_of(text: str, given: object, name: str) -> list[Span]:
    """Return an argument's spans of a text; raises `UserError`, which names the argument, for anything else."""
    given = plain(given)
    if not isinstance(given, Iterable):
        raise UserError(f"{name} is {given!r:.40}; give a list of pairs (start, end), an empty one where nothing is kept")
    spans: list[Span] = []
    for value in given:
        numbers = tuple(value) if isinstance(value, Iterable) else ()
        if len(numbers) != 2 or not all(map(_is_whole_number, numbers)) or not 0 <= numbers[0] <= numbers[1] <= len(text):
            raise UserError(
                f"{name} contains {value!r:.40}, which is no span of {text!r:.40}; "
                f"give a list of pairs (start, end) with 0 <= start <= end <= {len(text)}"
            )
        spans.append((int(numbers[0]), int(numbers[1])))
    return spans
