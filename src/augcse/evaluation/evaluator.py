"""Tasks as a sentence-transformers evaluator, for any trainer.

Scoring leaves no trace: the states of torch's, numpy's and Python's generators and every module's train or eval mode are restored, so
that a run with evaluation has the weights of a run without. (SentEval seeds torch and numpy again at each classifier.)

An evaluator cannot prevent one effect: before it calls any, the stock trainer draws a number from torch's generator for its evaluation
loader. A stock run whose weights must not depend on when it is evaluated takes `TaskEvaluator.callback` instead of `evaluator=`.
"""

from __future__ import annotations

import csv
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.evaluation import SentenceEvaluator
from transformers import TrainerCallback, TrainerControl, TrainerState, TrainingArguments

from augcse.arguments import BatchSize, FilePath, Specs
from augcse.encoding.model import encode_distinct
from augcse.encoding.untouched import untouched
from augcse.errors import UserError
from augcse.evaluation.base import EvaluationOptions, load_task, task_titles
from augcse.evaluation.samples import Measured, WeightedSample
from augcse.evaluation.selection import members_of, task_weights
from augcse.options import checks_arguments

Weights = Annotated[Mapping[str, float], Field(description='a dictionary, e.g. {"STSB-dev": 1.0}')]


class TaskEvaluator(SentenceEvaluator):  # type: ignore[misc]
    """Scores a model on tasks or suites; pass it as `evaluator=` to `SentenceTransformerTrainer`.

    All data is loaded and checked when the evaluator is made. The result has one entry per task (x 100) and, as the primary metric,
    `selection`: the weighted sum, by which the trainer can keep the best model (`metric_for_best_model="eval_selection"`, or
    `eval_NAME_selection` with a name).

    Transfer tasks give their development accuracy (protocol "dev"), and their test rows are not read: a model is selected by it. An STS
    task is what its name says: STSB-dev and SICKR-trial have development rows, STSB and SICKR test rows.

    Args:
        tasks: task or suite names, as in `augcse list tasks`, or files of graded pairs or labels.
        data: the data folder; None takes the hub.
        weights: task or suite -> weight in `selection`; a suite's weight is that of the mean of its tasks, and tasks left out have
            weight 0. None: the mean of all tasks.
        name: put before the keys of the result, as in stock evaluators.
        batch_size: of encoding.
        write_csv: append a row to `evaluation[_NAME].csv` in the output folder, if the trainer gives one.
        options: of the tasks; None takes the exact classifier and the protocol "dev".

    Raises:
        UserError: no task or an unknown one, bad data, a weight for a task that is not scored, or a negative one.
    """

    @checks_arguments
    def __init__(
        self,
        tasks: Specs,
        data: FilePath | None,
        *,
        weights: Weights | None = None,
        name: str = "",
        batch_size: BatchSize = 128,
        write_csv: bool = True,
        options: EvaluationOptions | None = None,
    ) -> None:
        super().__init__()
        names = [tasks] if isinstance(tasks, str) else list(tasks)
        if not names:
            raise UserError("TaskEvaluator: tasks is empty; give a task, a suite or a file (see: augcse list tasks)")
        titles = task_titles(members_of(names))
        folder = None if data is None else Path(data)
        self._tasks = {title: load_task(name, folder, options or EvaluationOptions(protocol="dev")) for name, title in titles.items()}
        self._sentences = list(dict.fromkeys(sentence for task in self._tasks.values() for sentence in task.sentences()))
        weighed = task_weights(weights) if weights is not None else dict.fromkeys(titles, 1 / len(titles))
        self._weights = {titles.get(name, name): weight for name, weight in weighed.items()}
        unknown = sorted(set(self._weights) - set(self._tasks))
        if unknown:
            raise UserError(f"a weight for {', '.join(unknown)}, which is not scored; scored are: {', '.join(self._tasks)}")
        self.name = name
        self.batch_size = batch_size
        self.write_csv = write_csv
        self.greater_is_better = True
        self.primary_metric = f"{name}_selection" if name else "selection"

    def __call__(self, model: SentenceTransformer, output_path: str | None = None, epoch: int = -1, steps: int = -1) -> dict[str, float]:
        """Score `model`; its training mode and all random generators are restored."""
        scores = self.score(model)
        if output_path is not None and self.write_csv:
            self._append_row(Path(output_path), epoch, steps, scores)
        metrics: dict[str, float] = self.prefix_name_to_metrics(scores, self.name)
        self.store_metrics_in_model_card_data(model, metrics, epoch, steps)
        return metrics

    def score(self, model: SentenceTransformer) -> dict[str, float]:
        """Return `selection`, first, and the score of each task: for `score=` of `ObjectiveTrainer`."""
        return dict(self.measured(model).figures)

    def measured(self, model: SentenceTransformer) -> Measured:
        """Return the figures of `score`, with the samples that `selection` was computed from."""
        with untouched(model):
            embeddings, row_of = encode_distinct(model, self._sentences, self.batch_size)
            by_task = {task: member.measured(embeddings, row_of) for task, member in self._tasks.items()}
        selection = sum(weight * by_task[task].score for task, weight in self._weights.items())
        sample = WeightedSample(tuple((weight, by_task[task].sample) for task, weight in self._weights.items()))
        return Measured({"selection": selection, **{task: measured.score for task, measured in by_task.items()}}, sample)

    def callback(self, every_steps: int) -> TrainerCallback:
        """Return a callback that scores at an interval of steps and after the last one, into the trainer's `state.log_history`."""
        return _ScoreCallback(self, every_steps)

    @property
    def description(self) -> str:
        """The name of this kind of evaluation in model cards."""
        return "Sentence Embedding Tasks"

    def _append_row(self, folder: Path, epoch: int, steps: int, scores: Mapping[str, float]) -> None:
        """Append the scores to the CSV file, which gets a header when it is new."""
        folder.mkdir(parents=True, exist_ok=True)
        path = folder / (f"evaluation_{self.name}.csv" if self.name else "evaluation.csv")
        fresh = not path.exists()
        with path.open("a", newline="", encoding="utf-8") as file:
            writer = csv.writer(file)
            if fresh:
                writer.writerow(["epoch", "steps", *scores])
            writer.writerow([epoch, steps, *scores.values()])


class _ScoreCallback(TrainerCallback):  # type: ignore[misc]
    def __init__(self, evaluator: TaskEvaluator, every_steps: int) -> None:
        self._evaluator = evaluator
        self._every_steps = every_steps

    def on_step_end(self, args: TrainingArguments, state: TrainerState, control: TrainerControl, model: Any = None, **others: Any) -> None:
        if state.global_step % self._every_steps == 0 or state.global_step >= state.max_steps:
            metrics = self._evaluator(model, str(Path(args.output_dir) / "eval"), state.epoch or 0, state.global_step)
            state.log_history.append({"step": state.global_step, **{f"eval_{name}": value for name, value in metrics.items()}})
