"""A grid of settings, given as key=a,b per key: every combination of the values is a cell. Never imports numpy or torch."""

from __future__ import annotations

import itertools
import json
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from augcse.allowed_values import value_text
from augcse.assignments import parse_assignments
from augcse.errors import UserError

Grid = Annotated[Mapping[str, Sequence[Any]], Field(description='a dictionary of lists, e.g. {"batch_size": [16, 32]}')]
# The seed distinguishes the runs of a cell, not cells.
_SEED_KEYS = ("training.seed", "seed", "seeds")


def parse_grid(assignments: Sequence[str]) -> dict[str, list[Any]]:
    """Parse `key=a,b` strings; values are the entries of a TOML list, or plain strings separated by commas if they are not TOML.

    A value that is a list itself is written in brackets, one that contains a comma in quotes.

    Raises:
        UserError: no key, no value, or a key that is given twice.

    >>> parse_grid(["batch_size=32,64", "pooling=cls,mean", 'names=["4-aug-2"],["8-aug-2"]'])
    {'batch_size': [32, 64], 'pooling': ['cls', 'mean'], 'names': [['4-aug-2'], ['8-aug-2']]}
    """
    grid: dict[str, list[Any]] = {}
    for assignment in assignments:
        key, equals, values = (part.strip() for part in assignment.partition("="))
        if not equals or not key or not values:
            raise UserError(f"--grid {value_text(assignment)}: write key=value,value, e.g. --grid training.batch_size=32,64")
        if key in grid:
            raise UserError(f"--grid {key} is given twice; give all its values at once, e.g. --grid {key}=a,b")
        grid[key] = _parsed_values(values)
    return grid


def check_grid(grid: Grid, where: str) -> None:
    """Raise `UserError`, with `where`, for a key without values, a value that is given twice, or the seed, which has its own option."""
    for key, values in grid.items():
        if key in _SEED_KEYS:
            raise UserError(f"{where} {key}: the seeds are not part of a grid; give them as --seeds 1,11,42")
        if not values:
            raise UserError(f"{where} {key}: no value; give one or more")
        texts = [json.dumps(value, default=str) for value in values]
        for text in texts:
            if texts.count(text) > 1:
                raise UserError(f"{where} {key}: {text} is given twice; give each value once")


def number_of_cells(grid: Grid) -> int:
    """Return the number of combinations.

    >>> number_of_cells({"a": [1, 2], "b": [1, 2, 3]}), number_of_cells({})
    (6, 1)
    """
    return math.prod(map(len, grid.values()))


def combinations(grid: Grid) -> Iterator[dict[str, Any]]:
    """Yield every combination of the values, the last key changing fastest; an empty grid yields one empty combination.

    >>> list(combinations({"a": [1, 2], "b": ["x"]}))
    [{'a': 1, 'b': 'x'}, {'a': 2, 'b': 'x'}]
    """
    for values in itertools.product(*grid.values()):
        yield dict(zip(grid, values, strict=True))


def described(settings: Mapping[str, Any]) -> str:
    """Return settings as text for the name of a cell: the last part of each key, and its value.

    >>> described({"objective.temperature": 0.05, "names": ["4-aug-2", "RandomSwap"]})
    'temperature=0.05, names=4-aug-2+RandomSwap'
    >>> described({"learning_rate": 1e-4}), described({"learning_rate": 0.0001000001})
    ('learning_rate=0.0001', 'learning_rate=0.0001000001')
    """
    return ", ".join(f"{key.rpartition('.')[2]}={_value_in_name(value)}" for key, value in settings.items())


def _value_in_name(value: Any) -> str:
    """Return a value as text for the name of a cell."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return "+".join(map(_value_in_name, value)) or "none"
    if not isinstance(value, float):
        return str(value)
    # Values that agree in six digits need different names.
    short = f"{value:g}"
    return short if float(short) == value else repr(value)


def _parsed_values(text: str) -> list[Any]:
    try:
        values: list[Any] = tomllib.loads(f"values = [{text}]")["values"]
    except (ValueError, RecursionError):
        return [parse_assignments([f"value={part.strip()}"])["value"] for part in text.split(",")]
    return values
