"""Column selection in tables: by name, by number if there is no header, or by the usual names."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from augcse.corpus.lines import NotTextError
from augcse.errors import UserError, unknown_name

USUAL_COLUMNS = ("sentence", "text")
Column = str | None
_SHOWN_NAMES = 20
_SHOWN_CHARACTERS = 40


def choose_column(place: Path | str, names: Sequence[str], column: Column) -> str:
    """Return the name of the column to read: the one asked for, else the usual one, else the only one.

    Args:
        place: the file, or a position in it, for messages.
        names: the names of the columns.
        column: the name asked for; None asks for the usual one.

    Raises:
        UserError: no such column, two of that name, or no way to choose.
    """
    if column is None:
        usual = [name for name in names if name.lower() in USUAL_COLUMNS]
        if len(usual) != 1 and len(names) != 1:
            listed = ", ".join(_listed_names(names))
            raise UserError(f"{place}: which column holds the text? Give --column (a number if there is no header); there are {listed}")
        return (usual or list(names))[0]
    if column not in names:
        raise UserError(f"{place}: {unknown_name('column', column, _listed_names(names))}")
    if list(names).count(column) > 1:
        raise UserError(f"{place}: {list(names).count(column)} columns are called {column}; give each a name of its own")
    return column


@dataclass
class ObjectKey:
    """The key that holds a column in the JSON objects of one file: chosen at the first object, and required in all others.

    Args:
        column: the name asked for; from the first object on, the name chosen.
    """

    column: Column

    def among(self, place: str, names: Sequence[str]) -> str:
        """Return the key, given all keys of an object; raises `UserError` as `choose_column`, and for an object without the chosen key."""
        self.column = choose_column(place, names, self.column)
        return self.column


def column_indices(path: Path, columns: Sequence[Column]) -> list[int]:
    """Return zero-based indices if all columns are given as numbers (from 1); [] if they are names, which the header resolves.

    Raises:
        UserError: column 0.
    """
    numbers = [int(column) for column in columns if column is not None and column.isdecimal()]
    if len(numbers) < len(columns):
        return []
    if 0 in numbers:
        raise UserError(f"{path}: no column 0; columns of a table without a header are counted from 1; give --column 1 or more")
    return [number - 1 for number in numbers]


def number_cell(value: float | None) -> str:
    """Return a number or Boolean as in JSON; a missing value (None, NaN) is "".

    Raises:
        NotTextError: an infinite number.
    """
    if value is None or value != value:
        return ""
    if math.isinf(value):
        raise NotTextError(f"{value} is not a number")
    return json.dumps(value)


def _listed_names(names: Sequence[str]) -> list[str]:
    """Return column names for a message, shortened to one line."""
    listed = [" ".join(name.split())[:_SHOWN_CHARACTERS] for name in names[:_SHOWN_NAMES]]
    if len(names) > _SHOWN_NAMES:
        listed.append(f"{len(names) - _SHOWN_NAMES:,} more")
    return listed
