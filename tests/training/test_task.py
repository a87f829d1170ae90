"""A labelled task in a recipe: labels into the store, a head beside the objective, gone from the model."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file
from transformers import AutoTokenizer

from augcse import train
from augcse.errors import UserError
from augcse.sections import TaskSection
from augcse.training.batches import StoreCollator
from augcse.training.store.build import prepare
from augcse.training.store.files import TokenStore
from augcse.training.watcher import Watcher
from plans import small_plan

NAMES = ["neutral", "10", "contradiction", "9"]
CLASSIFICATION: dict[str, Any] = {"task.kind": "classification", "task.label": "class"}
REGRESSION: dict[str, Any] = {"task.kind": "regression", "task.label": "score", "task.pair": "partner", "task.weight": 0.5}


@pytest.fixture(scope="module")
def table(sentences: list[str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """160 rows: a sentence, a partner, a class and a score."""
    path = tmp_path_factory.mktemp("task") / "task.csv"
    rows = [[sentences[row], sentences[row + 160], NAMES[row % 4], str(row % 5 / 5)] for row in range(160)]
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([["text", "partner", "class", "score"], *rows])
    return path


def _store(path: Path, backbone: Path, folder: Path, task: TaskSection, **more: Any) -> TokenStore:
    tokenizer = AutoTokenizer.from_pretrained(str(backbone))
    return prepare(small_plan(path, task=task, **more), tokenizer, folder)


def test_class_names_are_numbered_in_order_and_recorded(table: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    store = _store(table, tiny_backbone, tmp_path / "s", TaskSection(kind="classification", label="class"))
    assert store.meta["task"] == {
        "kind": "classification",
        "label": "class",
        "pair": None,
        "classes": ["9", "10", "contradiction", "neutral"],
    }
    assert store.task_labels is not None
    assert store.task_labels[:4].tolist() == [3, 1, 2, 0]
    assert StoreCollator(store, 0)([1, 2])["label"].tolist() == [1, 2]


def test_numbers_and_the_partner_of_a_regression(table: Path, tiny_backbone: Path, tmp_path: Path, sentences: list[str]) -> None:
    store = _store(table, tiny_backbone, tmp_path / "s", TaskSection(kind="regression", label="score", pair="partner"))
    assert list(store.views) == ["original", "pair"]
    batch = StoreCollator(store, 0)([3, 9])
    assert batch["label"].tolist() == pytest.approx([0.6, 0.8])
    assert list(batch) == [f"{view}_{key}" for view in ("original", "pair") for key in ("input_ids", "attention_mask")] + ["label"]
    tokenizer = AutoTokenizer.from_pretrained(str(tiny_backbone))
    assert store.views["pair"].row(3).tolist() == tokenizer(sentences[163])["input_ids"]


def test_labels_stay_with_their_rows_where_rows_are_dropped(table: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    task = TaskSection(kind="regression", label="score")
    options: dict[str, Any] = {"names": ("ContractionExpansions",), "unaugmented": "drop"}
    store = _store(table, tiny_backbone, tmp_path / "s", task, **options)
    everything = _store(table, tiny_backbone, tmp_path / "all", task)
    assert store.labels is not None
    assert store.task_labels is not None
    assert everything.task_labels is not None
    assert 2 <= len(store) < 100
    rows = {tuple(everything.views["original"].row(row).tolist()): everything.task_labels[row] for row in range(160)}
    assert store.task_labels.tolist() == [rows[tuple(store.views["original"].row(row).tolist())] for row in range(len(store))]
    # Both labels side by side, the task's first.
    assert StoreCollator(store, 0)([0, 1])["label"].tolist() == [[pytest.approx(float(store.task_labels[row])), 0.0] for row in (0, 1)]


@pytest.mark.parametrize(
    ("kind", "label", "message"),
    [
        ("regression", "abc", r"t.csv, line 3: 'abc' in column y is not a number"),
        ("regression", "nan", r"t.csv, line 3: 'nan' in column y is not a number"),
        ("regression", "3,8", r"t.csv, line 3: '3,8' in column y is not a number"),
        ("regression", "", r"t.csv, line 3: no label in column y"),
        ("classification", " ", r"t.csv, line 3: no label in column y"),
        ("classification", "1", r"all rows have the label '1' in column y"),
        ("classification", "c", r"each of the 3 rows has a class of its own in column y"),
    ],
)
def test_a_label_that_cannot_be_is_named_with_its_place(kind: Any, label: str, message: str, tiny_backbone: Path, tmp_path: Path) -> None:
    others = ["1", "1"] if label != "c" else ["a", "b"]
    with (tmp_path / "t.csv").open("w", encoding="utf-8", newline="") as file:
        rows = [["A cat sat.", others[0]], ["A dog ran.", label], ["A bird flew.", others[1]]]
        csv.writer(file).writerows([["text", "y"], *rows])
    with pytest.raises(UserError, match=message) as caught:
        _store(tmp_path / "t.csv", tiny_backbone, tmp_path / "s", TaskSection(kind=kind, label="y"))
    assert "\n" not in str(caught.value)
    assert not (tmp_path / "s").exists()


class Killed(Exception):
    """Stands in for SIGKILL."""


def _run(folder: Path, corpus: Path, backbone: Path, recipe: str, kill_at: int = 0, **more: Any) -> Any:
    def advance(step: int, figures: object) -> None:
        if step == kill_at and not figures:
            raise Killed

    settings = {"batch_size": 20, "max_steps": 8, "epochs": 2, "checkpoint_every_steps": 3, "corpus.columns.original": "text", **more}
    watcher = Watcher(advance=advance)
    return train(recipe, corpus=corpus, output=folder, model=str(backbone), workers=1, dev="none", watcher=watcher, **settings)


CASES = {
    "classification beside simcse": ("simcse-mini", CLASSIFICATION),
    "a pair's regression beside augcse": ("augcse-mini", {**REGRESSION, "augmentation.names": ["RandomSwap", "RandomDeletion"]}),
    "a pair's classification beside esimcse": ("esimcse-mini", {**CLASSIFICATION, "task.pair": "partner", "objective.neg_size": 30}),
}


@pytest.mark.parametrize("case", CASES)
def test_a_killed_run_ends_with_the_same_bits_and_its_head_is_not_in_the_model(
    case: str, table: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    recipe, settings = CASES[case]
    whole = _run(tmp_path / "whole", table, tiny_backbone, recipe, **settings)
    with pytest.raises(Killed):
        _run(tmp_path / "killed", table, tiny_backbone, recipe, kill_at=7, **settings)
    resumed = _run(tmp_path / "killed", table, tiny_backbone, recipe, resume=True, **settings)
    first, second = (_weights(run.folder / "checkpoints" / "checkpoint-8") for run in (whole, resumed))
    assert set(first) == set(second)
    assert [name for name in first if not torch.equal(first[name], second[name])] == []
    heads = load_file(whole.folder / "checkpoints" / "checkpoint-8" / "loss.safetensors")
    assert "classifier.weight" in heads
    assert not any(name.startswith(("model.", "contrastive.model.")) for name in heads)
    model = load_file(whole.model / "model.safetensors")
    assert not any("classifier" in name for name in model)
    assert "supervised" in {key for entry in whole.record["curves"] for key in entry}
    assert f"with a {settings['task.kind']} of column {settings['task.label']}" in (whole.model / "README.md").read_text("utf-8")


def _weights(checkpoint: Path) -> dict[str, torch.Tensor]:
    return load_file(checkpoint / "model.safetensors") | load_file(checkpoint / "loss.safetensors")


@pytest.mark.parametrize("kind", ["classification", "regression"])
def test_the_first_step_is_the_textbooks(kind: str, table: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    """Without dropout and with next to no learning rate, the logged loss is the head's on the vectors of the saved model."""
    path = tmp_path / "eight.csv"
    path.write_text("".join(table.read_text("utf-8").splitlines(keepends=True)[:9]), "utf-8")
    task = {**(CLASSIFICATION if kind == "classification" else REGRESSION), "task.weight": 0.5}
    still = {"batch_size": 8, "max_steps": 1, "learning_rate": 1e-12, "log_every_steps": 1, "model.dropout_rate": 0.0, "precision": "fp32"}
    run = _run(tmp_path / "run", path, tiny_backbone, "simcse-mini", **{**still, **task})
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    head = load_file(run.folder / "checkpoints" / "checkpoint-1" / "loss.safetensors")
    vectors = _vectors(run.model, [row["text"] for row in rows])
    if kind == "regression":
        others = _vectors(run.model, [row["partner"] for row in rows])
        vectors = torch.cat([vectors, others, (vectors - others).abs()], dim=1)
    scores = vectors @ head["classifier.weight"].T + head["classifier.bias"]
    if kind == "classification":
        order = ["9", "10", "contradiction", "neutral"]
        expected = -sum(scores[place].log_softmax(0)[order.index(row["class"])] for place, row in enumerate(rows)) / 8
        assert run.record["prepared"]["task"]["classes"] == order
    else:
        expected = sum((scores[place, 0] - float(row["score"])) ** 2 for place, row in enumerate(rows)) / 8
    assert run.record["curves"][0]["supervised"] == pytest.approx(0.5 * float(expected), rel=1e-3)


def _vectors(model: Path, texts: list[str]) -> torch.Tensor:
    from sentence_transformers import SentenceTransformer

    encoder = SentenceTransformer(str(model), device="cpu")
    encoder.max_seq_length = 32
    return encoder.encode(texts, convert_to_tensor=True)
