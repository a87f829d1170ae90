"""A model scored on several tasks, every distinct sentence encoded once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from augcse.encoding.length import maximum_tokens, truncated_sentences
from augcse.encoding.model import encode_distinct
from augcse.evaluation.base import (
    EvaluationOptions,
    LoadedTask,
    WarningTask,
    check_finite,
    described_own_files,
    expand_suites,
    load_tasks,
    task_titles,
)
from augcse.evaluation.bootstrap import Array, Interval, percentile_interval
from augcse.evaluation.encoded_once import Encode
from augcse.evaluation.mteb_tasks import KeptResults, evaluate_mteb, split_names
from augcse.evaluation.remarks import ScoreWarning, Truncated, embedding_warnings
from augcse.evaluation.samples import RESAMPLES, bootstrap_generator
from augcse.evaluation.tasks.transfer import LoadedTransfer

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@dataclass(frozen=True)
class Scores:
    """The scores of one model, x 100, in the order of the tasks.

    `averages`: per suite given by name; `details`: per task that measures more than its main score: metric -> value, counts being whole
    numbers. `truncated`: None if the model has no maximum length. `options`: those that the tasks' scores depend on. `intervals`:
    per task that is not MTEB's; `files`: per user's file: path and SHA-256. `resampled` per suite: its average on each resample of its
    tasks' pairs and rows, (resamples,), the same resamples for every model.
    """

    model: str
    scores: dict[str, float]
    averages: dict[str, float] = field(default_factory=dict)
    details: dict[str, dict[str, float]] = field(default_factory=dict)
    truncated: Truncated | None = None
    warnings: tuple[ScoreWarning, ...] = ()
    options: dict[str, str] = field(default_factory=dict)
    intervals: dict[str, Interval] = field(default_factory=dict)
    files: dict[str, list[dict[str, Any]]] = field(default_factory=dict)
    resampled: dict[str, Array] = field(default_factory=dict)

    def as_json(self) -> dict[str, Any]:
        """Return the document of `augcse evaluate --json`: `avg` is the average of one suite; other keys are present if not empty."""
        scores: dict[str, float] = dict(self.scores)
        for suite, average in self.averages.items():
            scores["avg" if len(self.averages) == 1 else f"avg_{suite}"] = average
        document: dict[str, Any] = {"model": self.model, "scores": scores}
        intervals = {task: asdict(interval) for task, interval in self.intervals.items()}
        further = {"intervals": intervals, "details": self.details, "options": self.options, "files": self.files}
        document |= {key: value for key, value in further.items() if value}
        document["truncated"] = self.truncated.as_json() if self.truncated else None
        return document | ({"warnings": [asdict(warning) for warning in self.warnings]} if self.warnings else {})

    def resampled_lists(self, resamples: int = RESAMPLES) -> dict[str, list[float]]:
        """Return the first `resamples` draws of each suite's average, with two decimals, for records."""
        return {suite: [round(float(score), 2) for score in draws[:resamples]] for suite, draws in self.resampled.items()}


def check_names(names: Sequence[str]) -> dict[str, list[str]]:
    """Return the groups of `expand_suites` for the names that are not MTEB's; raises `UserError` for an unknown or missing one."""
    ours, theirs = split_names(names)
    return expand_suites(ours) if ours or not theirs else {}


def evaluate_model(
    model: SentenceTransformer,
    tasks: Sequence[str],
    data: Path | None,
    name: str = "",
    batch_size: int = 128,
    options: EvaluationOptions | None = None,
    keep_mteb: KeptResults | None = None,
    encode: Encode | None = None,
) -> Scores:
    """Score a model. All data is loaded and checked before anything is encoded; every distinct sentence is encoded once.

    Args:
        model: the encoder.
        tasks: task or suite names.
        data: the data folder; None takes the hub.
        name: what to call the model in the result.
        batch_size: of encoding.
        options: passed to the tasks that have options; None takes the defaults.
        keep_mteb: where MTEB's own results are kept.
        encode: returns the model's embeddings, for a caller that has some already; None: they are computed.
    """
    groups = check_names(tasks)
    titles = task_titles(_distinct_names(groups.values()))
    loaded = load_tasks(titles, data, options)
    sentences = [sentence for task in loaded.values() for sentence in task.sentences()]
    scores: dict[str, float] = evaluate_mteb(model, split_names(tasks)[1], data, batch_size, keep_mteb)
    if not loaded:
        return Scores(name, scores)
    embeddings, row_of = encode(sentences, batch_size) if encode else encode_distinct(model, sentences, batch_size)
    check_finite(embeddings)
    details: dict[str, dict[str, float]] = {}
    draws: dict[str, Array] = {}
    for task, member in loaded.items():
        measured = member.measured(embeddings, row_of)
        scores[task] = round(measured.score, 4)
        details[task] = {figure: round(value, 4) for figure, value in measured.figures.items()}
        draws[task] = measured.sample.draws(bootstrap_generator(0, task), RESAMPLES)
    suites = {suite: members for suite, members in groups.items() if suite}
    return Scores(
        name,
        scores,
        {suite: round(sum(scores[member] for member in members) / len(members), 4) for suite, members in suites.items()},
        details,
        truncated=_truncated_sentences(model, list(row_of)),
        warnings=(*_data_warnings(loaded.values()), *embedding_warnings(embeddings)),
        options=asdict(options or EvaluationOptions()) if any(isinstance(task, LoadedTransfer) for task in loaded.values()) else {},
        intervals={task: rounded(percentile_interval(drawn)) for task, drawn in draws.items()},
        files=described_own_files(list(titles)),
        resampled={suite: np.mean([draws[member] for member in members], axis=0) for suite, members in suites.items()},
    )


def _truncated_sentences(model: SentenceTransformer, sentences: Sequence[str]) -> Truncated | None:
    cut, length = truncated_sentences(model, sentences), maximum_tokens(model)
    return None if cut is None or length is None or not sentences else Truncated(len(cut), len(sentences), length)


def _data_warnings(loaded: Iterable[LoadedTask]) -> Iterable[ScoreWarning]:
    return (warning for task in loaded if isinstance(task, WarningTask) for warning in task.warnings())


def rounded(interval: Interval) -> Interval:
    """Return the interval rounded to four decimals, as scores are."""
    return replace(interval, low=round(interval.low, 4), high=round(interval.high, 4))


def _distinct_names(groups: Iterable[list[str]]) -> list[str]:
    return list(dict.fromkeys(name for group in groups for name in group))
