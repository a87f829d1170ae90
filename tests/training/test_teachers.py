"""Teachers of a run: computed once and kept, the same bytes after a resume, refused in a line where they cannot teach."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from safetensors.torch import load_file, save_file
from scipy.stats import spearmanr

from augcse import train
from augcse.corpus.read import read_sentences
from augcse.corpus.sample import sample_sentences
from augcse.encoding.model import load_encoder
from augcse.encoding.static.of_text import static_encoder
from augcse.errors import UserError
from augcse.pipeline import Run
from augcse.training.run_folder import PREPARED
from augcse.training.teachers import TEACHERS, load_teachers, rank_vectors
from augcse.training.trainer import ObjectiveTrainer
from augcse.training.watcher import Watcher

STEPS = 4
SETTINGS: dict[str, Any] = {"batch_size": 40, "max_steps": STEPS, "training.precision": "fp32", "checkpoint_every_steps": 2}


def _train(output: Path, corpus: Path, backbone: Path, teachers: list[str], **more: Any) -> Run:
    options = {**SETTINGS, "objective.teachers": teachers, **more}
    return train("rankcse-mini", corpus=corpus, output=output, model=str(backbone), workers=1, dev="none", test=(), **options)


def _vectors(folder: Path) -> np.ndarray:
    return np.load(folder / PREPARED / TEACHERS / "vectors.npy")


class Killed(Exception):
    """Stands in for SIGKILL."""


@pytest.fixture(scope="module")
def teacher(tiny_backbone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A sentence-transformers folder."""
    folder = tmp_path_factory.mktemp("teacher") / "model"
    load_encoder(str(tiny_backbone), "mean").save(str(folder))
    return folder


def test_the_product_of_two_rows_is_the_weighted_mean_of_the_teachers_cosines(
    corpus: Path, tiny_backbone: Path, teacher: Path, tmp_path: Path
) -> None:
    weights = {"objective.teacher_weights": [1.0, 3.0]}
    _train(tmp_path / "run", corpus, tiny_backbone, ["static", str(teacher)], max_steps=1, **weights)
    sentences = list(read_sentences([corpus]))
    static = static_encoder(sentences, str(tiny_backbone), {"rows": "backbone"})
    by_teacher = [model.encode(sentences, normalize_embeddings=True) for model in (static, load_encoder(str(teacher)))]
    expected = sum(share * vectors @ vectors.T for share, vectors in zip((0.25, 0.75), by_teacher, strict=True))
    found = _vectors(tmp_path / "run").astype(np.float32)
    assert found.shape == (len(sentences), sum(vectors.shape[1] for vectors in by_teacher))
    assert np.abs(found @ found.T - expected).max() < 2e-3


@given(st.integers(1, 6), st.integers(2, 30), st.integers(0, 999))
def test_products_of_rank_vectors_are_spearmans_correlations(rows: int, sentences: int, seed: int) -> None:
    cosines = np.random.Generator(np.random.PCG64(seed)).normal(size=(rows, sentences)).astype(np.float32)
    vectors = rank_vectors(cosines)
    for first in range(rows):
        for second in range(rows):
            expected = spearmanr(cosines[first], cosines[second]).statistic if sentences > 2 else None
            if expected is not None:
                assert vectors[first] @ vectors[second] == pytest.approx(expected, abs=1e-5)


def test_ranks_are_those_of_the_teachers_cosines(corpus: Path, tiny_backbone: Path, teacher: Path, tmp_path: Path) -> None:
    more = {"objective.rank_sentences": 50, "objective.ranking": "squared", "objective.ranking_weight": 0.05}
    run = _train(tmp_path / "run", corpus, tiny_backbone, [str(teacher)], max_steps=1, **more)
    sentences = list(read_sentences([corpus]))
    encoder = load_encoder(str(teacher))
    against = encoder.encode(sample_sentences(sentences, 50), normalize_embeddings=True)
    cosines = encoder.encode(sentences[:6], normalize_embeddings=True) @ against.T
    found = _vectors(run.folder).astype(np.float32)
    assert found.shape == (len(sentences), 50)
    assert found[0] @ found[5] == pytest.approx(spearmanr(cosines[0], cosines[5]).statistic, abs=0.01)
    with pytest.raises(UserError, match="rank_sentences: the ranks are computed before training"):
        _train(tmp_path / "ema", corpus, tiny_backbone, ["ema"], **more)


