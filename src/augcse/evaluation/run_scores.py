"""The scores of a run: the dev score that selects its model, and the test scores of the result and of the start."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

from augcse.arguments import listed
from augcse.disk_cache import cached_once
from augcse.errors import UserError
from augcse.evaluation.base import data_files, expand_suites, load_task, measures_of, own_files, test_inputs
from augcse.evaluation.own_names import files_of
from augcse.evaluation.selection import NOTHING, ModelSelection, members_of, own_file_warnings, read_selection, selection_inputs
from augcse.files import file_sha256
from augcse.model_folder import model_folder

if TYPE_CHECKING:
    from augcse.config import Recipe
    from augcse.evaluation.baselines import BaselineScores
    from augcse.evaluation.encoded_once import EncodedOnce
    from augcse.evaluation.scores import Scores
    from augcse.evaluation.selection import Measure

# Name of the run's own model among the baselines.
KEPT_MODEL = "model"


@dataclass(frozen=True)
class RunEvaluation:
    """The dev score and the tests of a run.

    Args:
        dev: what selects the model during training, as given with `--dev`.
        tests: tasks, suites or files that the finished model is scored on.
        data: the data folder; without one, `tests` are the user's files.
    """

    dev: str
    tests: tuple[str, ...]
    data: Path | None

    @classmethod
    def stated(cls, recipe: Recipe, dev: str | Path, test: str | Path | Sequence[str | Path], data: Path | None) -> Self:
        """Use the given values or, for "auto", those of the recipe.

        Without data no task is scored, only the user's files, or what the recipe states for that case.

        Raises:
            UserError: a name of a dev or test task that is neither a task nor a suite, or given tasks, which need data, without data.
        """
        if dev == "auto":
            # An unknown name is refused without data too, although it is not used then.
            read_selection(recipe.evaluation.dev).check()
            dev = recipe.evaluation.dev_without_data if data is None else recipe.evaluation.dev
        tests = tasks_to_test(recipe.evaluation.test if test == "auto" else test)
        if data is None:
            files = tuple(own_files(tests))
            registered = [name for name in tests if name not in files]
            if test != "auto" and registered:
                raise UserError(f"--test {','.join(registered)} needs --data, a folder with evaluation data; files of your own need none")
            tests = files
        return cls(str(dev), tests, data)

    @property
    def selection(self) -> ModelSelection:
        """The selection that `dev` names."""
        return read_selection(self.dev)

    @property
    def selects_nothing(self) -> bool:
        """Whether nothing is scored during training."""
        return self.dev == NOTHING

    def check(self) -> list[str]:
        """Return remarks about the user's files. Raises `UserError` for one that cannot be scored, or an unknown task."""
        return list(dict.fromkeys([*self.selection.check(), *own_file_warnings(own_files(self.tests)), *self._same_files()]))

    def _same_files(self) -> Iterator[str]:
        """Yield a remark about each file that both selects the model and tests it. Of two files, the first selects and the second tests."""
        selecting = {file_sha256(files_of(name)[0]) for name in self.selection.own_files}
        for path in (files_of(name)[-1] for name in own_files(self.tests)):
            if file_sha256(path) in selecting:
                yield f"{path} is the content of --dev too, which chooses the model: its test score is too high; give --test other rows"

    def load(self) -> Measure | None:
        """Load all data, so that invalid data is refused before any work; return the callable that scores a model during training."""
        measure = self.selection.measure(self.data)
        check_test_data(self.tests, self.data)
        return measure

    def measures(self) -> dict[str, dict[str, str]]:
        """Return what each score measures: "dev" or "test" -> name of the score -> e.g. "Spearman x 100"; averages have none."""
        return {"dev": self.selection.measures(), "test": measures_of(members_of(self.tests))}

    def inputs(self) -> dict[str, Any]:
        """Return what determines the scores, for `describe_inputs`: names, and content by its digest."""
        return {"dev": selection_inputs(self.dev), "test": test_inputs(self.tests), "data": self._data_record()}

    def _data_record(self) -> dict[str, Any] | None:
        """Return the data folder, and digests of the files in it that the scores are computed from; None without a folder."""
        if self.data is None:
            return None
        read = self.selection.data_files(self.data) | data_files(members_of(self.tests), self.data)
        digests = {file.relative_to(self.data).as_posix(): file_sha256(file) for file in sorted(read)}
        return {"folder": str(self.data), "sha256": digests}

    def test_scores(self, finished: EncodedOnce) -> Scores | None:
        """Return the test scores of the finished model; None without tests."""
        from augcse.evaluation.scores import evaluate_model

        return evaluate_model(finished.model, self.tests, self.data, encode=finished.encode) if self.tests else None

    def scores_of_start(self, recipe: Recipe, inputs: Mapping[str, Any]) -> dict[str, float]:
        """Return the test scores of the model that the recipe starts from, see `scores_of_start`."""
        return scores_of_start(recipe, self.tests, self.data, inputs) if self.tests else {}


