"""MixCSE's loss against a loop over its formula, and what is mixed."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from augcse.encoding.model import load_encoder
from augcse.objectives.mixcse import MixCSELoss, mix_with_next, mixed_info_nce

TEMPERATURE, MIXING = 0.3, 0.2


def _unit(row: list[float]) -> list[float]:
    length = math.sqrt(sum(value * value for value in row))
    return [value / length for value in row]


def _cosine(left: list[float], right: list[float]) -> float:
    return sum(a * b for a, b in zip(_unit(left), _unit(right), strict=True))


def _mixed(rows: list[list[float]], fidelity: str) -> list[list[float]]:
    parts = [_unit(row) for row in rows] if fidelity == "paper" else rows
    count = len(parts)
    return [[MIXING * a + (1 - MIXING) * b for a, b in zip(parts[j], parts[(j + 1) % count], strict=True)] for j in range(count)]


def _naive(anchors: list[list[float]], positives: list[list[float]], texts: list[int], both_ways: bool, fidelity: str) -> float:
    count, total = len(anchors), 0.0
    of_positives, of_anchors = _mixed(positives, fidelity), _mixed(anchors, fidelity)
    absent = 0.0 if fidelity == "paper" else 1.0
    for i in range(count):
        whole = sum(math.exp(_cosine(anchors[i], positives[j]) / TEMPERATURE) for j in range(count) if j == i or texts[j] != texts[i])
        for j in range(count):
            own_text = j != i and texts[j] == texts[i]
            counts = not own_text and texts[(j + 1) % count] != texts[i]
            whole += math.exp(_cosine(anchors[i], of_positives[j]) / TEMPERATURE) if counts else absent
            if both_ways:
                counts = not own_text and texts[(i + 1) % count] != texts[j]
                whole += math.exp(_cosine(of_anchors[i], positives[j]) / TEMPERATURE) if counts else absent
        total += (math.log(whole) - _cosine(anchors[i], positives[i]) / TEMPERATURE) / count
    return total


@settings(max_examples=40, deadline=None)
@given(
    rows=st.integers(2, 6),
    seed=st.integers(0, 999),
    repeated=st.booleans(),
    both_ways=st.booleans(),
    fidelity=st.sampled_from(["paper", "repo"]),
)
def test_the_loss_is_a_loop_over_its_formula(rows: int, seed: int, repeated: bool, both_ways: bool, fidelity: Any) -> None:
    generator = torch.Generator().manual_seed(seed)
    anchors, positives = (torch.randn(rows, 4, generator=generator, dtype=torch.float64) for _ in range(2))
    texts = torch.arange(rows)
    if repeated:
        texts[rows - 1] = 0
    same = texts[:, None] == texts[None, :]
    absent = same & ~torch.eye(rows, dtype=torch.bool)
    following = texts[:, None] == texts.roll(-1)[None, :]
    found = mixed_info_nce(anchors, positives, TEMPERATURE, MIXING, absent, following, both_ways, fidelity)
    expected = _naive(anchors.tolist(), positives.tolist(), texts.tolist(), both_ways, fidelity)
    assert found.item() == pytest.approx(expected, rel=1e-9)


def test_no_gradient_flows_through_what_is_mixed() -> None:
    rows = torch.randn(4, 3, generator=torch.Generator().manual_seed(0), requires_grad=True)
    assert not mix_with_next(rows, 0.2).requires_grad


def test_a_mixture_of_unit_vectors_lies_between_them_whatever_their_length() -> None:
    rows = torch.tensor([[10.0, 0.0], [0.0, 0.1]])
    assert torch.allclose(mix_with_next(rows, 0.2), torch.tensor([[0.2, 0.8], [0.8, 0.2]]))
    assert torch.allclose(mix_with_next(rows, 0.2, "repo"), torch.tensor([[2.0, 0.08], [8.0, 0.02]]))


def _features(seed: int = 0) -> dict[str, Tensor]:
    ids = torch.randint(5, 400, (6, 7), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def test_mixed_negatives_are_harder_than_other_rows(tiny_backbone: Path) -> None:
    """With lambda = 1 a mixture is the positive itself; the harder the negatives, the larger the loss."""
    losses = []
    for mixing in (0.0, 0.2, 0.6):
        torch.manual_seed(3)
        loss = MixCSELoss(load_encoder(str(tiny_backbone), "cls"), mixing=mixing, projection="none")
        loss.model.eval()
        losses.append(loss([_features()])["contrastive"].item())
    assert losses[0] < losses[1] < losses[2]


def test_where_repeated_texts_are_kept_a_row_is_still_not_contrasted_with_its_own_positive(tiny_backbone: Path) -> None:
    torch.manual_seed(3)
    loss = MixCSELoss(load_encoder(str(tiny_backbone), "cls"), mixing=0.0, both_ways=False, projection="none", temperature=0.05)
    loss.choose_repeated_texts("keep")
    loss.model.eval()
    with torch.no_grad():
        value = loss([_features()])["contrastive"].item()
        rows = loss.model(_features())["sentence_embedding"]
    cosines = torch.nn.functional.cosine_similarity(rows[:, None], rows[None], dim=2) / 0.05
    # Every other row twice, once as itself and once as the whole of a mixture.
    others = cosines.exp().sum(dim=1) * 2 - cosines.diagonal().exp()
    assert value == pytest.approx((others.log() - cosines.diagonal()).mean().item(), abs=1e-4)
