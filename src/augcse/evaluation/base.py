"""Tasks, the options of an evaluation, and the registry of tasks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, NotRequired, Protocol, TypedDict, get_args, runtime_checkable

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
    """Options of an evaluation; each task uses those that apply to it.

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
    """A task with its data loaded.

    `score` returns the main score as a number; `measured` returns a `Measured`: all metrics, and the samples behind the main score. Tasks
    with more metrics than the main score have a method `measure`, which returns these by name; a `Measure` scores a whole model.
    """

    def sentences(self) -> list[str]:
        """Return all sentences that must be encoded."""
        ...

    def score(self, embeddings: np.ndarray, row_of: dict[str, int]) -> float:
        """Return the main score x 100."""
        ...

    def measured(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Measured:
        """Return all metrics x 100, the main score first, and the samples that the main score is computed from, for its interval."""
        ...


@runtime_checkable
class WarningTask(LoadedTask, Protocol):
    """A loaded task that may have remarks about its data."""

    def warnings(self) -> tuple[ScoreWarning, ...]:
        """Return remarks that a reader of the score must know."""
        ...


class TaskCard(TypedDict):
    """What `augcse list tasks --json` prints of a task.

    Keys:
        name: the name of the task.
        suites: the suites it belongs to.
        score: what the main score measures, e.g. "Spearman x 100".
        files: the files that it reads, below `folder` if it has that key, which is below the data folder.
        hub: where `load(None)` finds the data; None: it is not on the hub.
        pairs: the number of pairs or sentences; like `description`, of every registered task, not of a user's file.
        description: what is scored, in a sentence.
        rows: the number of rows of each split.
        sha256: the checksum of each file; None if any content is accepted.
        scheme: the split and cross-validation of a transfer task.
        queries: the number of queries of a retrieval task.
    """

    name: str
    suites: list[str]
    score: str
    files: list[str]
    hub: str | None
    pairs: NotRequired[int]
    description: NotRequired[str]
    folder: NotRequired[str]
    rows: NotRequired[dict[str, int]]
    sha256: NotRequired[dict[str, str | None]]
    scheme: NotRequired[str]
    queries: NotRequired[int]


class Task(Protocol):
    """A registered task, or a user's file: its card, and how to load its data."""

    @property
    def name(self) -> str:
        """The name of the task."""
        ...

    @property
    def suites(self) -> tuple[str, ...]:
        """The suites it belongs to."""
        ...

    def load(self, data: Path | None) -> LoadedTask:
        """Load from a folder with the layout of the project's data, or from the hub if `data` is None."""
        ...

    def data_files(self, data: Path) -> list[Path]:
        """Return the files that `load` reads from a data folder."""
        ...

    def card(self) -> TaskCard:
        """Return its card."""
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
    """Return suite -> its task names, and "" -> tasks given by name or by the path of a file."""
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
    """Return the task called `name`, or a file as a task. Raises `UserError` if there is neither."""
    if name in TASKS or not is_file_name(name):
        return TASKS.get(name)
    # Imported here, since the tasks import this module.
    from augcse.evaluation.own_tasks import OwnTask

    return OwnTask(name)


def own_files(names: Sequence[str]) -> list[str]:
    """Return the names that are users' files, without duplicates."""
    members = [member for group in expand_suites(names).values() for member in group] if names else []
    return [name for name in dict.fromkeys(members) if name not in TASKS]


def task_titles(names: Sequence[str]) -> dict[str, str]:
    """Return the title of each task in tables and records: the name of a registered one, the short name of a file."""
    taken = {*TASKS.names(), *suites(), "avg", *(f"avg_{suite}" for suite in suites()), "selection"}
    return {name: name for name in names} | shown_names([name for name in dict.fromkeys(names) if name not in TASKS], taken)


def measures_of(names: Sequence[str], options: EvaluationOptions | None = None) -> dict[str, str]:
    """Return what the score of each task or file measures under the options, e.g. "Spearman x 100", by its title."""
    return {title: _configured(name, options).card()["score"] for name, title in task_titles(names).items()}


def described_own_files(names: Sequence[str]) -> dict[str, list[dict[str, Any]]]:
    """Return path and SHA-256 of the users' files among the names, by title, for records."""
    files = own_files(names)
    titles = task_titles(files)
    return described_files({name: titles[name] for name in files})


def test_inputs(names: Sequence[str]) -> list[Any]:
    """Return what determines test scores: the names of tasks and suites, and users' files by title and content."""
    described = {} if not names else described_own_files(names)
    registered = [name for name in names if name in TASKS or name in suites()]
    return [*registered, *({"name": title, "files": files} for title, files in described.items())]


def load_task(name: str, data: Path | None, options: EvaluationOptions | None = None) -> LoadedTask:
    """Load the task called `name` with the options; None means the defaults."""
    return _configured(name, options).load(data)


def data_files(names: Sequence[str], data: Path, options: EvaluationOptions | None = None) -> set[Path]:
    """Return the files of a data folder that the tasks called `names` read with the options."""
    return {file for name in names for file in _configured(name, options).data_files(data)}


def load_tasks(titles: Mapping[str, str], data: Path | None, options: EvaluationOptions | None = None) -> dict[str, LoadedTask]:
    """Load tasks, name -> title, and return them by title; without data, tasks that are not on the hub are refused before any download."""
    order = sorted(titles, key=lambda name: data is None and find_task(name).card()["hub"] is not None)
    loaded = {name: load_task(name, data, options) for name in order}
    return {title: loaded[name] for name, title in titles.items()}


def _configured(name: str, options: EvaluationOptions | None) -> Task:
    task = find_task(name)
    return task.configured(options or EvaluationOptions()) if isinstance(task, ConfigurableTask) else task


def check_finite(embeddings: np.ndarray) -> None:
    """Refuse embeddings that cannot be scored; raises `UserError`."""
    import numpy as np

    if not np.isfinite(embeddings).all():
        raise UserError("the model gives embeddings that are not finite (NaN or infinity); it cannot be scored, give another")
