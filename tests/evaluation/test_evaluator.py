"""Tasks as an evaluator: what it returns, what it writes, and that training does not notice it."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from datasets import Dataset
from sentence_transformers import SentenceTransformer, SentenceTransformerTrainer, SentenceTransformerTrainingArguments
from sentence_transformers.sentence_transformer.evaluation import SentenceEvaluator
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from transformers import TrainerCallback

from augcse import evaluate
from augcse.encoding.model import load_encoder
from augcse.encoding.untouched import untouched
from augcse.errors import UserError
from augcse.evaluation.evaluator import TaskEvaluator
from augcse.evaluation.selection import parse_selection, read_selection


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory, sentences: list[str]) -> Path:
    """STS16 and SICK's trial split in size, with sentences of the demo corpus."""
    folder = tmp_path_factory.mktemp("data")
    files = {"STS16/answer-answer": 254, "STS16/headlines": 249, "STS16/plagiarism": 230, "STS16/postediting": 244}
    for file, rows in {**files, "STS16/question-question": 209, "SICK/trial": 500}.items():
        path = folder / "sts" / f"{file}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("".join(f"{row % 6}\t{sentences[row % 90]}\t{sentences[row * 7 % 80]}\n" for row in range(rows)), "utf-8")
    return folder


def test_scores_are_those_of_evaluate_and_selection_is_the_weighted_sum(tiny_backbone: Path, data: Path) -> None:
    model = load_encoder(str(tiny_backbone))
    expected = evaluate(model, ["STS16", "SICKR-trial"], data).scores
    evaluator = TaskEvaluator(["STS16", "SICKR-trial"], data, weights={"STS16": 0.25, "SICKR-trial": 1.0})
    found = evaluator(model)
    assert {task: found[task] for task in expected} == pytest.approx(expected, abs=1e-4)
    assert found[evaluator.primary_metric] == pytest.approx(0.25 * found["STS16"] + found["SICKR-trial"])
    mean = TaskEvaluator(["STS16", "SICKR-trial"], data, name="dev")
    assert mean(model)[mean.primary_metric] == pytest.approx((found["STS16"] + found["SICKR-trial"]) / 2)
    assert mean.primary_metric == "dev_selection"


def test_rows_of_a_table_are_appended(tiny_backbone: Path, data: Path, tmp_path: Path) -> None:
    evaluator = TaskEvaluator("SICKR-trial", data, name="dev")
    model = load_encoder(str(tiny_backbone))
    for steps in (10, 20):
        evaluator(model, str(tmp_path / "eval"), epoch=1, steps=steps)
    lines = (tmp_path / "eval" / "evaluation_dev.csv").read_text("utf-8").splitlines()
    assert lines[0] == "epoch,steps,selection,SICKR-trial"
    assert [line.split(",")[:2] for line in lines[1:]] == [["1", "10"], ["1", "20"]]


def test_bad_tasks_data_and_weights_are_refused_before_training(data: Path) -> None:
    with pytest.raises(UserError, match=r"did you mean .*STSB"):
        TaskEvaluator("STBS", data)
    with pytest.raises(UserError, match="no file"):
        TaskEvaluator("STS12", data)
    with pytest.raises(UserError, match="a weight for STSB, which is not scored"):
        TaskEvaluator("STS16", data, weights={"STSB": 1.0})
    with pytest.raises(UserError, match="the weight -1 of STS16 is negative"):
        TaskEvaluator("STS16", data, weights={"STS16": -1.0})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"tasks": []}, "tasks is empty; give a task, a suite or a file"),
        ({"tasks": 5}, "tasks is 5; give a text, or a list of texts"),
        ({"weights": [1]}, r"weights is \[1\]; give a dictionary"),
        ({"weights": {"STS16": "x"}}, "weights is .*; give a dictionary"),
        ({"batch_size": 0}, "batch_size is 0"),
    ],
)
def test_arguments_of_another_kind_are_refused(arguments: dict[str, Any], message: str, data: Path) -> None:
    with pytest.raises(UserError, match=message):
        TaskEvaluator(**{"tasks": ["STS16"], "data": data, **arguments})


def test_modes_and_generators_are_put_back_also_after_an_error() -> None:
    model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.Dropout())
    model.train()
    model[0].eval()
    before = torch.get_rng_state(), random.getstate(), np.random.get_state()[1].tolist()  # noqa: NPY002

    def careless() -> None:
        model.eval()
        torch.rand(3), random.random(), np.random.rand()  # noqa: NPY002
        raise ValueError

    with pytest.raises(ValueError), untouched(model):  # noqa: PT011
        careless()
    assert (model.training, model[0].training, model[1].training) == (True, False, True)
    assert torch.equal(torch.get_rng_state(), before[0])
    assert random.getstate() == before[1]
    assert np.random.get_state()[1].tolist() == before[2]  # noqa: NPY002


