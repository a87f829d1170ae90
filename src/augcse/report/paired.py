"""Paired bootstrap intervals of differences: models are scored again, and compared on the same resamples.

A record has no scores per pair, so the models and data must still exist. A model whose score is not the recorded one is not compared: model
or data have changed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.errors import UserError
from augcse.evaluation.base import LoadedTask, expand_suites, load_task, task_titles
from augcse.evaluation.own_names import BETWEEN_FILES
from augcse.evaluation.samples import RESAMPLES, ScoredSample, bootstrap_generator, compared
from augcse.report.local_files import data_folder, recorded_file, row_model
from augcse.report.runs import ReportedRun
from augcse.report.scores import Scored, ScoreRow

if TYPE_CHECKING:
    import numpy as np
    from sentence_transformers import SentenceTransformer

    from augcse.evaluation.bootstrap import Comparison

# Limits of models to score again, and of distinct test sentences that each encodes: seconds on two cores with a small model.
MODELS = 8
SENTENCES = 6_000
# Tolerance x 100: other processors and libraries change the last digits.
_SAME_SCORE = 0.05
Tasks = Mapping[str, LoadedTask]


@dataclass
class Compared:
    """Comparisons by row and task, and the missing ones with their reasons, one line each."""

    comparisons: dict[str, dict[str, Comparison]] = field(default_factory=dict)
    left_out: list[str] = field(default_factory=list)


def compare(
    scored: Scored,
    runs: Sequence[ReportedRun],
    data: Path | None,
    *,
    sentences: int = SENTENCES,
    notify: Callable[[str], None] = lambda line: None,
) -> Compared:
    """Compare each row with its baseline on the tests of the runs.

    Args:
        scored: the rows and their baselines.
        runs: runs whose records name the tests.
        data: the data folder; None takes the one of the records.
        sentences: maximum number of distinct sentences to encode per model, in complete tasks, smallest first; 0: none.
        notify: receives a line about each step.
    """
    result = Compared()
    pairs = _compared_pairs(scored)
    if not pairs or not sentences:
        return result
    tasks = _load_tasks(runs, data, sentences, result.left_out)
    if not tasks:
        return result
    rows = list({id(row): row for pair in pairs for row in pair}.values())
    if len(rows) > MODELS:
        result.left_out.append(f"paired intervals of {len(rows) - MODELS} of {len(rows)} models: name fewer runs")
        rows = rows[:MODELS]
    samples = {id(row): _samples(row, tasks, result.left_out, notify) for row in rows}
    for row, other in pairs:
        baseline = samples.get(id(other), {})
        common = {task: sample for task, sample in samples.get(id(row), {}).items() if task in baseline}
        result.comparisons[row.name] = {
            task: compared(baseline[task], sample, bootstrap_generator(0, task), RESAMPLES) for task, sample in common.items()
        }
    return result


def _compared_pairs(scored: Scored) -> list[tuple[ScoreRow, ScoreRow]]:
    """Return each row with its baseline, if both are scored on a common task."""
    pairs = [(row, scored.compared_to(row)) for row in scored.rows]
    return [(row, baseline) for row, baseline in pairs if baseline is not None and set(row.scores) & set(baseline.scores)]


def _load_tasks(runs: Sequence[ReportedRun], data: Path | None, limit: int, left_out: list[str]) -> dict[str, LoadedTask]:
    """Load the tests of the runs, smallest first, within the limit of sentences."""
    loaded: dict[str, LoadedTask] = {}
    for run in runs:
        for title, task in _load_tasks_of(run, data, left_out).items():
            loaded.setdefault(title, task)
    chosen: dict[str, LoadedTask] = {}
    encoded: set[str] = set()
    for title, task in sorted(loaded.items(), key=lambda item: (len(set(item[1].sentences())), item[0])):
        if len(encoded | set(task.sentences())) > limit:
            distinct = len(set(task.sentences()))
            left_out.append(
                f"paired intervals on {title}: {distinct:,} sentences to encode per model; --paired-sentences 50000 brings them"
            )
            continue
        chosen[title] = task
        encoded |= set(task.sentences())
    return chosen


def _load_tasks_of(run: ReportedRun, data: Path | None, left_out: list[str]) -> dict[str, LoadedTask]:
    """Load the tests of one run; those that cannot be loaded are added to `left_out`."""
    folder = data or data_folder(run)
    tasks: dict[str, LoadedTask] = {}
    try:
        names = run.record.get("test") or []
        members = [member for group in expand_suites(names).values() for member in group] if names else []
        titles = task_titles(members)
    except UserError as error:
        left_out.append(f"paired intervals of {run.name}: {error}")
        return tasks
    for name, title in titles.items():
        try:
            files = run.record.get("files", {}).get(title)
            if files is None and folder is None:
                raise UserError("its data folder is not here; name it with --data")
            task = load_task(name if files is None else BETWEEN_FILES.join(str(recorded_file(run, file)) for file in files), folder)
        except UserError as error:
            line = f"paired intervals on {title}: {error}"
            if line not in left_out:
                left_out.append(line)
            continue
        tasks[title] = task
    return tasks


def _samples(row: ScoreRow, tasks: Tasks, left_out: list[str], notify: Callable[[str], None]) -> dict[str, ScoredSample]:
    """Score a model again on the tasks of its row; return the scores per pair or row, by task."""
    scored_tasks = {title: task for title, task in tasks.items() if title in row.scores}
    if not scored_tasks:
        return {}
    try:
        notify(f"scoring {row.name} again on {', '.join(scored_tasks)}, for paired intervals")
        return dict(_rescore(row, row_model(row), scored_tasks, left_out))
    except UserError as error:
        left_out.append(f"paired intervals of {row.name}: {error}")
        return {}


def _rescore(row: ScoreRow, model: SentenceTransformer, tasks: Tasks, left_out: list[str]) -> dict[str, ScoredSample]:
    """Score a model on tasks; one whose score is not that of the row is added to `left_out`."""
    from augcse.encoding.model import encode_distinct

    encoded: tuple[np.ndarray, dict[str, int]] = encode_distinct(model, [text for task in tasks.values() for text in task.sentences()])
    samples = {}
    for title, task in tasks.items():
        measured = task.measured(*encoded)
        if abs(measured.score - row.scores[title]) > _SAME_SCORE:
            left_out.append(
                f"the paired interval of {row.name} on {title}: its model scores {measured.score:.2f} now,"
                f" not {row.scores[title]:.2f}; model or data have changed"
            )
            continue
        samples[title] = measured.sample
    return samples
