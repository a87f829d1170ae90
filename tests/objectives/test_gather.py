"""Two processes on two halves of a batch give the gradients of one process on the whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from torch import nn

from augcse.encoding.model import load_encoder
from augcse.objectives import AugCSELoss, SimCSELoss
from augcse.objectives.gather import average_gradients, gather_rows, world_size
from augcse.objectives.joint import JointSupervisedLoss
from augcse.objectives.sentence_loss import SentenceLoss

ROWS = 6
OBJECTIVES = ("simcse", "augcse", "joint")


def build(name: str, backbone: str) -> SentenceLoss:
    """Build a loss without dropout, the same in every process."""
    torch.manual_seed(3)
    model = load_encoder(backbone, "cls")
    loss: SentenceLoss = AugCSELoss(model, 2, discriminator_weight=0.5) if name == "augcse" else SimCSELoss(model)
    loss = JointSupervisedLoss(loss, num_labels=3) if name == "joint" else loss
    for module in loss.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    model.train()
    return loss


def batch(rows: slice) -> tuple[list[dict[str, Any]], torch.Tensor]:
    """Return a slice of the joined batch: two views and labels."""
    ids = torch.randint(5, 200, (2, ROWS, 7), generator=torch.Generator().manual_seed(1))
    views = [{"input_ids": view[rows], "attention_mask": torch.ones_like(view[rows])} for view in ids]
    return views, torch.tensor([0, 2, 1, 1, 0, 2])[rows]


def gradients(loss: nn.Module) -> dict[str, torch.Tensor]:
    """Return the gradients by name, whether DDP wraps the encoder or not."""
    return {name.replace("model.module.", "model."): p.grad.clone() for name, p in loss.named_parameters() if p.grad is not None}


def run_rank(rank: int, name: str, backbone: str, folder: str) -> None:
    """One of two processes: half the batch, DDP around the encoder, its own modules averaged."""
    torch.distributed.init_process_group("gloo", init_method=f"file://{folder}/meet", rank=rank, world_size=2)
    assert world_size() == 2
    loss = build(name, backbone)
    own = list(loss.parameters())
    encoder = {id(parameter) for parameter in loss.model.parameters()}
    loss.model = nn.parallel.DistributedDataParallel(loss.model, find_unused_parameters=True)  # type: ignore[assignment]
    if isinstance(loss, JointSupervisedLoss):
        loss.contrastive.model = loss.model
    views, labels = batch(slice(rank * ROWS // 2, (rank + 1) * ROWS // 2))
    sum(loss(views, labels).values()).backward()
    average_gradients([parameter for parameter in own if id(parameter) not in encoder])
    save_file(gradients(loss), f"{folder}/rank{rank}.safetensors")
    torch.distributed.destroy_process_group()


@pytest.mark.parametrize("name", OBJECTIVES)
def test_two_ranks_give_the_gradients_of_one_on_the_joined_batch(name: str, tiny_backbone: Path, tmp_path: Path) -> None:
    loss = build(name, str(tiny_backbone))
    views, labels = batch(slice(None))
    sum(loss(views, labels).values()).backward()
    expected = gradients(loss)
    # Processes of their own: sockets, over which they speak, are blocked in this one.
    code = f"import sys; sys.path.insert(0, {str(Path(__file__).parent)!r}); import test_gather; test_gather.run_rank("
    commands = [f"{code}{rank}, {name!r}, {str(tiny_backbone)!r}, {str(tmp_path)!r})" for rank in (0, 1)]
    running = [subprocess.Popen([sys.executable, "-c", command], stderr=subprocess.PIPE, text=True) for command in commands]
    for process in running:
        _, error = process.communicate(timeout=240)
        assert process.returncode == 0, error
    for rank in (0, 1):
        found = load_file(tmp_path / f"rank{rank}.safetensors")
        assert set(found) >= set(expected)
        for key, gradient in expected.items():
            assert torch.allclose(found[key], gradient, atol=1e-6, rtol=1e-4), key


def test_one_process_gathers_nothing() -> None:
    rows = torch.ones(2, 3)
    assert gather_rows(rows) is rows
    average_gradients([nn.Parameter(rows)])