def tasks_to_test(test: str | Path | Sequence[str | Path]) -> tuple[str, ...]:
    """Return the tasks, suites or files to test on, their names checked and the files read; () for "none".

    Raises:
        UserError: a name that is neither a task nor a suite, or a file that cannot be scored.
    """
    names = names_of(test)
    if names in ((), ("none",)):
        return ()
    expand_suites(names)
    own_file_warnings(own_files(names))
    return names


def names_of(test: str | Path | Sequence[str | Path]) -> tuple[str, ...]:
    """Return the names of tasks, suites or files; one text may hold several, separated by commas."""
    return tuple(name.strip() for name in test.split(",")) if isinstance(test, str) else tuple(map(str, listed(test)))


def check_test_data(tests: Sequence[str], data: Path | None) -> None:
    """Load the tests of the finished model, so that a `UserError` is raised now rather than at the end of the run."""
    if tests:
        for name in dict.fromkeys(task for group in expand_suites(tests).values() for task in group):
            load_task(name, data)


def final_scores(scores: Scores | None) -> dict[str, Any]:
    """Return the entries of a record for the finished model: scores, intervals, and the user's files among the tests."""
    document: dict[str, Any] = {"scores": {}} if scores is None else scores.as_json()
    return {key: document[key] for key in ("scores", "intervals", "files") if key in document}


def kept_resamples(resamples: int, model: Scores | None, baselines: Mapping[str, BaselineScores]) -> dict[str, Any]:
    """Return the entry "resampled" of a record: model or baseline -> suite -> averages on the resamples; {} for none."""
    if not resamples or model is None:
        return {}
    free = {name: {suite: draws[:resamples] for suite, draws in scores.resampled.items()} for name, scores in baselines.items()}
    return {"resampled": {KEPT_MODEL: model.resampled_lists(resamples), **free}}


def scores_of_start(recipe: Recipe, tests: Sequence[str], data: Path | None, inputs: Mapping[str, Any]) -> dict[str, float]:
    """Return the scores of the model that the recipe starts from.

    They are kept on disk (`AUGCSE_CACHE`), so that runs of other seeds or recipes do not compute them again.

    Args:
        recipe: the resolved one.
        tests: tasks, suites or files.
        data: the data folder; None if all are files.
        inputs: of `describe_inputs`; scores are kept under these, which include the data's content, versions and the machine.
    """
    from augcse.training.manifest import folder_digest

    identity = {
        "kind": "test scores of a start",
        "model": folder_digest(model_folder(recipe.model.backbone)),
        "pooling": [recipe.model.pooling, recipe.model.bare_pooling],
        "data": None if inputs["data"] is None else inputs["data"]["sha256"],
        **{key: inputs[key] for key in ("versions", "machine")},
    }
    scores: dict[str, float] = cached_once(identity, json.dumps(inputs["test"]), lambda: _score_start(recipe, tests, data))
    return scores


def _score_start(recipe: Recipe, tests: Sequence[str], data: Path | None) -> dict[str, float]:
    from augcse.evaluation.scores import evaluate_model
    from augcse.training.encoder import load_given

    scores: dict[str, float] = evaluate_model(load_given(recipe), tests, data).as_json()["scores"]
    return scores
