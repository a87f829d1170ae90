"""Killed and resumed training ends with the same bits: encoder, projection, discriminator, optimiser."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

import augcse
from augcse import train
from augcse.cli.train import print_run
from augcse.errors import UserError
from augcse.training.checkpoints import checkpoints
from augcse.training.record import Run
from augcse.training.watcher import Watcher

STEPS = 14
# 400 sentences in batches of 40: an epoch has 10 steps, so that 14 steps cross into the second.
SETTINGS: dict[str, Any] = {
    "batch_size": 40,
    "epochs": 2,
    "max_steps": STEPS,
    "checkpoint_every_steps": 4,
    # The sums between two logs are part of a checkpoint.
    "log_every_steps": 3,
    "eval_every_steps": 5,
    "learning_rate": 1e-3,
    "objective.discriminator_weight": 0.1,
    "augmentation.names": ["RandomSwap", "RandomDeletion", "PunctuationInsertion"],
    "training.precision": "fp32",
}


class Killed(Exception):
    """Stands in for SIGKILL: nothing of ours catches it."""


def _run(folder: Path, corpus: Path, backbone: Path, kill_at: int | None = None, resume: bool = False, **more: Any) -> Path:
    def advance(step: int, figures: object) -> None:
        if step == kill_at and not figures:
            raise Killed

    watcher = Watcher(advance=advance)
    train(
        "augcse-mini", corpus=corpus, output=folder, model=str(backbone), workers=1, resume=resume, watcher=watcher,
        **{**SETTINGS, **more},
    )  # fmt: skip
    return folder


def _final(folder: Path) -> dict[str, torch.Tensor]:
    last = checkpoints(folder / "checkpoints")[-1]
    assert last.name == f"checkpoint-{STEPS}"
    return load_file(last / "model.safetensors") | load_file(last / "loss.safetensors")


def _model_bytes(folder: Path) -> dict[str, bytes]:
    """Every file of the model, by its path in it."""
    model = folder / "model"
    return {str(file.relative_to(model)): file.read_bytes() for file in model.rglob("*") if file.is_file()}


def _curves(folder: Path) -> list[dict[str, float]]:
    curves: list[dict[str, float]] = json.loads((folder / "run.json").read_text("utf-8"))["curves"]
    return curves


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> str:
    from augcse.resources import DEMO_PAIRS

    path = tmp_path_factory.mktemp("dev") / "pairs.tsv"
    path.write_text("\n".join(DEMO_PAIRS.read_text("utf-8").split("\n")[:41]), "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path, dev: str) -> Path:
    return _run(tmp_path_factory.mktemp("whole") / "run", corpus, tiny_backbone, dev=dev)


@pytest.mark.parametrize("kill_at", [3, 6, 11], ids=["before a checkpoint", "in the first epoch", "in the second"])
def test_resumed_run_ends_bit_identical(
    kill_at: int, uninterrupted: Path, corpus: Path, tiny_backbone: Path, dev: str, tmp_path: Path
) -> None:
    with pytest.raises(Killed):
        _run(tmp_path / "run", corpus, tiny_backbone, kill_at=kill_at, dev=dev)
    assert not (tmp_path / "run" / "run.json").exists()
    _run(tmp_path / "run", corpus, tiny_backbone, resume=True, dev=dev)
    expected, resumed = _final(uninterrupted), _final(tmp_path / "run")
    assert set(expected) == set(resumed)
    assert any(name.startswith("projection.") for name in expected)
    assert any(name.startswith("discriminator.") for name in expected)
    different = [name for name in expected if not torch.equal(expected[name], resumed[name])]
    assert different == []
    assert _model_bytes(tmp_path / "run") == _model_bytes(uninterrupted)
    assert _curves(tmp_path / "run") == _curves(uninterrupted)
    assert json.loads((tmp_path / "run" / "run.json").read_text("utf-8"))["resumed_from_steps"] == [kill_at // 4 * 4]


def test_the_last_model_is_the_same_too_and_knows_nothing_of_what_was_encoded(
    uninterrupted: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    whole = _run(tmp_path / "whole", corpus, tiny_backbone, dev="none")
    with pytest.raises(Killed):
        _run(tmp_path / "run", corpus, tiny_backbone, kill_at=9, dev="none")
    _run(tmp_path / "run", corpus, tiny_backbone, resume=True, dev="none")
    assert _model_bytes(tmp_path / "run") == _model_bytes(whole)
    name = "tokenizer.json"
    assert (whole / "model" / name).read_bytes() == (uninterrupted / "model" / name).read_bytes() == (tiny_backbone / name).read_bytes()
    expected = _final(uninterrupted)
    assert all(torch.equal(expected[name], value) for name, value in _final(whole).items())


def test_the_time_of_a_resumed_run_counts_from_its_last_resume(
    corpus: Path, tiny_backbone: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(Killed):
        _run(tmp_path / "run", corpus, tiny_backbone, kill_at=6, dev="none")
    record = json.loads((_run(tmp_path / "run", corpus, tiny_backbone, resume=True, dev="none") / "run.json").read_text("utf-8"))
    run = Run(tmp_path / "run", tmp_path / "run" / "model", record)
    print_run(run, quiet=False, as_json=False)
    assert f"{STEPS} steps; {record['wall_time_s'] / 60:.1f} min since the resume at step 4; model:" in capsys.readouterr().err
    print_run(replace(run, record={**record, "resumed_from_steps": []}), quiet=False, as_json=False)
    assert " min; model:" in capsys.readouterr().err


def test_another_seed_gives_other_weights(uninterrupted: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    other = _final(_run(tmp_path / "run", corpus, tiny_backbone, dev="none", seed=7))
    assert not torch.equal(other["projection.0.weight"], _final(uninterrupted)["projection.0.weight"])


def _naive_source_sha256() -> str:
    root = Path(augcse.__file__).parent
    names = [Path(folder, name) for folder, _, files in os.walk(root) if Path(folder).name != "__pycache__" for name in files]
    lines = [f"{path.relative_to(root).as_posix()} {hashlib.sha256(path.read_bytes()).hexdigest()}\n" for path in names]
    return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest()


def test_record_tells_what_was_run(uninterrupted: Path, corpus: Path) -> None:
    from augcse.files import file_sha256
    from augcse.training.record import source_sha256

    record = json.loads((uninterrupted / "run.json").read_text("utf-8"))
    assert record["corpus"] == [{"path": str(corpus), "sha256": file_sha256(corpus)}]
    assert record["recipe"]["training"]["seed"] == 42
    assert record["versions"]["torch"] == torch.__version__
    assert record["source_sha256"] == source_sha256() == _naive_source_sha256()
    assert record["steps"] == STEPS
    assert record["wall_time_s"] > 0
    assert record["peak_memory_mb"] > 100
    logged = {key for entry in record["curves"] for key in entry}
    assert {"loss", "contrastive", "discriminator", "discriminator_accuracy", "unchanged_share", "eval_pairs"} <= logged
    assert [entry["step"] for entry in record["curves"] if "eval_pairs" in entry] == [0, 5, 10, 14]


def test_the_model_has_a_card(uninterrupted: Path) -> None:
    card = (uninterrupted / "model" / "README.md").read_text("utf-8")
    assert card.startswith("---\nlibrary_name: sentence-transformers\n")
    assert "objective augcse" in card
    assert "RandomSwap" in card


def test_best_and_last_are_apart_and_the_best_is_the_model(uninterrupted: Path) -> None:
    best = json.loads((uninterrupted / "checkpoints" / "best" / "score.json").read_text("utf-8"))
    record = json.loads((uninterrupted / "run.json").read_text("utf-8"))
    scores = {entry["step"]: entry["eval_pairs"] for entry in record["curves"] if "eval_pairs" in entry}
    assert best["score"] == max(scores.values())
    assert best["score"] == scores[best["step"]]
    # What the best scored belongs to the checkpoints, not to the model that is handed on.
    assert not (uninterrupted / "model" / "score.json").exists()


def test_the_saved_model_gives_the_vectors_that_were_scored(uninterrupted: Path, dev: str) -> None:
    from sentence_transformers import SentenceTransformer

    from augcse.encoding.model import encode_distinct
    from augcse.evaluation.pairs import read_pairs
    from augcse.evaluation.tasks.sts import LoadedPairs

    pairs = LoadedPairs(read_pairs(Path(dev)))
    model = SentenceTransformer(str(uninterrupted / "model"))
    best = json.loads((uninterrupted / "checkpoints" / "best" / "score.json").read_text("utf-8"))
    assert pairs.score(*encode_distinct(model, pairs.sentences())) == pytest.approx(best["score"], abs=1e-6)


def test_an_output_in_use_is_refused(uninterrupted: Path, corpus: Path, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match="is not empty; choose another --output, or continue with --resume"):
        _run(uninterrupted, corpus, tiny_backbone)


def test_resuming_without_a_checkpoint_starts_afresh_with_a_warning(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    warnings: list[str] = []
    run = train(
        "simcse-mini", corpus=corpus, output=tmp_path / "run", model=str(tiny_backbone), resume=True,
        watcher=Watcher(warn=warnings.append), batch_size=40, max_steps=1,
    )  # fmt: skip
    assert run.record["steps"] == 1
    assert any("no checkpoint to resume from" in warning for warning in warnings)


def test_a_checkpoint_holds_safetensors_and_json_only(uninterrupted: Path) -> None:
    last = checkpoints(uninterrupted / "checkpoints")[-1]
    assert {file.suffix for file in last.rglob("*") if file.is_file()} <= {".safetensors", ".json"}
    assert (last / "optimizer.safetensors").stat().st_size > (last / "model.safetensors").stat().st_size
