"""`training.batches`, `training.schedule` and `objective.repeated_texts` change what they say, and nothing by default."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from accelerate.data_loader import BatchSamplerShard
from hypothesis import given, settings
from hypothesis import strategies as st
from safetensors.torch import load_file

from augcse import train
from augcse.config import load_recipe
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.training.batches import StoreBatchSampler, random_batches
from augcse.training.objective import build_objective
from augcse.training.watcher import Watcher

STEPS = 10
# The batches of an equal-length run from before there was a choice: PCG64 is the same everywhere.
LENGTHS = np.array([5, 7, 5, 6, 5, 7, 7, 5, 6, 9, 5, 5])
BEFORE = [[5, 6, 1], [7, 0, 11], [10, 2, 4], [3, 8, 9]]
PUBLISHED: dict[str, Any] = {"batches": "random", "schedule": "constant", "repeated_texts": "keep"}


@settings(max_examples=50)
@given(st.integers(0, 300), st.integers(2, 16), st.integers(0, 99))
def test_random_batches_are_full_and_hold_each_row_once(rows: int, batch_size: int, seed: int) -> None:
    batches = random_batches(rows, batch_size, np.random.default_rng(seed))
    assert [len(batch) for batch in batches] == [batch_size] * (rows // batch_size)
    found = [row for batch in batches for row in batch.tolist()]
    assert len(set(found)) == len(found)
    assert set(found) <= set(range(rows))


def test_batches_are_of_equal_length_by_default_and_those_of_before() -> None:
    assert list(StoreBatchSampler(LENGTHS, 3, seed=1)) == BEFORE


def test_at_random_a_batch_does_not_ask_for_lengths() -> None:
    lengths = np.array([5, 9] * 200)
    batches = list(StoreBatchSampler(lengths, 40, seed=1, kind="random"))
    assert all(0.2 < (lengths[batch] == 5).mean() < 0.8 for batch in batches)
    assert batches == list(StoreBatchSampler(np.full(400, 5), 40, seed=1, kind="random"))


def test_processes_share_a_random_batch_out() -> None:
    sampler = StoreBatchSampler(np.arange(40), 8, seed=1, kind="random")
    shares = [list(BatchSamplerShard(sampler, 2, rank, split_batches=True)) for rank in (0, 1)]
    assert [first + second for first, second in zip(*shares, strict=True)] == list(sampler)


def _run(folder: Path, corpus: Path, backbone: Path, recipe: str = "simcse-mini", **more: Any) -> Any:
    options = {"batch_size": 40, "max_steps": STEPS, "log_every_steps": 1, "checkpoint_every_steps": 4, "precision": "fp32"}
    return train(recipe, corpus=corpus, output=folder, model=str(backbone), workers=1, **{**options, **more})


@pytest.mark.parametrize(
    ("schedule", "expected"),
    [
        ({}, [(10 - step) / 10 for step in range(10)]),
        ({"schedule": "linear", "warmup_ratio": 0.2}, [0, 0.5, *((10 - step) / 8 for step in range(2, 10))]),
        ({"schedule": "constant"}, [1] * 10),
        ({"schedule": "constant", "warmup_ratio": 0.2}, [0, 0.5] + [1] * 8),
        ({"schedule": "cosine"}, [(1 + math.cos(math.pi * step / 10)) / 2 for step in range(10)]),
    ],
    ids=["default", "linear after a warm-up", "constant", "constant after a warm-up", "cosine"],
)
def test_the_learning_rate_follows_its_schedule(
    schedule: dict[str, Any], expected: list[float], corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    run = _run(tmp_path / "run", corpus, tiny_backbone, learning_rate=1e-3, **schedule)
    rates = [entry["learning_rate"] for entry in run.record["curves"] if "learning_rate" in entry]
    assert rates == pytest.approx([1e-3 * share for share in expected], abs=1e-9)


class Killed(Exception):
    """Stands in for SIGKILL: nothing of ours catches it."""


def test_a_run_as_published_goes_on_with_the_same_bits(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    def kill(step: int, figures: object) -> None:
        if step == 6 and not figures:
            raise Killed

    settings = {"recipe": "augcse-mini", **PUBLISHED}
    whole = _run(tmp_path / "whole", corpus, tiny_backbone, **settings)
    with pytest.raises(Killed):
        _run(tmp_path / "killed", corpus, tiny_backbone, watcher=Watcher(advance=kill), **settings)
    resumed = _run(tmp_path / "killed", corpus, tiny_backbone, resume=True, **settings)
    expected, found = (load_file(run.model / "model.safetensors") for run in (whole, resumed))
    assert [name for name in expected if not torch.equal(expected[name], found[name])] == []


def test_keeping_repeated_texts_needs_negatives_to_keep_them_among(tiny_backbone: Path) -> None:
    overrides = {"objective.contrastive_weight": 0, "objective.repeated_texts": "keep", "objective.generator": str(tiny_backbone)}
    recipe = load_recipe("diffcse-mini", overrides)
    with pytest.raises(UserError, match=r"repeated_texts is \"keep\", and with these settings the objective contrasts no sentences"):
        build_objective(recipe, load_encoder(str(tiny_backbone), "cls"))


@pytest.mark.parametrize("key", ["batches", "schedule", "repeated_texts"])
def test_an_unknown_choice_is_refused_by_its_key(key: str) -> None:
    with pytest.raises(UserError, match=rf"simcse-mini.toml with {key} set: \w+\.{key} is 'other'; give one of: "):
        load_recipe("simcse-mini", {key: "other"})