def test_selection_is_read_from_text() -> None:
    assert parse_selection("STSB-dev=0.5,CR") == {"STSB-dev": 0.5, "CR": 1.0}
    for text in ("CR=many", "", "=2", "CR=nan"):
        with pytest.raises(UserError, match=r"write e\.g\. STSB-dev=2"):
            parse_selection(text)


def test_training_can_select_by_a_weighted_sum(tiny_backbone: Path, data: Path) -> None:
    model = load_encoder(str(tiny_backbone))
    measure = read_selection("STS16=0.5, SICKR-trial").measure(data)
    assert measure is not None
    found = measure(model).figures
    expected = evaluate(model, ["STS16", "SICKR-trial"], data).scores
    # The first value is what the trainer selects by.
    assert next(iter(found.items())) == ("selection", pytest.approx(0.5 * expected["STS16"] + expected["SICKR-trial"], abs=1e-3))
    with pytest.raises(UserError, match="STBS"):
        read_selection("STS16,STBS").measure(data)


class Recorded(SentenceEvaluator):
    """Calls a function, and says it scored 0."""

    primary_metric = "nothing"

    def __init__(self, function: Callable[[], object]) -> None:
        super().__init__()
        self.function = function

    def __call__(self, model: SentenceTransformer, *arguments: Any, **options: Any) -> dict[str, float]:
        self.function()
        return {"nothing": 0.0}


def train(
    backbone: Path,
    folder: Path,
    sentences: list[str],
    evaluator: SentenceEvaluator | None = None,
    callback: TrainerCallback | None = None,
) -> tuple[dict[str, torch.Tensor], list[dict[str, float]]]:
    """Five steps of the stock trainer with dropout on; returns the weights and the log."""
    model = load_encoder(str(backbone), device="cpu")
    arguments = SentenceTransformerTrainingArguments(
        output_dir=str(folder),
        max_steps=5,
        per_device_train_batch_size=8,
        learning_rate=1e-3,
        seed=1,
        eval_strategy="steps" if evaluator else "no",
        eval_steps=1,
        save_strategy="no",
        report_to=[],
        disable_tqdm=True,
        use_cpu=True,
    )
    trainer = SentenceTransformerTrainer(
        model,
        arguments,
        train_dataset=Dataset.from_dict({"anchor": sentences[:80], "positive": sentences[:80]}),
        loss=MultipleNegativesRankingLoss(model),
        evaluator=evaluator,
        callbacks=[callback] if callback else None,
    )
    trainer.train()
    return {key: value.clone() for key, value in model.state_dict().items()}, trainer.state.log_history


def equal(left: dict[str, torch.Tensor], right: dict[str, torch.Tensor]) -> bool:
    return all(torch.equal(left[key], right[key]) for key in left)


def test_training_is_the_same_with_and_without_evaluation(tiny_backbone: Path, sentences: list[str], data: Path, tmp_path: Path) -> None:
    without, _ = train(tiny_backbone, tmp_path / "without", sentences)
    scored, log = train(tiny_backbone, tmp_path / "scored", sentences, callback=TaskEvaluator("SICKR-trial", data).callback(2))
    assert equal(without, scored)
    found = [entry for entry in log if "eval_selection" in entry]
    assert [entry["step"] for entry in found] == [2, 4, 5]
    assert found[0]["eval_SICKR-trial"] != found[-1]["eval_SICKR-trial"]


def test_as_a_stock_evaluator_it_changes_no_more_than_an_empty_one(
    tiny_backbone: Path, sentences: list[str], data: Path, tmp_path: Path
) -> None:
    empty, _ = train(tiny_backbone, tmp_path / "empty", sentences, Recorded(lambda: None))
    scored, log = train(tiny_backbone, tmp_path / "scored", sentences, TaskEvaluator("SICKR-trial", data))
    assert equal(empty, scored)
    assert sum("eval_SICKR-trial" in entry for entry in log) == 5
    # What SentEval does to the generators would show.
    seeded, _ = train(tiny_backbone, tmp_path / "seeded", sentences, Recorded(lambda: torch.manual_seed(1111)))
    assert not equal(empty, seeded)
