"""Two processes on two halves of a batch give the gradients of one process on the whole, for every objective."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from joined_batch import CASES, batch, build, state, two_steps
from safetensors.torch import load_file, save_file
from torch import nn

from augcse import train
from augcse.objectives.base import OBJECTIVES
from augcse.objectives.gather import (
    average_gradients,
    broadcast_from_first,
    gather_rows,
    launched_processes,
    max_over_processes,
    own_rows,
    sum_over_processes,
    world_size,
)
from augcse.training.checkpoints import checkpoints

RUN: dict[str, Any] = {
    "precision": "fp32",
    # So little that the fifth gradient is of nearly the same weights as the first, and does not depend on how Adam rounds.
    "learning_rate": 1e-5,
    # So high that nothing is clipped: a gradient that is a fraction of the right one stays one.
    "max_grad_norm": 1e6,
    "max_steps": 5,
    "log_every_steps": 1,
    "checkpoint_every_steps": 2,
    "model.dropout_rate": 0.0,
    # An untrained encoder's first tokens are nearly equal, and normalising their differences magnifies rounding; their means are not.
    "model.pooling": "mean",
    "objective.projection": "batchnorm",
}


def run_rank(rank: int, backbone: str, corpus: str, folder: str) -> None:
    """One of two processes: half of each batch, DDP around the encoder, its own modules averaged; then a whole training."""
    os.environ |= {"RANK": str(rank), "LOCAL_RANK": str(rank), "WORLD_SIZE": "2", "LOCAL_WORLD_SIZE": "2"}
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    for name in CASES:
        save_file(_rank_state(name, rank, backbone), f"{folder}/{name}-{rank}.safetensors")
    train("simcse-mini", corpus=corpus, output=f"{folder}/two", model=backbone, batch_size=10, workers=1, **RUN)
    torch.distributed.destroy_process_group()


def _rank_state(name: str, rank: int, backbone: str) -> dict[str, torch.Tensor]:
    loss = build(name, backbone)
    own = list(loss.parameters())
    encoder = {id(parameter) for parameter in loss.model.parameters()}
    wrapped = nn.parallel.DistributedDataParallel(loss.model, find_unused_parameters=True, broadcast_buffers=False)
    loss.model = wrapped  # type: ignore[assignment]
    if name == "joint":
        loss.contrastive.model = wrapped  # type: ignore[union-attr]
    if name == "discriminated":
        loss.inner.model = wrapped  # type: ignore[union-attr]
    terms = two_steps(loss, name, rank)
    average_gradients([parameter for parameter in own if id(parameter) not in encoder])
    return {key: value.contiguous() for key, value in (state(loss) | terms).items()}


@pytest.fixture(scope="module")
def two_processes(tiny_backbone: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Run all cases in one pair of processes, since a process takes long to start; returns where they left their results."""
    folder = tmp_path_factory.mktemp("ranks")
    # Processes of their own: sockets, over which they speak, are blocked in this one.
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import test_gather; test_gather.run_rank("
    commands = [f"{code}{rank}, {str(tiny_backbone)!r}, {str(corpus)!r}, {str(folder)!r})" for rank in (0, 1)]
    running = [subprocess.Popen([sys.executable, "-c", command], stderr=subprocess.PIPE, text=True) for command in commands]
    try:
        for process in running:
            _, error = process.communicate(timeout=1800)
            assert process.returncode == 0, error[-4000:]
    finally:
        for process in running:
            process.kill()
    return folder


def mean_gradients(checkpoint: Path) -> dict[str, torch.Tensor]:
    """Return Adam's running mean of the gradient of each parameter.

    Weights are no measure of a gather: Adam makes a full step of a gradient that is rounding alone, and the same step of a gradient
    and of half of it.
    """
    moments = load_file(checkpoint / "optimizer.safetensors")
    return {name: moment for name, moment in moments.items() if name.endswith(".exp_avg")}


@pytest.mark.parametrize("name", CASES)
def test_two_ranks_give_the_gradients_of_one_on_the_joined_batch(name: str, tiny_backbone: Path, two_processes: Path) -> None:
    loss = build(name, str(tiny_backbone))
    terms = two_steps(loss, name, None)
    expected = state(loss) | terms
    if "experts" in name:  # its queue is drawn by the process of rank 0
        expected = {key: value for key, value in expected.items() if "queue" not in key or key == "buffer queued"}
    assert any(key.startswith("model.") and value.abs().max() > 1e-4 for key, value in expected.items())
    for rank in (0, 1):
        found = load_file(two_processes / f"{name}-{rank}.safetensors")
        assert set(found) >= set(expected)
        for key, value in expected.items():
            error, scale = (found[key] - value).abs().max(), value.abs().max()
            assert error <= 1e-7 + 1e-5 * scale, (key, error, scale)


@pytest.mark.parametrize("name", [name for name in CASES if name.startswith("esimcse")])
def test_the_queue_ends_equal_to_the_last_bit_on_every_rank(name: str, two_processes: Path) -> None:
    first, second = (load_file(two_processes / f"{name}-{rank}.safetensors") for rank in (0, 1))
    assert first["buffer queued"] == 8
    assert torch.equal(first["buffer queue"], second["buffer queue"])


def test_a_training_in_two_processes_is_one_with_twice_the_batch(
    tiny_backbone: Path, corpus: Path, two_processes: Path, tmp_path: Path
) -> None:
    run = train("simcse-mini", corpus=corpus, output=tmp_path / "one", model=str(tiny_backbone), batch_size=20, **RUN)
    record = json.loads((two_processes / "two" / "run.json").read_text("utf-8"))
    losses = [[entry["loss"] for entry in curves if "loss" in entry] for curves in (record["curves"], run.record["curves"])]
    assert losses[0] == pytest.approx(losses[1], rel=1e-3)
    assert len(losses[0]) == record["steps"] == run.record["steps"] == 5
    last_of_two, last_of_one = (checkpoints(folder / "checkpoints")[-1] for folder in (two_processes / "two", run.folder))
    found, expected = mean_gradients(last_of_two), mean_gradients(last_of_one)
    assert set(found) == set(expected)
    whole = torch.stack([gradient.norm() for gradient in expected.values()]).norm()
    errors = {name: float((found[name] - gradient).norm() / whole) for name, gradient in expected.items()}
    assert max(errors.values()) < 1e-4, sorted(errors.items(), key=lambda error: -error[1])[:5]
    assert {"generators-0.json", "generators-1.json", "loss.safetensors"} <= {file.name for file in last_of_two.iterdir()}


def test_every_registered_objective_has_a_case_and_gathers() -> None:
    tested = {name.split()[0] for name in CASES}
    assert set(OBJECTIVES.names()) <= tested, "add the objective to CASES in joined_batch.py"
    assert all(card.load().traits.gathers for card in OBJECTIVES)


def test_shares_differ_in_length_and_make_up_the_joined_batch() -> None:
    [joined, _], parts = batch("sda", None)[0], [batch("sda", rank)[0] for rank in (0, 1)]
    assert [part[0]["input_ids"].shape[1] for part in parts] == [8, 5]
    assert [part[1]["input_ids"].shape[1] for part in parts] == [5, 9]
    padded = [nn.functional.pad(part[0]["input_ids"], (0, 8 - part[0]["input_ids"].shape[1])) for part in parts]
    assert torch.equal(torch.cat(padded), joined["input_ids"])


def test_one_process_gathers_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    rows: Any = torch.ones(2, 3)
    assert gather_rows(rows) is own_rows(rows) is sum_over_processes(rows) is rows
    assert max_over_processes(3, rows.device) == 3
    average_gradients([nn.Parameter(rows)])
    broadcast_from_first([rows])
    assert launched_processes() == world_size() == 1
    monkeypatch.setenv("WORLD_SIZE", "4")
    assert launched_processes() == 4
