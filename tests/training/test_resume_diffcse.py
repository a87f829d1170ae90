"""Killed and resumed DiffCSE ends with the same bits: discriminator, head and projection restored, the generator loaded again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from augcse import train
from augcse.training.checkpoints import checkpoints
from augcse.training.watcher import Watcher

STEPS = 8


class Killed(Exception):
    """Stands in for SIGKILL: nothing of ours catches it."""


def _run(folder: Path, corpus: Path, backbone: Path, recipe: str, kill_at: int | None = None, resume: bool = False) -> Path:
    def advance(step: int, figures: object) -> None:
        if step == kill_at and not figures:
            raise Killed

    settings: dict[str, Any] = {
        "batch_size": 40, "max_steps": STEPS, "checkpoint_every_steps": 3, "learning_rate": 1e-3, "dev": "none",
        "objective.discriminator_weight": 0.1,
    }  # fmt: skip
    watcher = Watcher(advance=advance)
    train(recipe, corpus=corpus, output=folder, model=str(backbone), workers=1, resume=resume, watcher=watcher, **settings)
    return folder


def _final(folder: Path) -> dict[str, torch.Tensor]:
    last = checkpoints(folder / "checkpoints")[-1]
    assert last.name == f"checkpoint-{STEPS}"
    return load_file(last / "model.safetensors") | load_file(last / "loss.safetensors")


# One with a generator and all edits, one with a tied language-model head.
@pytest.mark.parametrize("recipe", ["diffcse-all-mini", "diffcse-corrective-lm-mini"])
def test_resumed_run_ends_bit_identical(recipe: str, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    expected = _final(_run(tmp_path / "whole", corpus, tiny_backbone, recipe))
    with pytest.raises(Killed):
        _run(tmp_path / "run", corpus, tiny_backbone, recipe, kill_at=5)
    resumed = _final(_run(tmp_path / "run", corpus, tiny_backbone, recipe, resume=True))
    assert set(expected) == set(resumed)
    assert any(name.startswith("discriminator.") for name in expected)
    assert any(name.startswith("projection.") for name in expected)
    assert not any("generator" in name for name in expected)
    assert [name for name in expected if not torch.equal(expected[name], resumed[name])] == []
