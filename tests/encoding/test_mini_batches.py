"""Gradient caching: the batch in pieces gives the loss and the gradients of the whole."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import nn

from augcse.encoding.dropout import use_fast_dropout
from augcse.encoding.mini_batches import encode_in_mini_batches
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives import AugCSELoss
from augcse.objectives.sentence_loss import SentenceLoss


def _loss(backbone: Path, rows: int, dropout_rate: float) -> SentenceLoss:
    torch.manual_seed(3)
    model = load_encoder(str(backbone), "cls")
    loss = AugCSELoss(model, 2, discriminator_weight=0.5, discriminator_dropout_rate=0.0)
    for module in model.modules():
        if isinstance(module, nn.Dropout):
            module.p = dropout_rate
    use_fast_dropout(loss)
    if rows:
        encode_in_mini_batches(model, rows)
    model.train()
    return loss


def _run(loss: SentenceLoss) -> tuple[float, dict[str, torch.Tensor]]:
    ids = torch.randint(5, 200, (2, 10, 7), generator=torch.Generator().manual_seed(1))
    views = [{"input_ids": view, "attention_mask": torch.ones_like(view)} for view in ids]
    torch.manual_seed(11)
    total = sum(loss(views, torch.arange(10) % 3).values())
    total.backward()
    return total.item(), {name: p.grad.clone() for name, p in loss.named_parameters() if p.grad is not None}


@pytest.mark.parametrize("rows", [1, 3, 4, 10])
def test_pieces_give_the_whole_batchs_loss_and_gradients(rows: int, tiny_backbone: Path) -> None:
    expected_loss, expected = _run(_loss(tiny_backbone, 0, 0.0))
    found_loss, found = _run(_loss(tiny_backbone, rows, 0.0))
    assert found_loss == pytest.approx(expected_loss, abs=1e-5)
    assert found.keys() == expected.keys()
    assert all(torch.allclose(found[name], expected[name], atol=1e-5) for name in expected)


def test_the_second_pass_sees_the_first_ones_dropout(tiny_backbone: Path) -> None:
    """By finite differences: the gradient belongs to the loss that was computed, masks and all."""
    loss = _loss(tiny_backbone, 3, 0.3)
    first, gradients = _run(loss)
    name = next(key for key in gradients if key.endswith("word_embeddings.weight"))
    parameter = dict(loss.named_parameters())[name]
    direction = gradients[name] / gradients[name].norm()
    step = 1e-3
    with torch.no_grad():
        parameter += step * direction
    second, _ = _run(loss)
    assert (second - first) / step == pytest.approx(gradients[name].norm().item(), rel=0.05)


def test_batch_normalisation_in_the_encoder_is_refused(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    model.append(nn.BatchNorm1d(32))
    with pytest.raises(UserError, match=r"statistics would be those of a mini-batch; set training\.mini_batch_size to 0"):
        encode_in_mini_batches(model, 2)


def test_evaluation_is_untouched(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    texts = [f"sentence number {number}" for number in range(7)]
    before = model.encode(texts)
    encode_in_mini_batches(model, 2)
    assert (model.encode(texts) == before).all()
