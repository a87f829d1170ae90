"""The dev score that selects a model (`--dev`): none, STS-B's development pairs, a user's file, or a weighted sum of tasks.

Never imports torch before a score is computed.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.errors import UserError
from augcse.evaluation.base import (
    TASKS,
    EvaluationOptions,
    LoadedTask,
    WarningTask,
    data_files,
    described_own_files,
    expand_suites,
    load_task,
    measures_of,
    own_files,
    suites,
    task_titles,
)
from augcse.evaluation.own_names import is_file_name

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.evaluation.samples import Measured

NOTHING = "none"
# The checks of augcse probe, on sentences of the corpus that are excluded from training.
PROBE = "probe"
# Both are STS-B's development pairs; their task, and the name of their score.
STSB_DEV = ("auto", "stsb")
_STSB_DEV_TASK = "STSB-dev"
_STSB_SCORE = "stsb_dev"
_DEV = EvaluationOptions(protocol="dev")
Score = Callable[["SentenceTransformer"], Mapping[str, float]]
Measure = Callable[["SentenceTransformer"], "Measured"]


@dataclass(frozen=True)
class ModelSelection:
    """The score that selects a model during training; none by default.

    Args:
        in_stsb: by STS-B's development pairs.
        file: by a file of graded pairs or labels, as it was written.
        weights: by the sum of these weights times the scores of tasks, suites and files.
        by_probe: by checks without labels, which are built from the corpus (`augcse.analysis.probe.held_out`).
    """

    in_stsb: bool = False
    file: str | None = None
    weights: Mapping[str, float] = field(default_factory=dict)
    by_probe: bool = False

    @property
    def own_files(self) -> list[str]:
        """The user's files that are scored, as given."""
        return own_files([*self.weights, *([] if self.file is None else [self.file])])

    @property
    def total_weight(self) -> float:
        """The sum of the weights, which the score's range is proportional to; 1 for a score without weights."""
        return sum(self.weights.values()) or 1.0

    def data_files(self, data: Path) -> set[Path]:
        """Return the files of a data folder that the score is computed from."""
        tasks = [_STSB_DEV_TASK] if self.in_stsb else list(task_weights(self.weights))
        return data_files(tasks, data, _DEV)

    def check(self) -> list[str]:
        """Return remarks about the user's files. Raises `UserError` for one that cannot be read, or an unknown task."""
        task_weights(self.weights)
        return own_file_warnings(self.own_files, _DEV)

    def measures(self) -> dict[str, str]:
        """Return what each score measures, e.g. "Spearman x 100", by its name; the weighted sum and the checks without labels have none."""
        if self.in_stsb:
            return {_STSB_SCORE: TASKS.get(_STSB_DEV_TASK).card()["score"]}
        return measures_of([*members_of(list(self.weights)), *([] if self.file is None else [self.file])], _DEV)

    def measure(self, data: Path | None) -> Measure | None:
        """Return the callable that measures a model during training, None if nothing selects; its data is loaded and checked now.

        The first of the metrics that it returns selects; all are logged.
        """
        if self.weights:
            from augcse.evaluation.evaluator import TaskEvaluator

            return TaskEvaluator(list(self.weights), data, weights=self.weights).measured
        if self.in_stsb:
            return _measure_of_task(_STSB_SCORE, TASKS.get(_STSB_DEV_TASK).load(data))
        if self.file is not None:
            return _measure_of_task(task_titles([self.file])[self.file], load_task(self.file, data, _DEV))
        return None