def test_a_resumed_run_asks_no_teacher_again_and_ends_with_the_same_bytes(
    corpus: Path, tiny_backbone: Path, teacher: Path, tmp_path: Path
) -> None:
    def kill(done: int, figures: Any) -> None:
        if stages[-1] == "training" and done == 3 and not figures:
            raise Killed

    stages: list[str] = []
    names = ["static", str(teacher)]
    whole = _train(tmp_path / "whole", corpus, tiny_backbone, names)
    killing = Watcher(start=lambda stage, total: stages.append(stage), advance=kill)
    with pytest.raises(Killed):
        _train(tmp_path / "killed", corpus, tiny_backbone, names, watcher=killing)
    assert stages == ["preparing", "teachers", "training"]
    stages.clear()
    going_on = Watcher(start=lambda stage, total: stages.append(stage))
    resumed = _train(tmp_path / "killed", corpus, tiny_backbone, names, resume=True, watcher=going_on)
    assert stages == ["preparing", "training"]
    assert resumed.record["resumed_from_steps"] == [2]
    before, after = (load_file(run.model / "model.safetensors") for run in (whole, resumed))
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_damaged_vectors_are_made_again(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    _train(tmp_path / "run", corpus, tiny_backbone, ["static"], max_steps=1)
    path = tmp_path / "run" / PREPARED / TEACHERS / "vectors.npy"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    path.write_bytes(path.read_bytes()[:-7])
    (tmp_path / "run" / "run.json").unlink()
    said: list[str] = []
    _train(tmp_path / "run", corpus, tiny_backbone, ["static"], max_steps=1, resume=True, watcher=Watcher(warn=said.append))
    assert hashlib.sha256(path.read_bytes()).hexdigest() == digest
    assert any("computing the vectors again" in line for line in said)


def test_another_teacher_is_another_run(corpus: Path, tiny_backbone: Path, teacher: Path, tmp_path: Path) -> None:
    own = shutil.copytree(teacher, tmp_path / "own")
    _train(tmp_path / "run", corpus, tiny_backbone, [str(own)], max_steps=1)
    weights = load_file(own / "model.safetensors")
    save_file({name: value * 1.5 for name, value in weights.items()}, own / "model.safetensors", metadata={"format": "pt"})
    with pytest.raises(UserError, match=r"models\.objective\.teachers\.1"):
        _train(tmp_path / "run", corpus, tiny_backbone, [str(own)], max_steps=1, resume=True)


def test_the_record_and_the_curves_say_what_was_taught(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    run = _train(tmp_path / "run", corpus, tiny_backbone, ["static"], log_every_steps=1)
    record = json.loads((run.folder / "run.json").read_text("utf-8"))
    assert record["recipe"]["objective"]["teachers"] == ["static"]
    assert record["negatives_per_anchor"] == {}
    assert all(-1 <= entry["teacher_correlation"] <= 1 for entry in record["curves"] if "loss" in entry)


def _with_nan(teacher: Path, folder: Path) -> str:
    broken = shutil.copytree(teacher, folder / "broken")
    weights = load_file(broken / "model.safetensors")
    save_file({name: torch.full_like(value, torch.nan) for name, value in weights.items()}, broken / "model.safetensors",
              metadata={"format": "pt"})  # fmt: skip
    return str(broken)


def test_a_teacher_that_cannot_teach_is_refused_before_any_work(
    corpus: Path, tiny_backbone: Path, teacher: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ObjectiveTrainer, "train", lambda *arguments, **options: pytest.fail("trained"))
    cases = {
        _with_nan(teacher, tmp_path): "embeds a sentence as NaN or infinity",
        str(tmp_path / "absent"): "no model folder",
    }
    for name, message in cases.items():
        with pytest.raises(UserError, match=message) as refused:
            _train(tmp_path / "other", corpus, tiny_backbone, [name])
        assert "\n" not in str(refused.value)
        assert not (tmp_path / "other" / PREPARED).exists()
    with pytest.raises(UserError, match="which this run writes; give another teacher, or another --output"):
        load_teachers({str(teacher): 1.0}, teacher.parent)


def test_a_text_of_another_script_is_refused_before_the_start_is_built(tiny_backbone: Path, tmp_path: Path) -> None:
    other = tmp_path / "other.txt"
    other.write_text("".join(f"去去去去去去去去 {number}\n" for number in range(200)), "utf-8")
    begun: list[str] = []
    with pytest.raises(UserError) as refused:
        train(
            "augcse-best", corpus=other, output=tmp_path / "run", model=str(tiny_backbone), workers=1, dev="none", test=(),
            watcher=Watcher(start=lambda stage, total: begun.append(stage)),
        )  # fmt: skip
    assert not begun
    assert "it was made for another script; give a model of this language (--model), pretrain one (augcse pretrain)" in str(refused.value)


def test_a_static_teacher_that_finds_another_script_later_gives_the_same_remedy(
    tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.training.teachers._CHUNK_SENTENCES", 100)
    mixed = tmp_path / "mixed.txt"
    lines = [f"Sentence number {number}." for number in range(200)] + [f"去去去去去去去去 {number}" for number in range(2_000)]
    mixed.write_text("\n".join(lines), "utf-8")
    with pytest.raises(UserError, match="made for another script; give a model of this language"):
        _train(tmp_path / "run", mixed, tiny_backbone, ["static"], batch_size=4)


def test_a_text_too_short_for_a_static_teacher_is_refused_in_a_line(tiny_backbone: Path, tmp_path: Path) -> None:
    short = tmp_path / "short.txt"
    short.write_text("".join(f"Sentence number {number}.\n" for number in range(20)), "utf-8")
    with pytest.raises(UserError, match="the teacher static: the corpus: 20 sentences that differ, and whitening needs 100") as refused:
        _train(tmp_path / "run", short, tiny_backbone, ["static"], batch_size=4)
    assert "\n" not in str(refused.value)
