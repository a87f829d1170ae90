"""What a task is, and how a model is scored on several with every sentence encoded once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from augcse.encoding.model import encode_distinct
from augcse.errors import UserError, unknown_name
from augcse.registry import Registry

if TYPE_CHECKING:
    import numpy as np
    from sentence_transformers import SentenceTransformer


class LoadedTask(Protocol):
    """A task with its data in hand."""

    def sentences(self) -> list[str]:
        """Return all sentences that must be encoded."""
        ...

    def score(self, embeddings: np.ndarray, row_of: dict[str, int]) -> float:
        """Return the main score x 100."""
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


TASKS: Registry[Task] = Registry("task", "augcse.evaluation.tasks")


@dataclass(frozen=True)
class Scores:
    """The scores of one model, x 100, in the order of the tasks; `averages` per suite asked for whole."""

    model: str
    scores: dict[str, float]
    averages: dict[str, float] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the document of `augcse evaluate --json`; `avg` is the average of the first suite."""
        scores: dict[str, float] = dict(self.scores)
        for suite, average in self.averages.items():
            scores["avg" if len(self.averages) == 1 else f"avg_{suite}"] = average
        return {"model": self.model, "scores": scores}


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


def evaluate_model(model: SentenceTransformer, tasks: Sequence[str], data: Path | None, name: str = "", batch_size: int = 128) -> Scores:
    """Score a model. All data is loaded and checked before anything is encoded; every distinct sentence is encoded once.

    Args:
        model: the encoder.
        tasks: task or suite names.
        data: the data folder; None takes the hub.
        name: what to call the model in the result.
        batch_size: of encoding.
    """
    groups = expand_suites(tasks)
    loaded = {task: TASKS.get(task).load(data) for task in _unique(groups.values())}
    sentences = [sentence for task in loaded.values() for sentence in task.sentences()]
    embeddings, row_of = encode_distinct(model, sentences, batch_size)
    scores = {task: round(member.score(embeddings, row_of), 4) for task, member in loaded.items()}
    averages = {suite: round(sum(scores[member] for member in members) / len(members), 4) for suite, members in groups.items() if suite}
    return Scores(name, scores, averages)


def _unique(groups: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys(name for group in groups for name in group))
