"""Every objective's state survives a kill: step counters, momentum encoders, queues, heads, and what they draw at random."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file

from augcse.config import load_recipe
from augcse.encoding.dropout import use_fast_dropout
from augcse.encoding.model import load_encoder
from augcse.objectives.base import OBJECTIVES
from augcse.objectives.discriminated import DiscriminatedLoss
from augcse.objectives.simcse import SimCSELoss
from augcse.training.checkpoints import checkpoints
from augcse.training.fit import build_trainer
from augcse.training.store.files import StoreWriter, TokenStore
from augcse.training.watcher import Watcher

STEPS, KILL_AT = 9, 7
DISCRIMINATED = "discriminated"
OPTIONS: dict[str, dict[str, Any]] = {
    "una": {"alpha": 2},
    "una-paraphrase": {"alpha": 2, "fidelity": "repo"},
    "sda": {},
    "simcse-supervised": {},
    "simcse": {"do_mlm": True},
    "esimcse": {"neg_size": 30},
    "modals": {"method": "interpolation"},
    "pca-jitter": {},
    "sncse": {"num_augmentations": 2},
    "simcse-plus-plus": {},
    "mixcse": {},
    "documents": {"pairs": "crops", "shortest_crop_tokens": 2, "longest_crop_tokens": 4, "do_mlm": True},
    "tsdae": {"restored_share": 0.5},
    "denosent": {"decoder_layers": 1},
    "rankcse": {"teachers": ["ema"], "momentum": 0.5},
}


class Killed(Exception):
    """Stands in for SIGKILL."""


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> TokenStore:
    """40 rows with the three views, and a label each."""
    folder = tmp_path_factory.mktemp("store")
    views = ("original", "positive", "negative")
    generator = torch.Generator().manual_seed(0)
    with StoreWriter(folder, views, labelled=True) as writer:
        for view in views:
            lengths = torch.randint(5, 9, (40,), generator=generator).tolist()
            writer.append(view, [[2, *torch.randint(5, 400, (length,), generator=generator).tolist(), 3] for length in lengths])
        writer.append_labels([row % 3 for row in range(40)])
        writer.finish({})
    return TokenStore.open(folder)


@pytest.fixture(scope="module")
def backbone(tiny_backbone: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny backbone with a masked-language-model head."""
    from transformers import AutoConfig, AutoTokenizer, BertForMaskedLM

    folder = tmp_path_factory.mktemp("tiny-masked")
    torch.manual_seed(3)
    BertForMaskedLM(AutoConfig.from_pretrained(str(tiny_backbone))).save_pretrained(str(folder))
    AutoTokenizer.from_pretrained(str(tiny_backbone)).save_pretrained(str(folder))
    return folder


def _run(name: str, store: TokenStore, backbone: Path, folder: Path, kill_at: int = 0, resume: bool = False) -> dict[str, torch.Tensor]:
    def advance(step: int, figures: object) -> None:
        if step == kill_at and not figures:
            raise Killed

    settings = {"batch_size": 8, "epochs": 3, "max_steps": STEPS, "checkpoint_every_steps": 3, "learning_rate": 1e-3}
    recipe = load_recipe("simcse-mini", settings)
    torch.manual_seed(42)
    model = load_encoder(str(backbone), "cls")
    loss: Any = _discriminated(model) if name == DISCRIMINATED else OBJECTIVES.get(name).load()(model, **OPTIONS[name])
    use_fast_dropout(loss)
    trainer = build_trainer(recipe.training, loss, store, folder, "fp32", watcher=Watcher(advance=advance))
    trainer.train(resume_from_checkpoint=str(checkpoints(folder)[-1]) if resume else None)
    last = checkpoints(folder)[-1]
    assert last.name == f"checkpoint-{STEPS}"
    return load_file(last / "model.safetensors") | load_file(last / "loss.safetensors")


def _discriminated(model: Any) -> DiscriminatedLoss:
    options: dict[str, Any] = {"alpha_schedule": "dann", "warmup_share": 0.3, "rows": "balanced", "learning_rate": 1e-2}
    loss = DiscriminatedLoss(SimCSELoss(model), ("original",), 2, **options)
    loss.steps = STEPS
    return loss


@pytest.mark.parametrize("name", [*OPTIONS, DISCRIMINATED])
def test_resumed_run_ends_bit_identical(name: str, store: TokenStore, backbone: Path, tmp_path: Path) -> None:
    whole = _run(name, store, backbone, tmp_path / "whole")
    with pytest.raises(Killed):
        _run(name, store, backbone, tmp_path / "killed", kill_at=KILL_AT)
    resumed = _run(name, store, backbone, tmp_path / "killed", resume=True)
    assert set(whole) == set(resumed)
    assert [key for key in whole if not torch.equal(whole[key], resumed[key])] == []
