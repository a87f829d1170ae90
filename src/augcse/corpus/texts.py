"""Texts that are passed to a function: a list, a column of a table, a pandas Series, an Arrow array."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from numbers import Real
from typing import Any

from augcse.corpus.lines import lone_surrogate
from augcse.errors import UserError


def entries_of(values: object, name: str, of: str) -> Iterable[Any]:
    """Return the values that an argument holds, those of Arrow as Python's own.

    Raises:
        UserError: a text, a whole table, an array without an axis, or a value that cannot be iterated; the message calls the argument
            `name`, and asks for a list of `of`.
    """
    single = getattr(values, "ndim", 1) == 0
    if single or isinstance(values, str | bytes | Mapping) or hasattr(values, "columns") or not isinstance(values, Iterable):
        raise UserError(f"{name} is {type(values).__name__}; give a list of {of}, or a column of a table")
    return (value.as_py() if hasattr(value, "as_py") else value for value in values)


def present_texts(values: object, name: str, item: str) -> Iterator[str]:
    """Yield the texts of an argument, without the missing ones.

    Args:
        values: the argument.
        name: its name in messages.
        item: what messages call one of its texts, with "{}" in place of its number: "document {}".

    Raises:
        UserError: as `entries_of`, before the first text; as `text_of`, for each.
    """
    texts = (text_of(value, item.format(index)) for index, value in enumerate(entries_of(values, name, "texts")))
    return (text for text in texts if text is not None)


def text_of(value: object, name: str) -> str | None:
    """Return a text, or None for a missing one; raises `UserError` for anything else, and for a text that cannot be encoded."""
    if _is_missing(value):
        return None
    if not isinstance(value, str):
        raise UserError(f"{name} is not text but {type(value).__name__} ({value!r:.40}); give texts, None for a missing one")
    half = lone_surrogate(value)
    if half is not None:
        raise UserError(f"{name} holds {half}, half a character (a lone surrogate); write it again, from text that is decoded correctly")
    return value


def _is_missing(value: object) -> bool:
    """Return whether a value is None, NaN of any width, or a missing value of pandas (recognised by name: pandas is not a dependency)."""
    return value is None or (isinstance(value, Real) and value != value) or type(value).__name__ in ("NAType", "NaTType")
