"""How many weights are counted of a model, of its training, and of what only lies beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from torch import nn

from augcse.encoding.model import load_encoder
from augcse.objectives import AugCSELoss, DiffCSELoss, ESimCSELoss, SimCSELoss
from augcse.objectives.weights import count_weights


def _loss(backbone: Path, kind: type[Any], **options: Any) -> Any:
    torch.manual_seed(0)
    return kind(load_encoder(str(backbone), "cls"), **options)


def _size(module: nn.Module) -> int:
    return sum(tensor.numel() for tensor in module.state_dict().values())


def test_a_loss_without_a_head_trains_what_it_keeps(tiny_backbone: Path) -> None:
    counts = count_weights(_loss(tiny_backbone, SimCSELoss, projection="none"))
    assert counts.model == counts.trained == counts.held > 0


def test_heads_are_trained_and_not_kept(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, AugCSELoss, num_augmentations=3, projection="mlp")
    counts = count_weights(loss)
    assert counts.trained - counts.model == _size(loss.projection) + _size(loss.discriminator) > 0


def test_a_frozen_generator_is_held_and_not_trained(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, DiffCSELoss, generator=str(tiny_backbone))
    counts = count_weights(loss)
    frozen = {parameter for parameter in loss.editor.parameters()}
    assert counts.held - counts.trained == sum(parameter.numel() for parameter in frozen) > 0
    # The discriminator is a copy of the encoder.
    assert counts.trained > 2 * counts.model * 0.9


def test_a_frozen_layer_is_kept_and_not_trained(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, SimCSELoss, projection="none")
    embeddings = loss.model[0].auto_model.embeddings.requires_grad_(False)
    counts = count_weights(loss)
    assert counts.model == counts.held
    assert counts.model - counts.trained == sum(parameter.numel() for parameter in embeddings.parameters())


def test_the_line_names_all_three(tiny_backbone: Path) -> None:
    counts = count_weights(_loss(tiny_backbone, ESimCSELoss))
    assert str(counts) == f"weights: {counts.model:,} of the model, {counts.trained:,} trained, {counts.held:,} held while training"


@pytest.mark.parametrize("wide", [False, True])
def test_a_shared_matrix_counts_once(tiny_backbone: Path, wide: bool) -> None:
    loss = _loss(tiny_backbone, SimCSELoss, projection="none")
    before = count_weights(loss)
    loss.tied = nn.Linear(4, 4, bias=False) if wide else loss.model[0].auto_model.embeddings.word_embeddings
    assert count_weights(loss).held - before.held == (16 if wide else 0)
