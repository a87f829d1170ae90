"""SNCSE's margins against a loop over their formula, and its loss against the whole written down once more."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from augcse.config import load_recipe
from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.sncse import SNCSELoss, bidirectional_margin

COSINES = st.floats(-1, 1)
ROWS, LABELS = 5, torch.tensor([0, 1, 2, 0, 2])


@given(near=COSINES, far=COSINES, least=st.floats(0, 1), more=st.floats(0, 1))
def test_a_margin_is_paid_outside_of_its_gap_alone(near: float, far: float, least: float, more: float) -> None:
    values = [torch.tensor([value], dtype=torch.float64) for value in (near, far, least, least + more)]
    gap = near - far
    expected = least - gap if gap < least else gap - (least + more) if gap > least + more else 0.0
    assert bidirectional_margin(*values).item() == pytest.approx(expected, abs=1e-12)


def _views(seed: int = 0) -> list[dict[str, Tensor]]:
    ids = torch.randint(5, 400, (2, ROWS, 7), generator=torch.Generator().manual_seed(seed))
    return [{"input_ids": view, "attention_mask": torch.ones_like(view)} for view in ids]


def _loss(backbone: Path, **options: Any) -> SNCSELoss:
    torch.manual_seed(3)
    return SNCSELoss(load_encoder(str(backbone), "cls"), 2, projection="none", **options).double()


def _embeddings(loss: SNCSELoss, views: list[dict[str, Tensor]]) -> list[list[list[float]]]:
    return [loss.model(dict(view))["sentence_embedding"].tolist() for view in views]


def _cosine(left: list[float], right: list[float]) -> float:
    dot = sum(a * b for a, b in zip(left, right, strict=True))
    return dot / math.sqrt(sum(a * a for a in left) * sum(b * b for b in right))


@pytest.mark.parametrize("gaps", [(), [[0.02, 0.05], [0.5, 0.9]]])
def test_the_loss_is_a_loop_over_its_formula(gaps: Any, tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, temperature=0.5, soft_weight=0.7, gaps=gaps)
    loss.model.eval()  # the second pass is the first again
    originals, augmented = _embeddings(loss, _views())
    contrastive, soft = 0.0, []
    for row in range(ROWS):
        cosines = [_cosine(originals[row], originals[other]) / 0.5 for other in range(ROWS)]
        contrastive -= (cosines[row] - math.log(sum(map(math.exp, cosines)))) / ROWS
        label = int(LABELS[row])
        if label < 2:
            least, most = gaps[label] if gaps else (0.1, 0.3)
            difference = _cosine(originals[row], augmented[row]) - 1.0
            soft.append(max(0.0, difference + least) + max(0.0, -difference - most))
    terms = loss(_views(), LABELS)
    assert terms["contrastive"].item() == pytest.approx(contrastive, rel=1e-6)
    assert terms["soft_negative"].item() == pytest.approx(0.7 * sum(soft) / len(soft), rel=1e-5)
    assert sum(soft) > 0
    assert loss.metrics["unchanged_share"].item() == pytest.approx(0.4)


def test_rows_that_nothing_changed_have_no_soft_negative(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone)
    terms = loss(_views(), torch.full((ROWS,), 2))
    assert terms["soft_negative"].item() == 0
    terms["soft_negative"].backward()
    assert all(torch.isfinite(p.grad).all() for p in loss.parameters() if p.grad is not None)


def test_soft_negatives_move_away_while_they_are_nearer_than_the_gap(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, least_gap=1.0, most_gap=2.0)
    loss.model.eval()
    labels = torch.zeros(ROWS, dtype=torch.int64)
    optimizer = torch.optim.Adam(loss.parameters(), lr=1e-3)
    gaps = []
    for _ in range(3):
        optimizer.zero_grad()
        loss(_views(), labels)["soft_negative"].backward()
        optimizer.step()
        gaps.append(loss.metrics["soft_negative_gap"].item())
    assert gaps[0] < gaps[1] < gaps[2]


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"gaps": [[0.1, 0.3]]}, r"gaps has 1 pairs for 2 augmentations; give one for each, or leave it out"),
        ({"least_gap": 0.4}, r"a gap of 0\.4 at least and 0\.3 at most cannot be; give the smaller first"),
        ({"gaps": [[0.1, 0.3], [0.3, 0.2]]}, r"a gap of 0\.3 at least and 0\.2 at most cannot be"),
        ({"gaps": [[0.1, 0.3, 0.5], [0.1, 0.3]]}, r"gaps is .*; give a list, each a pair of numbers from 0 to 2"),
    ],
)
def test_gaps_that_cannot_be_are_refused_in_a_line(options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message) as refused:
        _loss(tiny_backbone, **options)
    assert "\n" not in str(refused.value)


def test_the_recipe_has_the_published_margins() -> None:
    options = load_recipe("sncse-bert").objective.options()
    assert (options["least_gap"], options["most_gap"], options["soft_weight"], options["temperature"]) == (0.1, 0.3, 1e-3, 0.05)
