"""Parse settings given as key=value on the command line."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from augcse.allowed_values import value_text
from augcse.errors import UserError


def parse_assignments(assignments: Sequence[str]) -> dict[str, Any]:
    """Parse `key=value` strings; values are read as TOML, and as plain strings if they are not TOML.

    >>> parse_assignments(["training.batch_size=64", "pooling=mean"])
    {'training.batch_size': 64, 'pooling': 'mean'}
    """
    parsed: dict[str, Any] = {}
    for assignment in assignments:
        key, equals, value = assignment.partition("=")
        if not equals or not key.strip():
            raise UserError(f"--set {assignment}: write key=value, e.g. --set training.batch_size=64")
        parsed[key.strip()] = _toml_or_text(value.strip(), assignment)
    return parsed


def _toml_or_text(value: str, assignment: str) -> Any:
    """Return the TOML value, or the text itself if it is not TOML; raises `UserError` for more than one value."""
    try:
        document = tomllib.loads(f"value = {value}")
    except ValueError:
        # Not TOML, or a number with more digits than Python parses.
        return value
    except RecursionError as error:
        raise UserError(f"--set {value_text(assignment)}: lists or tables are nested too deeply; give plain values") from error
    if len(document) > 1:
        raise UserError(f"--set {value_text(assignment)}: more than one line; give one key=value")
    return document["value"]


def with_option(assignments: Mapping[str, Any], option: str, value: Any, key: str) -> dict[str, Any]:
    """Return the settings with, under `key`, the value of the option that abbreviates it; None: the option is not given.

    >>> with_option({"batch_size": 32}, "seed", 2, "training.seed")
    {'batch_size': 32, 'training.seed': 2}

    Raises:
        UserError: a setting of the same key with another value.
    """
    if value is None:
        return dict(assignments)
    names = (key, key.rpartition(".")[2])
    for name in names:
        if name in assignments and assignments[name] != value:
            raise UserError(f"--{option} {value} and --set {name}={value_text(assignments[name])} differ; give one of them")
    return {**{name: given for name, given in assignments.items() if name not in names}, key: value}


def refuse_options(assignments: Mapping[str, Any], options: Collection[str]) -> None:
    """Raise `UserError` for a setting for which the command has an option."""
    for key in assignments:
        if key in options:
            raise UserError(f"--set {key}: there is an option for it; give --{key}")
