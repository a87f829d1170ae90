"""What a task is, what an evaluation may choose, and the registry of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, runtime_checkable

from augcse.errors import UserError, unknown_name
from augcse.evaluation.own_names import described_files, is_file_name, shown_names
from augcse.evaluation.remarks import ScoreWarning
from augcse.registry import Registry

if TYPE_CHECKING:
    import numpy as np

    from augcse.evaluation.samples import Measured

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

    def measured(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Measured:
        """Return all figures x 100, the main score first, and what that one is computed from, so that it has an interval."""
        ...


@runtime_checkable
class WarningTask(LoadedTask, Protocol):
    """A loaded task that may have something to say about its data."""

    def warnings(self) -> tuple[ScoreWarning, ...]:
        """Return what a reader of the score must know."""
        ...


class Task(Protocol):
    """A registered task, or a file of one's own: its card, and how its data is loaded."""

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
    """Return suite -> task names for suites, and "" -> single tasks asked for by name, or by the path of a file."""
    groups: dict[str, list[str]] = {}
    for name in names:
        if name in suites():
            groups[name] = [task.name for task in TASKS if name in task.suites]
        elif name in TASKS or is_file_name(name):
            groups.setdefault("", []).append(name)
        else:
            raise unknown_name("task", name, [*suites(), *TASKS.names()])
    if not groups:
        raise UserError("no task given; for example --tasks sts")
    return groups


def find_task(name: str) -> Task:
    """Return the task called `name`, or the file as one. Raises `UserError` where there is neither."""
    if name in TASKS or not is_file_name(name):
        return TASKS.get(name)
    # It imports the tasks, which import this module.
    from augcse.evaluation.own_tasks import OwnTask

    return OwnTask(name)


def own_files(names: Sequence[str]) -> list[str]:
    """Return those of the names that mean files of one's own, each once."""
    members = [member for group in expand_suites(names).values() for member in group] if names else []
    return [name for name in dict.fromkeys(members) if name not in TASKS]


def task_titles(names: Sequence[str]) -> dict[str, str]:
    """Return what each task is called in tables and records: a registered one by its name, a file by its short name."""
    taken = {*TASKS.names(), *suites(), "avg", *(f"avg_{suite}" for suite in suites()), "selection"}
    return {name: name for name in names} | shown_names([name for name in dict.fromkeys(names) if name not in TASKS], taken)


def described_own_files(names: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return path and SHA-256 of one's own files among the names, by title, for records."""
    own = own_files(names)
    titles = task_titles(own)
    return described_files({name: titles[name] for name in own})


def test_inputs(names: Sequence[str]) -> list[Any]:
    """Return what decides the scores of tests: the names of tasks and suites, and one's own files by title and content."""
    own = {} if not names else described_own_files(names)
    registered = [name for name in names if name in TASKS or name in suites()]
    return [*registered, *({"name": title, "files": files} for title, files in own.items())]


def load_task(name: str, data: Path | None, options: EvaluationOptions | None = None) -> LoadedTask:
    """Load the task called `name` under the options; None takes the defaults."""
    task = find_task(name)
    if isinstance(task, ConfigurableTask):
        task = task.configured(options or EvaluationOptions())
    return task.load(data)


def load_tasks(titles: Mapping[str, str], data: Path | None, options: EvaluationOptions | None = None) -> dict[str, LoadedTask]:
    """Load tasks, name -> title, and return them by title; without data what no hub has comes first, to be refused before any download."""
    order = sorted(titles, key=lambda name: data is None and find_task(name).card()["hub"] is not None)
    loaded = {name: load_task(name, data, options) for name in order}
    return {title: loaded[name] for name, title in titles.items()}


def check_finite(embeddings: np.ndarray) -> None:
    """Refuse embeddings that cannot be scored; raises `UserError`."""
    import numpy as np

    if not np.isfinite(embeddings).all():
        raise UserError("the model gives embeddings that are not finite (NaN or infinity); it cannot be scored, give another")
