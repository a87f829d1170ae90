"""A start that a recipe builds: the same as `augcse postprocess` makes, built once, recorded, refused in a line."""

from __future__ import annotations

import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
import torch
from sentence_transformers.sentence_transformer.modules import WordWeights

from augcse import postprocess, train
from augcse.assignments import parse_assignments
from augcse.config import load_recipe
from augcse.corpus.read import read_sentences
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.report.local_files import start_model
from augcse.report.runs import load_runs
from augcse.training.record import Run
from augcse.training.run_folder import START
from augcse.training.watcher import Watcher

STEPS = ["layers:last_share=0.2", "sif:a=0.001", "whiten"]
SETTINGS: dict[str, Any] = {"batch_size": 40, "max_steps": 4, "training.precision": "fp32", "checkpoint_every_steps": 2}
PAIRS = "".join(f"{grade % 6}\tA cat sat on mat {grade}.\tThe cat was sitting on mat {grade % 4}.\n" for grade in range(12))


def _train(output: Path, corpus: Path, backbone: Path, **more: Any) -> Run:
    options = {"start.steps": STEPS, "model.bare_pooling": "mean", **SETTINGS, **more}
    return train("simcse-mini", corpus=corpus, output=output, model=str(backbone), workers=1, **options)


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("dev") / "pairs.tsv"
    path.write_text(PAIRS, "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path, dev: str) -> Run:
    return _train(tmp_path_factory.mktemp("start") / "run", corpus, tiny_backbone, dev=dev)


def _pairs_graded_by(encoder: Path, sign: int, corpus: Path, path: Path) -> str:
    """Write 30 pairs of the corpus, graded by their cosine times `sign`, and return the file's name."""
    sentences = list(dict.fromkeys(read_sentences([corpus])))[:60]
    first, second = load_encoder(str(encoder)).encode(sentences, normalize_embeddings=True).reshape(2, 30, -1)
    grades = 1 + sign * (first * second).sum(1)
    lines = (f"{grade:.8f}\t{left}\t{right}\n" for grade, left, right in zip(grades, sentences[:30], sentences[30:], strict=True))
    path.write_text("".join(lines), "utf-8")
    return str(path)


class Killed(Exception):
    """Stands in for SIGKILL."""


def test_it_is_what_postprocess_makes(run: Run, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    made = postprocess(str(tiny_backbone), corpus, output=tmp_path / "made", steps=STEPS)
    sentences = list(read_sentences([corpus]))[:50]
    found, expected = (load_encoder(str(folder)).encode(sentences) for folder in (run.folder / START, made.folder))
    assert (found == expected).all()


def test_training_begins_with_it(run: Run, tmp_path: Path, corpus: Path, tiny_backbone: Path, dev: str) -> None:
    start = load_encoder(str(run.folder / START))
    assert [type(module).__name__ for module in load_encoder(str(run.model))] == [type(module).__name__ for module in start]
    # The score before the first step is the start's.
    given = train("simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(run.folder / START), workers=1, dev=dev, **SETTINGS)
    assert run.record["before"]["dev"] == given.record["before"]["dev"]
    assert [entry for entry in run.record["curves"] if "loss" in entry] == [entry for entry in given.record["curves"] if "loss" in entry]


def test_the_gain_is_over_it_and_not_over_the_backbone(run: Run, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    # Graded by the opposite of the start's cosines, so that it scores -100 and training can only gain.
    pairs = _pairs_graded_by(run.folder / START, -1, corpus, tmp_path / "pairs.tsv")
    found = _train(tmp_path / "run", corpus, tiny_backbone, dev=pairs).record
    before, best = (found[moment]["dev"]["pairs"] for moment in ("before", "best"))
    assert before == pytest.approx(-100.0, abs=0.5)
    assert found["gain"]["difference"] == pytest.approx(best - before, abs=1e-3)


def test_the_card_does_not_state_the_weight_of_every_word(run: Run) -> None:
    [weights] = [module for module in load_encoder(str(run.model)) if isinstance(module, WordWeights)]
    card = (run.model / "README.md").read_text("utf-8")
    count = f"<{len(weights.vocab):,} entries>"
    assert f"WordWeights({{'vocab': {count}, 'word_weights': {count}, 'unknown_word_weight': 1}})" in card
    assert repr(weights.vocab[:3])[1:-1] not in card
    assert "Pooling({'embedding_dimension': 32, 'pooling_mode': 'mean'" in card


def test_where_no_step_is_better_what_is_kept_is_not_called_the_given_model(
    run: Run, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    pairs = _pairs_graded_by(run.folder / START, 1, corpus, tmp_path / "pairs.tsv")
    warnings: list[str] = []
    kept = _train(tmp_path / "run", corpus, tiny_backbone, dev=pairs, watcher=Watcher(warn=warnings.append), learning_rate=1e-3)
    assert kept.record["kept_step"] == 0
    start = f"the start that the recipe built of {tiny_backbone.name}"
    [warning] = [warning for warning in warnings if "training did not help" in warning]
    assert f"model/ holds {start}." in warning
    card = (kept.model / "README.md").read_text("utf-8")
    assert f"T{start[1:]}: none of the 4 steps scored above it on pairs." in card
    assert "as it was given" not in card


def test_the_record_names_backbone_and_steps(run: Run, tiny_backbone: Path) -> None:
    assert run.record["recipe"]["model"]["backbone"] == str(tiny_backbone)
    assert run.record["recipe"]["start"]["steps"] == tuple(STEPS)
    assert [step["name"] for step in run.record["start"]["steps"]] == ["layers", "sif", "whiten"]
    assert len(run.record["start"]["digest"]) == 64
    assert "post-processed on the same text: layers:last_share=0.2, then sif:a=0.001, then whiten" in (run.model / "README.md").read_text(
        "utf-8"
    )
    assert load_recipe(str(run.folder / "recipe.toml")).start == load_recipe("simcse-mini", {"start.steps": STEPS}).start


def test_a_report_finds_it_as_the_model_before_training(run: Run, corpus: Path, tmp_path: Path) -> None:
    # Wherever the folder has been put.
    shutil.copytree(run.folder, tmp_path / "moved")
    [found] = load_runs([tmp_path / "moved"])
    sentences = list(read_sentences([corpus]))[:5]
    assert (start_model(found).encode(sentences) == load_encoder(str(run.folder / START)).encode(sentences)).all()


def test_a_resumed_run_builds_nothing_again_and_ends_with_the_same_bytes(
    run: Run, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path
) -> None:
    def kill(done: int, figures: Any) -> None:
        if stages[-1] == "training" and done == 3 and not figures:
            raise Killed

    stages: list[str] = []
    watcher = Watcher(start=lambda stage, total: stages.append(stage), advance=kill)
    with pytest.raises(Killed):
        _train(tmp_path / "run", corpus, tiny_backbone, dev=dev, watcher=watcher)
    assert stages[0] == "building the start"
    stages.clear()
    # Its folder may be moved in between.
    (tmp_path / "run").rename(tmp_path / "moved")
    resumed = _train(
        tmp_path / "moved", corpus, tiny_backbone, dev=dev, resume=True, watcher=Watcher(start=lambda stage, total: stages.append(stage))
    )
    assert "building the start" not in stages
    files = {path.relative_to(run.model) for path in run.model.rglob("*") if path.is_file() and path.name != "README.md"}
    assert {file for file in files if (run.model / file).read_bytes() != (resumed.model / file).read_bytes()} == set()


def test_a_damaged_start_is_built_again(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    def stop(done: int, figures: Any) -> None:
        if stages[-1] == "training" and done == 3:
            raise Killed

    stages: list[str] = []
    warnings: list[str] = []
    watcher = Watcher(start=lambda stage, total: stages.append(stage), advance=stop, warn=warnings.append)
    with pytest.raises(Killed):
        _train(tmp_path / "run", corpus, tiny_backbone, watcher=watcher)
    weights = tmp_path / "run" / START / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    _train(tmp_path / "run", corpus, tiny_backbone, resume=True, watcher=Watcher(warn=warnings.append))
    assert any("start is damaged" in warning and "building it again" in warning for warning in warnings)


def test_mixes_are_of_the_start_that_was_built(corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path) -> None:
    weights = {"interpolation.weights": [0.5, 1.0], "interpolation.search": "all", "training.learning_rate": 1e-3}
    mixed = _train(tmp_path / "run", corpus, tiny_backbone, dev=dev, **weights)
    assert mixed.record["interpolation"]["curve"][0]["dev"] == mixed.record["before"]["dev"]
    card = (mixed.model / "README.md").read_text("utf-8")
    assert f"Mixes of the weights of the start that the recipe built of {tiny_backbone.name} and of the trained one:" in card
    assert "as it was given" not in card
    folder = tmp_path / "run" / START
    assert [type(module).__name__ for module in load_encoder(str(mixed.model))] == [
        type(module).__name__ for module in load_encoder(str(folder))
    ]


def test_nothing_is_fitted_on_what_is_held_out(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    held = _train(tmp_path / "held", corpus, tiny_backbone, dev="probe", **{"evaluation.held_out_sentences": 50})
    whole = _train(tmp_path / "whole", corpus, tiny_backbone)
    first, second = (load_encoder(str(made.folder / START)).encode(["One sentence."]) for made in (held, whole))
    assert not torch.allclose(torch.from_numpy(first), torch.from_numpy(second))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"start.steps": ["whitten"]}, "start.steps: unknown step 'whitten'; did you mean whiten"),
        ({"start.steps": ["whiten", "sif"]}, "start.steps: .* give sif first"),
        ({"start.steps": []}, "start.steps is"),
        ({"start.steps": ["whiten:dim=4000"]}, "start.steps: cannot whiten to 4000 dimensions"),
        ({"start.sentences": 1}, "start.sentences is 1"),
        ({"model.pooling": "cls"}, r"model.pooling is cls, and \[start\] builds a model with its own"),
    ],
)
def test_a_start_that_cannot_be_built_is_refused(
    settings: dict[str, Any], message: str, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    with pytest.raises(UserError, match=message):
        _train(tmp_path / "run", corpus, tiny_backbone, **settings)
    assert not (tmp_path / "run").exists()


def test_a_model_that_is_not_pooled_by_the_mean_can_follow_the_advice(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    load_encoder(str(tiny_backbone), "cls").save_pretrained(str(tmp_path / "cls"))
    with pytest.raises(UserError, match="pools by cls; leave the steps on tokens out") as refused:
        _train(tmp_path / "run", corpus, tmp_path / "cls")
    _, option, setting = shlex.split(str(refused.value).partition("leave the steps on tokens out")[2])
    advised = parse_assignments([setting])
    assert (option, advised) == ("--set", {"start.steps": ["whiten"]})
    made = _train(tmp_path / "run", corpus, tmp_path / "cls", **advised)
    assert [type(module).__name__ for module in load_encoder(str(made.model))] == ["Transformer", "Pooling", "Dense"]


def test_a_bare_backbone_is_advised_to_pool_by_the_mean(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"pools by cls; give --set model\.bare_pooling=mean$"):
        _train(tmp_path / "run", corpus, tiny_backbone, **{"model.bare_pooling": "cls"})


def test_another_start_is_another_run(run: Run, corpus: Path, tiny_backbone: Path, dev: str) -> None:
    with pytest.raises(UserError, match=r"start\.steps"):
        _train(run.folder, corpus, tiny_backbone, dev=dev, resume=True, **{"start.steps": ["whiten"]})
    assert json.loads((run.folder / "inputs.json").read_text("utf-8"))["recipe"]["start"]["steps"] == STEPS
