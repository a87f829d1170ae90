"""InfoNCE against a loop written from the paper's formula, and closed forms."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.objectives.info_nce import cosine_matrix, info_nce


def naive_info_nce(anchors: list[list[float]], positives: list[list[float]], temperature: float) -> float:
    """SimCSE Eq. 4, one term at a time."""

    def cosine(a: list[float], b: list[float]) -> float:
        dot = sum(x * y for x, y in zip(a, b, strict=True))
        return dot / (math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b)))

    total = 0.0
    for i, anchor in enumerate(anchors):
        scores = [math.exp(cosine(anchor, positive) / temperature) for positive in positives]
        total -= math.log(scores[i] / sum(scores))
    return total / len(anchors)


@settings(max_examples=40)
@given(rows=st.integers(1, 6), dim=st.integers(2, 5), seed=st.integers(0, 1000), temperature=st.sampled_from([0.05, 0.5, 1.0]))
def test_equals_the_papers_sum(rows: int, dim: int, seed: int, temperature: float) -> None:
    generator = torch.Generator().manual_seed(seed)
    left, right = torch.randn(2, rows, dim, generator=generator)
    expected = naive_info_nce(left.tolist(), right.tolist(), temperature)
    assert info_nce(left, right, temperature).item() == pytest.approx(expected, abs=1e-4)
    both = (expected + naive_info_nce(right.tolist(), left.tolist(), temperature)) / 2
    assert info_nce(left, right, temperature, symmetric=True).item() == pytest.approx(both, abs=1e-4)


@pytest.mark.parametrize("rows", [2, 5, 64])
def test_all_equal_embeddings_cost_log_of_the_batch(rows: int) -> None:
    same = torch.ones(rows, 4)
    assert info_nce(same, same, 0.05).item() == pytest.approx(math.log(rows), abs=1e-5)


def test_orthogonal_pairs_have_the_closed_form() -> None:
    eye = torch.eye(5)
    expected = -math.log(math.exp(2) / (math.exp(2) + 4))
    assert info_nce(eye, eye, 0.5).item() == pytest.approx(expected, abs=1e-5)


def test_scale_of_the_embeddings_does_not_matter() -> None:
    left, right = torch.randn(2, 6, 8, generator=torch.Generator().manual_seed(0))
    assert info_nce(left * 7, right * 0.01, 0.05).item() == pytest.approx(info_nce(left, right, 0.05).item(), rel=1e-4)


def test_cosines_are_torchs_own() -> None:
    left, right = torch.randn(4, 3), torch.randn(5, 3)
    expected = torch.nn.functional.cosine_similarity(left[:, None], right[None], dim=-1)
    assert torch.allclose(cosine_matrix(left, right), expected, atol=1e-6)


def test_computed_in_float32_under_autocast() -> None:
    left = torch.randn(4, 8).bfloat16().requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = info_nce(left, left, 0.05)
    assert loss.dtype == torch.float32
    loss.backward()
    assert torch.isfinite(left.grad).all()
