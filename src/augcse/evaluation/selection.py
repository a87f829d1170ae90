"""What selects a model, as `--dev` names it: nothing, STS-B's development pairs, a file of graded pairs, or tasks and suites with weights.

Never imports torch before a score is computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.errors import UserError
from augcse.evaluation.base import TASKS, LoadedTask, expand_suites
from augcse.evaluation.pairs import read_pairs
from augcse.files import file_sha256

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

NOTHING = "none"
# Both mean STS-B's development pairs.
STSB_DEV = ("auto", "stsb")
Score = Callable[["SentenceTransformer"], Mapping[str, float]]


@dataclass(frozen=True)
class Selection:
    """What a model is selected by while it trains; nothing where no member says otherwise.

    Args:
        in_stsb: by STS-B's development pairs.
        pairs: by a file of graded pairs.
        weights: by the sum of these weights times the scores of tasks and suites.
    """

    in_stsb: bool = False
    pairs: Path | None = None
    weights: Mapping[str, float] = field(default_factory=dict)

    def check(self) -> None:
        """Raise `UserError` for a file of pairs that cannot be read, or an unknown task."""
        if self.pairs is not None:
            read_pairs(self.pairs)
        task_weights(self.weights)

    def score(self, data: Path | None) -> Score | None:
        """Return the callable that training evaluates with, None for nothing; its data is loaded and checked now.

        Its result is a mapping whose first value selects; the keys are logged.
        """
        if self.weights:
            from augcse.evaluation.evaluator import TaskEvaluator

            return TaskEvaluator(list(self.weights), data, weights=self.weights).score
        if self.in_stsb:
            return _scorer("stsb_dev", TASKS.get("STSB-dev").load(data))
        if self.pairs is not None:
            from augcse.evaluation.tasks.sts import LoadedPairs

            return _scorer(self.pairs.stem, LoadedPairs(read_pairs(self.pairs)))
        return None


def read_selection(dev: str) -> Selection:
    """Return what `--dev` means: "none", "stsb" (or "auto"), a file's path, or tasks and suites with weights.

    A file is meant by what is one, or looks like a path.

    Raises:
        UserError: weights that are no numbers.
    """
    if dev == NOTHING:
        return Selection()
    if dev in STSB_DEV:
        return Selection(in_stsb=True)
    path = Path(dev).expanduser()
    if path.is_file() or ("=" not in dev and "," not in dev and (path.suffix != "" or len(path.parts) > 1)):
        return Selection(pairs=path)
    return Selection(weights=parse_selection(dev))


def selection_inputs(dev: str) -> dict[str, str]:
    """Return what decides the scores of `--dev`, as a run records it: a file by its content, and its name, under which they are logged."""
    selection = read_selection(dev)
    if selection.pairs is not None:
        return {"name": selection.pairs.stem, "sha256": file_sha256(selection.pairs)}
    return {"tasks": "STSB-dev" if selection.in_stsb else dev}


def _scorer(name: str, task: LoadedTask) -> Score:
    from augcse.encoding.model import encode_distinct

    sentences = task.sentences()
    return lambda encoder: {name: task.score(*encode_distinct(encoder, sentences))}


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
