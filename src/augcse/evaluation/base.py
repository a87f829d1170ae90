"""What a task is, what an evaluation may choose, and the registry of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, runtime_checkable

from augcse.errors import UserError, unknown_name
from augcse.evaluation.remarks import ScoreWarning
from augcse.registry import Registry

if TYPE_CHECKING:
    import numpy as np

ClassifierName = Literal["lbfgs", "senteval"]
ProtocolName = Literal["test", "fast", "dev"]


@dataclass(frozen=True)
class EvaluationOptions:
    """What an evaluation may choose; a task takes what concerns it.

    Args:
        classifier: of the transfer tasks: `lbfgs` (the exact optimum) or `senteval` (SentEval's training loop).
        protocol: of the transfer tasks: `test` (the papers' figures), `fast` (SentEval's quick settings, also on test rows), or `dev` (the
            quick settings and the development accuracy; test rows are not read: for selecting models while training).
    """

    classifier: ClassifierName = "lbfgs"
    protocol: ProtocolName = "test"

    def __post_init__(self) -> None:
        for kind, value, known in (
            ("classifier", self.classifier, get_args(ClassifierName)),
            ("protocol", self.protocol, get_args(ProtocolName)),
        ):
            if value not in known:
                raise unknown_name(kind, value, known)


class LoadedTask(Protocol):
    """A task with its data in hand."""

    def sentences(self) -> list[str]:
        """Return all sentences that must be encoded."""
        ...

    def score(self, embeddings: np.ndarray, row_of: dict[str, int]) -> float:
        """Return the main score x 100."""
        ...


@runtime_checkable
class WarningTask(LoadedTask, Protocol):
    """A loaded task that may have something to say about its data."""

    def warnings(self) -> tuple[ScoreWarning, ...]:
        """Return what a reader of the score must know."""
        ...


@runtime_checkable
class DetailedTask(LoadedTask, Protocol):
    """A loaded task that measures more than its main score."""

    def measure(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Mapping[str, float]:
        """Return all figures x 100, the main score first."""
        ...


class Task(Protocol):
    """A registered task: its card, and how its data is loaded."""

    @property
    def name(self) -> str:
        """What it is called."""
        ...

    @property
    def suites(self) -> tuple[str, ...]:
        """The suites it belongs to."""
        ...

    def load(self, data: Path | None) -> LoadedTask:
        """Load from a folder laid out like the project's data, or from the hub when `data` is None."""
        ...

    def card(self) -> dict[str, Any]:
        """Return what `augcse list tasks --json` prints."""
        ...


@runtime_checkable
class ConfigurableTask(Task, Protocol):
    """A task that depends on the evaluation's options."""

    def configured(self, options: EvaluationOptions) -> Task:
        """Return the task under these options."""
        ...


TASKS: Registry[Task] = Registry("task", "augcse.evaluation.tasks")


def suites() -> list[str]:
    """Return the names of the suites, in the order of their tasks."""
    return list(dict.fromkeys(suite for task in TASKS for suite in task.suites))


def expand_suites(names: Sequence[str]) -> dict[str, list[str]]:
    """Return suite -> task names for suites, and "" -> single tasks asked for by name."""
    groups: dict[str, list[str]] = {}
    for name in names:
        if name in suites():
            groups[name] = [task.name for task in TASKS if name in task.suites]
        elif name in TASKS:
            groups.setdefault("", []).append(name)
        else:
            raise unknown_name("task", name, [*suites(), *TASKS.names()])
    if not groups:
        raise UserError("no task given; for example --tasks sts")
    return groups


def load_task(name: str, data: Path | None, options: EvaluationOptions | None = None) -> LoadedTask:
    """Load the task called `name` under the options; None takes the defaults."""
    task = TASKS.get(name)
    if isinstance(task, ConfigurableTask):
        task = task.configured(options or EvaluationOptions())
    return task.load(data)


def check_finite(embeddings: np.ndarray) -> None:
    """Refuse embeddings that cannot be scored; raises `UserError`."""
    import numpy as np

    if not np.isfinite(embeddings).all():
        raise UserError("the model gives embeddings that are not finite (NaN or infinity); it cannot be scored, give another")
