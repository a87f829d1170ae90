"""The arguments that callers pass to a function, converted to Python's own types."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence, Set, ValuesView
from pathlib import Path
from typing import Any, Protocol, runtime_checkable


@runtime_checkable
class _Array(Protocol):
    def tolist(self) -> Any: ...


def plain(value: Any) -> Any:
    """Return numbers and arrays of numpy, pandas and torch as Python's, also those within lists and dictionaries.

    A range, a set, a deque, a view of a dictionary and an iterator become lists; a path-like object becomes a `Path`.

    >>> import numpy as np
    >>> plain({"dim": np.int64(3), "rates": np.array([0.5, 1.0]), "names": {"b", "a"}})
    {'dim': 3, 'rates': [0.5, 1.0], 'names': ['a', 'b']}
    """
    if isinstance(value, str | bytes | bytearray | Path):
        return value
    if isinstance(value, _Array):
        return value.tolist()
    if isinstance(value, os.PathLike):
        return Path(os.fsdecode(value))
    if type(value) is dict:
        return {key: plain(entry) for key, entry in value.items()}
    if type(value) is tuple:
        return tuple(plain(entry) for entry in value)
    if isinstance(value, set | frozenset):
        return _in_order([plain(entry) for entry in value])
    return [plain(entry) for entry in value] if isinstance(value, Iterator | Sequence | Set | ValuesView) else value


def _in_order(entries: list[Any]) -> list[Any]:
    """Return the entries of a set, sorted if all are texts or paths, whose order differs from process to process."""
    return sorted(entries, key=str) if all(isinstance(entry, str | Path) for entry in entries) else entries
