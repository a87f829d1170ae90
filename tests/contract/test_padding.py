"""One contract for every registered objective: padding changes nothing, in its loss or in its gradients.

A batch at random holds sentences of all lengths. The reference encodes each sentence alone and unpadded; what it has to give back at
padding is a number that would be noticed.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import MethodType
from typing import Any

import pytest
import torch
from teacher_rows import teacher_rows
from torch import Tensor, nn
from torch.nn import functional

from augcse.encoding.model import load_encoder
from augcse.objectives.base import OBJECTIVES, ObjectiveCard
from augcse.objectives.difference import EditDetection
from augcse.training.objective import build_objective
from mini_recipes import mini_recipe

CARDS = [pytest.param(card, id=card.name) for card in OBJECTIVES]
# Tokens per row, view by view; neither the same rows nor the same views are the longest.
LENGTHS = ((3, 9, 5, 7, 4, 9), (6, 4, 8, 5, 7, 3), (12, 3, 5, 4, 11, 6))
AT_PADDING = 1e3


def _loss(card: ObjectiveCard, backbone: Path, mini_batch_size: int = 0) -> Any:
    """Build the objective by its first mini recipe, in float64 and without dropout, in train mode."""
    torch.manual_seed(1)
    recipe = mini_recipe(card, backbone, dropout_rate=0.0, mini_batch_size=mini_batch_size)
    loss: Any = build_objective(recipe, load_encoder(str(backbone), "cls")).double()
    for module in loss.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.0
    return loss.train()


def _views(card: ObjectiveCard, loss: Any, pad_id: int = 0) -> list[dict[str, Tensor]]:
    generator = torch.Generator().manual_seed(0)
    views = []
    for lengths in LENGTHS[: len(loss.traits.views or card.views)]:
        real = torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]
        ids = torch.randint(5, 400, real.shape, generator=generator)
        views.append({"input_ids": torch.where(real, ids, pad_id), "attention_mask": real.long()})
    views[0] |= teacher_rows(card, len(LENGTHS[0]))
    return views


def _step(loss: Any, views: list[dict[str, Tensor]]) -> dict[str, Tensor]:
    """Return the terms and the gradients of one step."""
    torch.manual_seed(2)
    loss.zero_grad()
    terms = loss(views, torch.tensor([0, 1, 1, 0, 1, 0]))
    torch.stack(list(terms.values())).sum().backward()
    gradients = {name: p.grad.clone() for name, p in loss.named_parameters() if p.grad is not None}
    return {name: value.detach() for name, value in terms.items()} | gradients


@contextmanager
def _row_by_row(loss: Any) -> Iterator[None]:
    """While open, every transformer of the loss encodes each row alone, without its padding."""
    from transformers import BertModel

    with pytest.MonkeyPatch.context() as patch:
        for model in {id(module): module for module in loss.modules() if isinstance(module, BertModel)}.values():
            patch.setattr(model, "forward", MethodType(_remember_lengths, model))
            patch.setattr(model.encoder, "forward", MethodType(_encode_rows, model.encoder))
        yield


def _remember_lengths(model: Any, *arguments: Any, attention_mask: Tensor, **options: Any) -> Any:
    # A decoder's mask says for each position where it may look; its last row sees every token that is there.
    model.encoder.causal = attention_mask.dim() == 4
    seen = attention_mask[:, 0, -1] if model.encoder.causal else attention_mask
    model.encoder.lengths = seen.sum(dim=1).tolist()
    return type(model).forward(model, *arguments, attention_mask=attention_mask, **options)


def _encode_rows(encoder: Any, hidden_states: Tensor, *arguments: Any, **options: Any) -> Any:
    from transformers.modeling_outputs import BaseModelOutputWithPastAndCrossAttentions

    rows = []
    for row, (states, length) in enumerate(zip(hidden_states, encoder.lengths, strict=True)):
        mask = torch.ones(1, 1, length, length, dtype=torch.bool).tril() if encoder.causal else None
        # A decoder adds each row's own vector, so it gets the row in every row's stead.
        copies = states[None, :length].expand(len(hidden_states) if encoder.causal else 1, -1, -1)
        found = type(encoder).forward(encoder, copies, attention_mask=mask).last_hidden_state[row if encoder.causal else 0]
        # Where only the first token is computed there is nothing to fill.
        missing = len(states) - len(found) if len(found) == length else 0
        rows.append(functional.pad(found, (0, 0, 0, missing), value=AT_PADDING))
    return BaseModelOutputWithPastAndCrossAttentions(last_hidden_state=torch.stack(rows))


def _assert_same(found: dict[str, Tensor], expected: dict[str, Tensor]) -> None:
    assert set(found) == set(expected)
    for name, value in expected.items():
        assert torch.allclose(found[name], value, rtol=1e-6, atol=1e-9), name


@pytest.mark.parametrize("card", CARDS)
def test_a_padded_batch_is_its_rows_one_by_one(card: ObjectiveCard, tiny_backbone: Path) -> None:
    loss = _loss(card, tiny_backbone)
    views = _views(card, loss)
    buffers = {name: buffer.clone() for name, buffer in loss.named_buffers()}
    found = _step(loss, views)
    for name, buffer in loss.named_buffers():
        buffer.copy_(buffers[name])
    with _row_by_row(loss):
        expected = _step(loss, views)
    _assert_same(found, expected)


@pytest.mark.parametrize("card", CARDS)
def test_what_stands_at_padding_changes_nothing(card: ObjectiveCard, tiny_backbone: Path) -> None:
    plain, other = (_loss(card, tiny_backbone) for _ in range(2))
    _assert_same(_step(plain, _views(card, plain, pad_id=77)), _step(other, _views(card, other)))


def test_padded_rows_in_mini_batches_are_the_whole_batch(tiny_backbone: Path) -> None:
    card = OBJECTIVES.get("augcse")
    whole, pieces = (_loss(card, tiny_backbone, rows) for rows in (0, 4))
    _assert_same(_step(pieces, _views(card, pieces)), _step(whole, _views(card, whole)))


def test_replaced_token_detection_is_averaged_over_real_tokens(tiny_backbone: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    card = OBJECTIVES.get("diffcse")
    loss = _loss(card, tiny_backbone)
    seen: list[Any] = []
    plain = EditDetection.forward
    monkeypatch.setattr(EditDetection, "forward", lambda *arguments: seen.append(arguments[1:3]) or plain(*arguments))
    terms = loss(_views(card, loss))
    [(edited, vectors)] = seen
    losses = []
    for ids, mask, labels, kind, vector in zip(edited.ids, edited.mask, edited.labels, edited.kinds, vectors, strict=True):
        length = int(mask.sum())
        states = loss.discriminator.encoder(ids[None, :length], mask[None, :length], vector[None])[0]
        log_shares = loss.discriminator.head(states).unflatten(1, (-1, 2))[:, kind].log_softmax(dim=1)
        losses += [-log_shares[place, int(labels[place])].item() for place in range(length)]
    # Edits insert and delete tokens, so that there are not just twice as many as before.
    assert len(losses) < edited.ids.numel()
    assert terms["discriminator"].item() == pytest.approx(loss.discriminator_weight * sum(losses) / len(losses), rel=1e-6)
