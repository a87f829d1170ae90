"""One contract for every registered task, on data made up to its card's size."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from augcse.errors import UserError
from augcse.evaluation.base import TASKS, Task, expand_suites

MEMBERS = [pytest.param(task, id=task.name) for task in TASKS if task.card()["score"] == "Spearman x 100"]


def write_data(folder: Path, task: Task) -> None:
    """Write as many made-up pairs as the task's card says, spread over its files."""
    card = task.card()
    files = card["files"]
    for place, file in enumerate(files):
        rows = range(place, card["pairs"], len(files))
        path = folder / card["folder"] / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{row % 11 / 2}\tleft {row}\tright {row}\n" for row in rows), "utf-8")


@pytest.mark.parametrize("task", MEMBERS)
def test_card_is_complete(task: Task) -> None:
    card = task.card()
    assert card["name"] == task.name
    assert card["pairs"] > 0
    assert card["files"]


@pytest.mark.parametrize("task", MEMBERS)
def test_gold_encoder_scores_100_and_constant_encoder_0(task: Task, tmp_path: Path) -> None:
    write_data(tmp_path, task)
    loaded = task.load(tmp_path)
    row_of = {sentence: row for row, sentence in enumerate(loaded.sentences())}
    constant = np.ones((len(row_of), 3))
    assert loaded.score(constant, row_of) == 0.0
    # Unit vectors at an angle that falls with the score: their cosine orders the pairs exactly as the grades do.
    gold = np.zeros((len(row_of), 2))
    for sentence, row in row_of.items():
        side, number = sentence.split()
        angle = 0.0 if side == "left" else 1.5 - (int(number) % 11) / 10
        gold[row] = np.cos(angle), np.sin(angle)
    assert loaded.score(gold, row_of) == pytest.approx(100.0)


@pytest.mark.parametrize("task", MEMBERS)
def test_wrong_number_of_pairs_is_refused(task: Task, tmp_path: Path) -> None:
    write_data(tmp_path, task)
    path = tmp_path / task.card()["folder"] / task.card()["files"][0]
    path.write_text(path.read_text("utf-8") + "1.0\tone\tmore\n", "utf-8")
    with pytest.raises(UserError, match="the score would not compare"):
        task.load(tmp_path)


@pytest.mark.parametrize("task", MEMBERS)
def test_missing_file_is_named(task: Task, tmp_path: Path) -> None:
    write_data(tmp_path, task)
    missing = tmp_path / task.card()["folder"] / task.card()["files"][-1]
    missing.unlink()
    with pytest.raises(UserError, match=str(missing)):
        task.load(tmp_path)


@pytest.mark.parametrize("task", MEMBERS)
def test_real_data_has_the_canonical_size(task: Task, data_folder: Path) -> None:
    assert len(task.load(data_folder).sentences()) == 2 * task.card()["pairs"]


@pytest.mark.parametrize("task", MEMBERS)
def test_without_a_network_the_hub_is_refused_in_one_line(task: Task) -> None:
    with pytest.raises(UserError, match="--data DIR"):
        task.load(None)


def test_sts_is_the_seven_tasks_in_the_papers_order() -> None:
    assert expand_suites(["sts"]) == {"sts": ["STS12", "STS13", "STS14", "STS15", "STS16", "STSB", "SICKR"]}
