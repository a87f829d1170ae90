"""Whole things to damage, made once: a tiny model, a run, an augmented corpus, a data folder."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fault import Place
from faults_models import copy_models_from

TRAIN_ON = "simcse-mini"


@pytest.fixture(scope="session")
def wholes(tmp_path_factory: pytest.TempPathFactory, tiny_backbone: Path, corpus: Path) -> dict[str, Path]:
    """What every case may point at, never written to."""
    folder = tmp_path_factory.mktemp("whole")
    model = _sentence_model(tiny_backbone, folder / "model")
    copy_models_from(model)
    return {
        "corpus": corpus,
        "model": model,
        "run": _run(folder / "run"),
        "augmented": _augmented(folder / "augmented", corpus),
        "data": _data(folder / "data"),
        "vectors": _vectors(folder / "vectors.txt"),
        "rules": _rules(folder / "rules.py"),
    }


@pytest.fixture(autouse=True)
def _no_progress_bars() -> Iterator[None]:
    """As the command itself has it: by a variable, which comes too late here, where the libraries are imported."""
    from transformers.utils import logging

    logging.disable_progress_bar()
    yield
    logging.enable_progress_bar()


@pytest.fixture
def place(wholes: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Place:
    """A fresh working folder, which is also the current one."""
    monkeypatch.chdir(tmp_path)
    return Place(work=tmp_path, **wholes)


def _sentence_model(backbone: Path, folder: Path) -> Path:
    from augcse.encoding.model import load_encoder

    load_encoder(str(backbone), "mean", "cpu").save_pretrained(str(folder), create_model_card=False)
    return folder


def _run(folder: Path) -> Path:
    from augcse.config import load_recipe
    from augcse.recipe_toml import to_toml

    recipe = load_recipe(TRAIN_ON)
    record: dict[str, Any] = {
        "recipe": recipe.model_dump(),
        "versions": {"augcse": "0.1.0"},
        "hardware": {"processor": "x86_64"},
        "precision": "fp32",
        "steps": 2,
        "wall_time_s": 1.0,
        "peak_memory_mb": 100.0,
        "curves": [{"step": 1, "contrastive": 3.0}, {"step": 2, "contrastive": 2.5, "eval_stsb_dev": 50.0}],
        "scores": {"STSB": 50.0, "avg": 50.0},
    }
    folder.mkdir()
    (folder / "run.json").write_text(json.dumps(record), "utf-8")
    (folder / "recipe.toml").write_text(to_toml(recipe), "utf-8")
    return folder


def _augmented(folder: Path, corpus: Path) -> Path:
    from augcse.augmentations.run.write import augment_corpus

    augment_corpus([corpus], ["RandomSwap"], folder)
    return folder


def _data(folder: Path) -> Path:
    """The splits of STS-B, of the right number of pairs and none of the words."""
    chance = random.Random(0)
    words = "the old mill was built near a quiet river in spring".split()
    for split, pairs in (("test", 1379), ("dev", 1500)):
        lines = [
            f"{chance.uniform(0, 5):.2f}\t{' '.join(chance.sample(words, 4))}\t{' '.join(chance.sample(words, 4))}" for _ in range(pairs)
        ]
        path = folder / "sts" / "STSB" / f"{split}.tsv"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("\n".join(lines) + "\n", "utf-8")
    return folder


def _vectors(path: Path) -> Path:
    path.write_text("the 0.1 0.2 0.3\nmill 0.2 0.1 0.5\nriver 0.4 0.2 0.1\n", "utf-8")
    return path


def _rules(path: Path) -> Path:
    path.write_text('def shout(sentence, rng, *, times: int = 1):\n    return sentence + "!" * times\n', "utf-8")
    return path
