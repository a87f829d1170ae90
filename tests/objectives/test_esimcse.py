"""ESimCSE: repetition, the queue's loss, the running average."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.encoding.dropout import use_fast_dropout
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.esimcse import ESimCSELoss, repeat_tokens, repetition_limits
from augcse.objectives.info_nce import info_nce


def _batch(lengths: list[int], pad_id: int = 0) -> tuple[torch.Tensor, torch.Tensor]:
    """Rows of different ids, so that a repetition shows: row r is 2, r * 100 + 10.., 3."""
    ids = torch.full((len(lengths), max(lengths)), pad_id)
    for row, length in enumerate(lengths):
        ids[row, :length] = torch.tensor([2, *range(10 + 100 * row, 8 + 100 * row + length), 3][:length])
    return ids, (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]).long()


@settings(max_examples=60)
@given(lengths=st.lists(st.integers(2, 12), min_size=1, max_size=5), limit=st.integers(0, 12), seed=st.integers(0, 999))
def test_repetition_only_doubles_inner_tokens_in_place(lengths: list[int], limit: int, seed: int) -> None:
    ids, mask = _batch(lengths)
    limits = torch.tensor([min(limit, length - 2) for length in lengths])
    torch.manual_seed(seed)
    new_ids, new_mask = repeat_tokens(ids, mask, limits, pad_id=0)
    assert new_ids.shape == new_mask.shape
    assert new_mask.sum(dim=1).max() == new_mask.shape[1]
    for row, length in enumerate(lengths):
        kept = new_ids[row, : int(new_mask[row].sum())].tolist()
        old = ids[row, :length].tolist()
        assert 0 <= len(kept) - length <= limits[row]
        assert list(dict.fromkeys(kept)) == old
        assert max(map(kept.count, old)) <= 2
        assert kept.count(2) == kept.count(3) == 1
        assert new_ids[row, len(kept) :].eq(0).all()
        assert new_mask[row, len(kept) :].eq(0).all()


def test_number_and_places_are_uniform() -> None:
    torch.manual_seed(0)
    ids, mask = _batch([8])
    ids, mask = ids.repeat(20_000, 1), mask.repeat(20_000, 1)
    new_ids, new_mask = repeat_tokens(ids, mask, torch.full((20_000,), 3), pad_id=0)
    added = new_mask.sum(dim=1) - 8
    assert added.bincount().tolist() == pytest.approx([5000] * 4, rel=0.05)
    copies = torch.stack([(new_ids == token).sum(dim=1) - 1 for token in range(10, 16)]).float().mean(dim=1)
    assert copies.tolist() == pytest.approx([1.5 / 6] * 6, rel=0.05)


@pytest.mark.parametrize(
    ("fidelity", "length", "limit"),
    [("paper", 32, 9), ("paper", 12, 3), ("paper", 5, 2), ("paper", 3, 1), ("paper", 2, 0), ("repo", 32, 9), ("repo", 12, 2),
     ("repo", 5, 0), ("repo", 3, 0), ("repo", 64, 9), ("paper", 64, 19)],
)  # fmt: skip
def test_limits(fidelity: Any, length: int, limit: int) -> None:
    assert repetition_limits(torch.tensor([length]), 0.32, fidelity).item() == limit


def cosine(a: list[float], b: list[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / (math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b)))


@settings(max_examples=30)
@given(rows=st.integers(1, 5), queued=st.integers(0, 6), seed=st.integers(0, 999))
def test_queue_loss_equals_the_papers_sum(rows: int, queued: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    anchors, positives = torch.randn(2, rows, 4, generator=generator, dtype=torch.float64)
    queue = torch.randn(queued, 4, generator=generator, dtype=torch.float64)
    total = 0.0
    for i, anchor in enumerate(anchors.tolist()):
        terms = [math.exp(cosine(anchor, other) / 0.1) for other in [*positives.tolist(), *queue.tolist()]]
        total -= math.log(terms[i] / sum(terms))
    assert info_nce(anchors, positives, 0.1, negatives=queue).item() == pytest.approx(total / rows, rel=1e-6)


def _view(seed: int, rows: int = 4) -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 400, (rows, 9), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def _loss(backbone: Path, **options: Any) -> ESimCSELoss:
    torch.manual_seed(0)
    loss = ESimCSELoss(load_encoder(str(backbone), "cls"), **{"neg_size": 10, **options})
    use_fast_dropout(loss)
    loss.model.train()
    return loss


def test_the_average_starts_as_the_encoder_and_follows_it_slowly(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, momentum=0.9)
    pairs = list(zip(loss.average.average.parameters(), loss.model.parameters(), strict=True))
    assert all(torch.equal(average, current) for average, current in pairs)
    assert not any(average.requires_grad for average, _ in pairs)
    before = pairs[0][0].clone()
    with torch.no_grad():
        pairs[0][1].add_(1.0)
    loss([_view(0)])
    assert torch.allclose(pairs[0][0], before + 0.1, atol=1e-6)


def test_the_queue_holds_the_newest_sentences_without_dropout(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, momentum=1.0)
    for step in range(3):
        loss([_view(step)])
    assert int(loss.queued) == 10
    loss.model.eval()
    expected = torch.cat([loss.projection(loss.model(dict(_view(step)))["sentence_embedding"]) for step in (2, 1, 0)])[:10]
    assert torch.allclose(loss.queue, expected, atol=1e-5)


def test_queued_rows_are_negatives_from_the_second_step_on(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone)
    seen = []
    for step in range(4):
        loss([_view(step)])["contrastive"].backward()
        seen.append(loss.metrics["queued"].item())
    assert seen == [0, 4, 8, 10]


def test_evaluation_moves_nothing(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone)
    loss.model.eval()
    state = {name: value.clone() for name, value in loss.state_dict().items()}
    first, second = loss([_view(0)])["contrastive"], loss([_view(0)])["contrastive"]
    assert torch.equal(first, second)
    assert all(torch.equal(state[name], value) for name, value in loss.state_dict().items())


def test_without_queue_there_is_no_average(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, neg_size=0)
    assert loss.average is None
    loss([_view(0)])["contrastive"].backward()


def test_repetition_never_outgrows_the_backbone(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, neg_size=0)
    ids = torch.randint(5, 400, (4, 127))
    lengths: list[int] = []
    loss.model.register_forward_hook(lambda module, inputs, output: lengths.append(output["input_ids"].shape[1]))
    for _ in range(5):
        loss([{"input_ids": ids, "attention_mask": torch.ones_like(ids)}])
    assert max(lengths) <= 128


@pytest.mark.parametrize(
    ("options", "message"),
    [({"dup_rate": 1.2}, "dup_rate is 1.2"), ({"momentum": 2.0}, "momentum is 2"), ({"neg_size": 1.5}, "neg_size is 1.5"),
     ({"fidelity": "rep"}, "did you mean repo")],
)  # fmt: skip
def test_impossible_settings_are_refused(options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message):
        _loss(tiny_backbone, **options)
