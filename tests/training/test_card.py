"""The card of a trained model: sentence-transformers' own, how the model was made, its scores, its paper, and no folder of the user's."""

from __future__ import annotations

import logging
import re
from pathlib import Path
from typing import Any

import pytest
from huggingface_hub import ModelCard

import augcse
from augcse.encoding.model import load_encoder
from augcse.resources import DEMO_PAIRS
from augcse.training.card import model_card
from augcse.training.record import Run

RULE = "def shout(sentence, rng):\n    return sentence.upper()\n"
# What YAML, Markdown and a terminal would take for something else.
CORPUS = "a: [b] #c | 'd' \"e\"\n---\n\x1b[31m.txt"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, sentences: list[str], tiny_backbone: Path) -> Run:
    work = tmp_path_factory.mktemp("private")
    (work / CORPUS).write_text("\n".join(sentences[:120]) + "\n", "utf-8")
    (work / "rules.py").write_text(RULE, "utf-8")
    (tiny_backbone / "README.md").write_text("---\nlicense: mit\nlanguage: [en, de]\n---\n", "utf-8")
    settings: dict[str, Any] = {"training.precision": "fp32", "augmentation.names": [f"{work / 'rules.py'}:shout", "RandomSwap"]}
    run = augcse.train(
        "augcse-mini", corpus=work / CORPUS, output=work / "run", model=str(tiny_backbone), dev=str(DEMO_PAIRS),
        test=[str(DEMO_PAIRS)], workers=1, batch_size=20, max_steps=2, **settings,
    )  # fmt: skip
    (tiny_backbone / "README.md").unlink()
    return run


def test_its_front_matter_says_what_the_hub_asks_for(run: Run) -> None:
    data = ModelCard.load(run.model / "README.md").data
    assert (data.license, data.language, data.base_model) == ("mit", ["en", "de"], None)
    assert {"augcse", "loss:AugCSELoss", "dataset_size:120"} <= set(data.tags)
    assert data.model_name == "augcse-mini"
    found = {(result.dataset_split, result.dataset_name): result.metric_value for result in data.eval_results}
    kept = run.record["best"]["dev"]["pairs"]
    assert found == {("test", "pairs"): run.record["scores"]["pairs"], ("dev", "pairs"): pytest.approx(kept, abs=1e-4)}


def test_scores_of_ones_own_pairs_are_called_what_they_measure(run: Run) -> None:
    results = ModelCard.load(run.model / "README.md").data.eval_results
    assert {(result.dataset_split, result.metric_type, result.metric_name) for result in results} == {
        (split, "spearman", "Spearman x 100") for split in ("test", "dev")
    }


def test_labels_that_chose_the_step_are_not_denied(run: Run) -> None:
    assert "from plain text, without labels (those of pairs chose what is kept): objective" in (run.model / "README.md").read_text("utf-8")
    model = load_encoder(str(run.model), device="cpu")
    assert "from plain text, without labels: objective" in model_card({**run.record, "dev": "probe"}, model)
    unscored = {"dev": "none", "best": None, "last": {**run.record["last"], "dev": {}}}
    assert "from plain text, without labels: objective" in model_card({**run.record, **unscored}, model)


def test_it_is_the_librarys_card_with_our_part(run: Run) -> None:
    card = (run.model / "README.md").read_text("utf-8")
    parts = ["# augcse-mini", "## How it was made", "## Model Details", "## Usage", "## Training Details", "## Citation"]
    places = [card.index(f"\n{part}\n") for part in parts]
    assert places == sorted(places)
    assert "@inproceedings{tang-etal-2022-augcse," in card
    assert "@inproceedings{reimers-2019-sentence-bert," in card
    assert "Augmentations: rules.py:shout, RandomSwap." in card
    assert "* Size: 120 training samples" in card
    assert run.record["corpus"][0]["sha256"] in card


def test_augmentations_that_made_no_row_are_not_stated(run: Run) -> None:
    unread = {**run.record["recipe"]["augmentation"], "positives": ["PigLatin"]}
    record = {**run.record, "recipe": {**run.record["recipe"], "augmentation": unread}}
    card = model_card(record, load_encoder(str(run.model), device="cpu"))
    assert "Augmentations: rules.py:shout, RandomSwap." in card
    assert "PigLatin" not in card


def test_nothing_of_the_model_names_a_folder_of_the_users(run: Run, tiny_backbone: Path) -> None:
    for file in run.model.rglob("*"):
        content = file.read_bytes() if file.is_file() else b""
        for private in (run.folder.parent, tiny_backbone.parent):
            assert str(private).encode() not in content, file


def test_a_corpus_name_is_one_line_of_text(run: Run) -> None:
    card = (run.model / "README.md").read_text("utf-8")
    assert "- a: [b] #c | 'd' \"e\" --- [31m.txt, SHA-256 " in card
    assert "\x1b" not in card


def test_a_hub_name_is_the_base_model_and_nothing_is_looked_up(run: Run, caplog: pytest.LogCaptureFixture) -> None:
    recipe = {**run.record["recipe"], "model": {**run.record["recipe"]["model"], "backbone": "BAAI/bge-small-en"}}
    caplog.set_level(logging.WARNING)
    card = model_card({**run.record, "recipe": recipe}, load_encoder(str(run.model), device="cpu"), {"test": {"pairs": "Spearman x 100"}})
    data = ModelCard(card).data
    assert data.base_model == ["BAAI/bge-small-en"]
    assert "[BAAI/bge-small-en](https://huggingface.co/BAAI/bge-small-en)" in card
    assert {(result.dataset_split, result.metric_type) for result in data.eval_results} == {("test", "spearman"), ("dev", "score")}
    assert caplog.text == ""


@pytest.mark.parametrize(
    ("sections", "cited"),
    [
        ({"objective": {"name": "simcse"}}, {"SimCSELoss": "gao-"}),
        ({"objective": {"name": "simcse", "discriminator": {"weight": 0.1}}}, {"SimCSELoss": "gao-", "DiscriminatedLoss": "tang-"}),
        (
            {"objective": {"name": "simcse"}, "task": {"kind": "regression", "label": "grade"}},
            {"SimCSELoss": "gao-", "JointSupervisedLoss": "tang-"},
        ),
        ({"task": {"kind": "regression", "label": "grade"}}, {"AugCSELoss, JointSupervisedLoss": "tang-"}),
    ],
    ids=["an objective alone", "a discriminator", "a task", "a task beside an objective of the same paper"],
)
def test_what_is_put_around_an_objective_is_cited_too(sections: dict[str, Any], cited: dict[str, str], run: Run) -> None:
    record = {**run.record, "recipe": {**run.record["recipe"], **sections}}
    card = model_card(record, load_encoder(str(run.model), device="cpu"))
    found = re.findall(r"^#### (.+)\n```bibtex\n@\w+\{(\w+-)", card.partition("## Citation")[2], re.MULTILINE)
    assert dict(found) == {"Sentence Transformers": "reimers-", **cited}