def read_selection(dev: str) -> ModelSelection:
    """Return the selection that `--dev` names: "none", "stsb" (or "auto"), "probe", a file, or tasks, suites and files with weights.

    The name of a task or suite always means that; any other name means a file if one exists, or if it looks like a path.

    Raises:
        UserError: weights that are not numbers from 0.
    """
    if dev == NOTHING:
        return ModelSelection()
    if dev in STSB_DEV:
        return ModelSelection(in_stsb=True)
    if dev == PROBE:
        return ModelSelection(by_probe=True)
    single = Path(dev).expanduser().is_file() or ("=" not in dev and "," not in dev)
    if single and dev not in TASKS and dev not in suites() and is_file_name(dev):
        return ModelSelection(file=dev)
    return ModelSelection(weights=parse_selection(dev))


def selection_inputs(dev: str) -> dict[str, Any]:
    """Return what determines the dev score, for the record of a run: files by their content, and the names under which they are logged."""
    selection = read_selection(dev)
    if selection.in_stsb or not selection.own_files:
        return {"tasks": _STSB_DEV_TASK if selection.in_stsb else dev}
    titles = task_titles(selection.own_files)
    weights = {titles.get(name, name): weight for name, weight in selection.weights.items()}
    return {"weights": weights, "files": described_own_files(selection.own_files)}


def own_file_warnings(names: Sequence[str], options: EvaluationOptions | None = None) -> list[str]:
    """Read users' files and return the remarks about them. Raises `UserError` for one that cannot be scored."""
    loaded = [load_task(name, None, options) for name in names]
    return [warning.message for task in loaded if isinstance(task, WarningTask) for warning in task.warnings()]


def score_of(measure: Measure) -> Score:
    """Return the callable that scores a model during training."""
    return lambda encoder: measure(encoder).figures


def _measure_of_task(name: str, task: LoadedTask) -> Measure:
    """Return the callable that measures a model on one task, under the score's name."""
    from augcse.encoding.model import encode_distinct
    from augcse.evaluation.samples import Measured

    sentences = task.sentences()

    def measure(encoder: SentenceTransformer) -> Measured:
        measured = task.measured(*encode_distinct(encoder, sentences))
        return Measured({name: measured.score}, measured.sample)

    return measure


def _check_weight(name: str, weight: float) -> None:
    if not 0 <= weight < math.inf:
        raise UserError(f"the weight {weight:g} of {name} is negative, which prefers worse models, or not finite; give a number above 0")


def task_weights(weights: Mapping[str, float]) -> dict[str, float]:
    """Return the weight of each task: a suite's weight is divided equally among its tasks, and repeated weights add up.

    Raises:
        UserError: a weight that is negative or not finite.
    """
    totals: dict[str, float] = {}
    for name, weight in weights.items():
        _check_weight(name, weight)
        members = members_of([name])
        for member in members:
            totals[member] = totals.get(member, 0.0) + weight / len(members)
    return totals


def members_of(names: Sequence[str]) -> list[str]:
    """Return the tasks and files of names of tasks, suites and files."""
    return [member for group in expand_suites(names).values() for member in group] if names else []


def parse_selection(text: str) -> dict[str, float]:
    """Read "STSB-dev=2,CR" as the weights of a selection; a task or suite without a number weighs 1, and repeated weights add up.

    >>> parse_selection("STSB-dev=2, CR, CR=0.5")
    {'STSB-dev': 2.0, 'CR': 1.5}

    Raises:
        UserError: a weight that is not a number from 0, or only weights of 0.
    """
    weights: dict[str, float] = {}
    for part in text.split(","):
        name, equals, number = (piece.strip() for piece in part.partition("="))
        try:
            weight = float(number) if equals else 1.0
        except ValueError as error:
            raise UserError(f"the weight {number!r} of {name} is not a number; write e.g. STSB-dev=2,CR=0.5") from error
        if not name or not math.isfinite(weight):
            raise UserError(f"{text!r} does not name tasks with weights; write e.g. STSB-dev=2,CR=0.5")
        _check_weight(name, weight)
        weights[name] = weights.get(name, 0.0) + weight
    if not any(weights.values()):
        raise UserError(f"{text!r} gives every task the weight 0, which selects nothing; give one a weight above 0, or --dev none")
    return weights
