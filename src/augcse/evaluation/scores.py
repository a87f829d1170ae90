"""A model scored on several tasks, every distinct sentence encoded once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.encoding.length import maximum_tokens, truncated_sentences
from augcse.encoding.model import encode_distinct
from augcse.evaluation.base import (
    TASKS,
    ConfigurableTask,
    DetailedTask,
    EvaluationOptions,
    LoadedTask,
    WarningTask,
    check_finite,
    expand_suites,
    load_task,
)
from augcse.evaluation.mteb_tasks import evaluate_mteb, split_names
from augcse.evaluation.remarks import ScoreWarning, Truncated, embedding_warnings

if TYPE_CHECKING:
    import numpy as np
    from sentence_transformers import SentenceTransformer


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


def check_names(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the groups of `expand_suites` for those names that are not MTEB's; raises `UserError` for an unknown or missing one."""
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
