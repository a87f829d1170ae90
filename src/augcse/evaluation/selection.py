"""What selects a model: tasks and suites with weights, as `--dev` names them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from augcse.errors import UserError
from augcse.evaluation.base import expand_suites


def task_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weight of each task where suites are named too: a suite's weight is shared equally by its tasks, and weights add up."""
    totals: dict[str, float] = {}
    for name, weight in weights.items():
        members = members_of([name])
        for member in members:
            totals[member] = totals.get(member, 0.0) + weight / len(members)
    return totals


def members_of(names: Sequence[str]) -> list[str]:
    """Return the tasks that names of tasks and suites stand for."""
    return [member for group in expand_suites(names).values() for member in group]


def parse_selection(text: str) -> dict[str, float]:
    """Read "STSB-dev=2,CR" as the weights of a selection; a task or suite without a number weighs 1.

    >>> parse_selection("STSB-dev=2, CR")
    {'STSB-dev': 2.0, 'CR': 1.0}
    """
    weights = {}
    for part in text.split(","):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        try:
            weight = float(number) if equals else 1.0
        except ValueError as error:
            raise UserError(f"the weight {number!r} of {name} is not a number; write e.g. STSB-dev=2,CR=0.5") from error
        if not name or not math.isfinite(weight):
            raise UserError(f"{text!r} does not name tasks with weights; write e.g. STSB-dev=2,CR=0.5")
        weights[name] = weight
    return weights
