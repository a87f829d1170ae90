"""What a task is, and how a model is scored on several with every sentence encoded once."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, get_args, runtime_checkable

from augcse.encoding.length import maximum_tokens, truncated_sentences
from augcse.encoding.model import encode_distinct
from augcse.errors import UserError, unknown_name
from augcse.evaluation.remarks import ScoreWarning, Truncated, embedding_warnings
from augcse.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from sentence_transformers import SentenceTransformer

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


@dataclass(frozen=True)
class Scores:
    """The scores of one model, x 100, in the order of the tasks.

    `averages` per suite asked for whole; `details` per task that measures more than its main score: figure -> value, counts being whole
    numbers. `truncated` is None where the model has no maximum length. `options` are those that the tasks' scores depend on.
    """

    model: str
    scores: dict[str, float]
    averages: dict[str, float] = field(default_factory=dict)
    details: dict[str, dict[str, float]] = field(default_factory=dict)
    truncated: Truncated | None = None
    warnings: tuple[ScoreWarning, ...] = ()
    options: dict[str, str] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the document of `augcse evaluate --json`: `avg` is the average of one suite, other keys are there if they say anything."""
        scores: dict[str, float] = dict(self.scores)
        for suite, average in self.averages.items():
            scores["avg" if len(self.averages) == 1 else f"avg_{suite}"] = average
        document: dict[str, Any] = {"model": self.model, "scores": scores}
        document |= {key: value for key, value in (("details", self.details), ("options", self.options)) if value}
        document["truncated"] = self.truncated.as_json() if self.truncated else None
        return document | ({"warnings": [asdict(warning) for warning in self.warnings]} if self.warnings else {})


def expand_suites(names: Sequence[str]) -> dict[str, list[str]]:
    """Return suite -> task names for suites, and "" -> single tasks asked for by name."""
    suites = {suite for task in TASKS for suite in task.suites}
    groups: dict[str, list[str]] = {}
    for name in names:
        if name in suites:
            groups[name] = [task.name for task in TASKS if name in task.suites]
        elif name in TASKS:
            groups.setdefault("", []).append(name)
        else:
            raise unknown_name("task", name, [*suites, *TASKS.names()])
    if not groups:
        raise UserError("no task given; for example --tasks sts")
    return groups


def check_names(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the groups of `expand_suites` for those names that are not MTEB's; raises `UserError` for an unknown or missing one."""
    from augcse.evaluation.mteb_tasks import split_names

    ours, theirs = split_names(names)
    return expand_suites(ours) if ours or not theirs else {}


def evaluate_model(
    model: SentenceTransformer,
    tasks: Sequence[str],
    data: Path | None,
    name: str = "",
    batch_size: int = 128,
    options: EvaluationOptions | None = None,
) -> Scores:
    """Score a model. All data is loaded and checked before anything is encoded; every distinct sentence is encoded once.

    Args:
        model: the encoder.
        tasks: task or suite names.
        data: the data folder; None takes the hub.
        name: what to call the model in the result.
        batch_size: of encoding.
        options: passed to the tasks that have any; None takes the defaults.
    """
    from augcse.evaluation.mteb_tasks import evaluate_mteb, split_names

    groups = check_names(tasks)
    loaded = {task: load_task(task, data, options) for task in _unique(groups.values())}
    sentences = [sentence for task in loaded.values() for sentence in task.sentences()]
    scores: dict[str, float] = evaluate_mteb(model, split_names(tasks)[1], data, batch_size)
    if not loaded:
        return Scores(name, scores)
    embeddings, row_of = encode_distinct(model, sentences, batch_size)
    check_finite(embeddings)
    details: dict[str, dict[str, float]] = {}
    for task, member in loaded.items():
        scores[task], figures = _measure(member, embeddings, row_of)
        if figures:
            details[task] = figures
    averages = {suite: round(sum(scores[member] for member in members) / len(members), 4) for suite, members in groups.items() if suite}
    return Scores(
        name,
        scores,
        averages,
        details,
        truncated=_truncated(model, list(row_of)),
        warnings=(*_data_warnings(loaded.values()), *embedding_warnings(embeddings)),
        options=asdict(options or EvaluationOptions()) if any(isinstance(TASKS.get(task), ConfigurableTask) for task in loaded) else {},
    )


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
        raise UserError("the model gives embeddings that are not finite (NaN or infinity); it cannot be scored")


def _truncated(model: SentenceTransformer, sentences: Sequence[str]) -> Truncated | None:
    cut, length = truncated_sentences(model, sentences), maximum_tokens(model)
    return None if cut is None or length is None or not sentences else Truncated(len(cut), len(sentences), length)


def _data_warnings(loaded: Iterable[LoadedTask]) -> Iterable[ScoreWarning]:
    return (warning for task in loaded if isinstance(task, WarningTask) for warning in task.warnings())


def _measure(task: LoadedTask, embeddings: np.ndarray, row_of: dict[str, int]) -> tuple[float, dict[str, float]]:
    """Return the main score and, where the task has more to tell, all its figures by name."""
    if not isinstance(task, DetailedTask):
        return round(task.score(embeddings, row_of), 4), {}
    figures = {figure: round(value, 4) for figure, value in task.measure(embeddings, row_of).items()}
    return next(iter(figures.values())), figures


def _unique(groups: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys(name for group in groups for name in group))
