"""Test scores of a run: of the model that came out and of the one that it started from."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.augmentations.neural.cache import cached
from augcse.evaluation.base import expand_suites, load_task, own_files
from augcse.evaluation.selection import own_file_warnings
from augcse.model_folder import model_folder

if TYPE_CHECKING:
    from augcse.config import Recipe
    from augcse.evaluation.scores import Scores


def tasks_to_test(test: str | Sequence[str]) -> tuple[str, ...]:
    """Return the tasks, suites or files to test on, their names checked and the files read; "none" is no task.

    Raises:
        UserError: a name that is neither a task nor a suite, or a file that cannot be scored.
    """
    names = tuple(name.strip() for name in test.split(",")) if isinstance(test, str) else tuple(map(str, test))
    if names in ((), ("none",)):
        return ()
    expand_suites(names)
    own_file_warnings(own_files(names))
    return names


def check_test_data(tests: Sequence[str], data: Path | None) -> None:
    """Load what the finished model is to be scored on, once; raises `UserError` now for what would be found at the end of the run."""
    if tests:
        for name in dict.fromkeys(task for group in expand_suites(tests).values() for task in group):
            load_task(name, data)


def final_scores(scores: Scores) -> dict[str, Any]:
    """Return what a record holds of the finished model's scores: themselves, their intervals, and the user's own files among them."""
    document = scores.as_json()
    return {key: document[key] for key in ("scores", "intervals", "files") if key in document}


def scores_of_start(recipe: Recipe, tests: Sequence[str], data: Path | None, inputs: Mapping[str, Any]) -> dict[str, float]:
    """Return the scores of the model that the recipe starts from, as it was given.

    They are kept on disk (`AUGCSE_CACHE`), so that runs of other seeds or recipes do not compute them again.

    Args:
        recipe: the resolved one.
        tests: tasks, suites or files.
        data: the data folder; None where all are files.
        inputs: what `describe_inputs` says of the run: content of the data, versions and machine are part of what scores are kept by.
    """
    from augcse.training.manifest import folder_digest

    identity = {
        "kind": "test scores of a start",
        "model": folder_digest(model_folder(recipe.model.backbone)),
        "pooling": [recipe.model.pooling, recipe.model.bare_pooling],
        "data": None if inputs["data"] is None else inputs["data"]["sha256"],
        **{key: inputs[key] for key in ("versions", "machine")},
    }
    scores: dict[str, float] = cached(identity, [json.dumps(inputs["test"])], lambda missing: [_score_start(recipe, tests, data)])[0]
    return scores


def _score_start(recipe: Recipe, tests: Sequence[str], data: Path | None) -> dict[str, float]:
    import torch

    from augcse.evaluation.scores import evaluate_model
    from augcse.training.encoder import load_given

    # Loading draws where a checkpoint lacks a pooler.
    with torch.random.fork_rng(devices=[]):
        scores: dict[str, float] = evaluate_model(load_given(recipe), tests, data).as_json()["scores"]
    return scores
