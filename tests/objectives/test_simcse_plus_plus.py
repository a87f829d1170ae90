"""SimCSE++'s two terms against loops over their formulas, and that its negatives are compared without dropout."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor, nn

from augcse.encoding.dropout import use_fast_dropout
from augcse.encoding.first_token import compute_first_token_only
from augcse.encoding.mini_batches import encode_in_mini_batches
from augcse.encoding.model import load_encoder
from augcse.objectives.simcse_plus_plus import SimCSEPlusPlusLoss, dimension_contrast, off_dropout_contrast
from augcse.objectives.views import encode_without_dropout


def _rows(rows: int, dim: int, seed: int) -> Tensor:
    return torch.randn(rows, dim, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)


def _cosine(left: Tensor, right: Tensor) -> float:
    dot = sum(float(a) * float(b) for a, b in zip(left, right, strict=True))
    return dot / math.sqrt(sum(float(a) ** 2 for a in left) * sum(float(b) ** 2 for b in right))


@settings(max_examples=30, deadline=None)
@given(rows=st.integers(2, 6), seed=st.integers(0, 999), scale=st.sampled_from([0.9, 1.0]), repeated=st.booleans())
def test_off_dropout_contrast_is_a_loop_over_its_formula(rows: int, seed: int, scale: float, repeated: bool) -> None:
    first, second, clean = (_rows(rows, 4, seed + number) for number in range(3))
    left_out = torch.zeros(rows, rows, dtype=torch.bool)
    left_out[0, 1] = left_out[1, 0] = repeated
    expected = 0.0
    for i in range(rows):
        own = scale * _cosine(first[i], second[i]) / 0.3
        others = sum(math.exp(_cosine(clean[i], clean[j]) / 0.3) for j in range(rows) if j != i and not left_out[i, j])
        expected += (-own + math.log(others + math.exp(own))) / rows
    found = off_dropout_contrast(first, second, clean, clean, 0.3, scale, left_out)
    assert found.item() == pytest.approx(expected, rel=1e-9, abs=1e-12)


@settings(max_examples=20, deadline=None)
@given(rows=st.integers(2, 6), dim=st.integers(2, 5), seed=st.integers(0, 999))
def test_dimension_contrast_is_a_loop_over_its_formula(rows: int, dim: int, seed: int) -> None:
    first, second = _rows(rows, dim, seed), _rows(rows, dim, seed + 1)

    def standardised(values: Tensor) -> list[list[float]]:
        columns = []
        for column in values.T.tolist():
            mean = sum(column) / rows
            spread = math.sqrt(sum((value - mean) ** 2 for value in column) / rows + 1e-5)
            columns.append([(value - mean) / spread for value in column])
        return columns

    left, right, expected = standardised(first), standardised(second), 0.0
    for k in range(dim):
        logits = [sum(a * b for a, b in zip(left[k], right[other], strict=True)) / rows / 5.0 for other in range(dim)]
        expected -= (logits[k] - math.log(sum(map(math.exp, logits)))) / dim
    assert dimension_contrast(first, second, 5.0).item() == pytest.approx(expected, rel=1e-9)


def test_dimensions_that_say_the_same_cost_more_than_those_that_do_not() -> None:
    apart = _rows(400, 3, 0)
    alike = apart[:, :1].repeat(1, 3)
    assert dimension_contrast(apart, apart, 0.5) < dimension_contrast(alike, alike, 0.5)
    # Three equal dimensions cannot be told apart.
    assert dimension_contrast(alike, alike, 0.5).item() == pytest.approx(math.log(3))


def _features() -> dict[str, Tensor]:
    ids = torch.randint(5, 400, (6, 7), generator=torch.Generator().manual_seed(0))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def _loss(backbone: Path, **options: Any) -> SimCSEPlusPlusLoss:
    torch.manual_seed(3)
    loss = SimCSEPlusPlusLoss(load_encoder(str(backbone), "cls"), projection="none", **options)
    for module in loss.modules():
        if isinstance(module, nn.Dropout):
            module.p = 0.3
    use_fast_dropout(loss)
    loss.train()
    return loss


@pytest.mark.parametrize("short", [False, True])
def test_negatives_are_of_a_pass_without_dropout(short: bool, tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone)
    with torch.no_grad():
        expected = loss.model.eval()(_features())["sentence_embedding"]
    loss.train()
    frozen = loss.model[0].auto_model.embeddings.eval()
    if short:
        assert compute_first_token_only(loss.model)
    found = encode_without_dropout(loss.model, _features())
    assert torch.allclose(found, expected, atol=1e-6)
    assert found.requires_grad
    # Every module has its own mode back.
    assert loss.model.training
    assert not frozen.training
    assert all(module.training for name, module in loss.model.named_modules() if "embeddings" not in name)


def test_without_the_third_pass_it_is_simcse(tiny_backbone: Path) -> None:
    from augcse.objectives.simcse import SimCSELoss

    torch.manual_seed(0)
    plain = _loss(tiny_backbone, off_dropout=False, dimension_weight=0.0)
    torch.manual_seed(5)
    terms = plain([_features()])
    torch.manual_seed(5)
    expected = SimCSELoss(plain.model, projection="none")([_features()])
    assert list(terms) == ["contrastive"]
    assert terms["contrastive"].item() == pytest.approx(expected["contrastive"].item(), abs=1e-5)


def test_in_mini_batches_the_third_pass_is_still_without_dropout(tiny_backbone: Path) -> None:
    """By finite differences: gradients of a pass that is computed again belong to the loss that was computed."""
    loss = _loss(tiny_backbone).double()
    encode_in_mini_batches(loss.model, 2)

    def run() -> Tensor:
        torch.manual_seed(7)
        return torch.stack(list(loss([_features()]).values())).sum()

    total = run()
    total.backward()
    weight = loss.model[0].auto_model.embeddings.word_embeddings.weight
    direction = weight.grad / weight.grad.norm()
    with torch.no_grad():
        weight += 1e-6 * direction
    after = run()
    assert (after - total).item() / 1e-6 == pytest.approx(weight.grad.norm().item(), rel=1e-3)
