"""MODALS and PCA jittering: definitions one row at a time, laws by their moments, and what they leave alone."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.info_nce import info_nce
from augcse.objectives.modals import MODALSLoss, hard_neighbours, move
from augcse.objectives.pca_jitter import PCAJitterLoss, jittered, pca_noise

METHODS = ["interpolation", "extrapolation", "linear", "gaussian"]


def _rows(rows: int = 6, dim: int = 4, seed: int = 0) -> torch.Tensor:
    return torch.randn(rows, dim, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("method", METHODS)
def test_magnitude_0_moves_nothing(method: Any) -> None:
    assert torch.equal(move(_rows(), _rows(), method, 0.0), _rows())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("rows", [1, 2, 40])
def test_finite_for_few_and_for_equal_rows(method: Any, rows: int) -> None:
    values = torch.ones(rows, 3).requires_grad_()
    moved = move(values, values, method, 0.5)
    moved.square().sum().backward()
    assert torch.isfinite(moved).all()
    assert torch.isfinite(values.grad).all()


def test_extrapolation_leaves_the_centre() -> None:
    values = _rows()
    expected = [[x + 0.3 * (x - m) for x, m in zip(row, values.mean(dim=0).tolist(), strict=True)] for row in values.tolist()]
    assert torch.allclose(move(values, values, "extrapolation", 0.3), torch.tensor(expected), atol=1e-6)


def test_interpolation_goes_part_of_the_way_to_another_row() -> None:
    values = _rows()
    targets = (move(values, values, "interpolation", 0.25) - values) / 0.25 + values
    distances = torch.cdist(targets, values)
    assert distances.min(dim=1).values.max() < 1e-5
    assert (distances.argmin(dim=1) != torch.arange(6)).all()


def test_the_neighbour_is_the_most_alike_of_those_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.objectives.modals.CANDIDATE_SHARE", 0.8)
    pool = torch.tensor([[4.0, 1], [4, 1.5], [-4, 0], [-4, -1], [0, -1.5]])
    centred = pool - pool.mean(dim=0)
    cosines = torch.nn.functional.cosine_similarity(centred[:, None], centred[None], dim=-1).fill_diagonal_(-2)
    assert hard_neighbours(pool, pool).tolist() == cosines.argmax(dim=1).tolist()


def test_far_rows_are_drawn_in_proportion_to_the_exponential_of_their_distance() -> None:
    pool = torch.tensor([[0.0, 0], [1, 0], [-1, 0], [0, 2], [0, -2]])
    torch.manual_seed(0)
    drawn = torch.stack([hard_neighbours(pool, pool)[0] for _ in range(4000)]).bincount(minlength=5) / 4000
    weights = torch.tensor([0.0, 1, 1, 2, 2]).exp()
    weights[0] = 0
    assert drawn.tolist() == pytest.approx((weights / weights.sum()).tolist(), abs=0.03)


def test_linear_adds_the_difference_of_two_rows() -> None:
    values = _rows(5)
    steps = (move(values, values, "linear", 0.5) - values) / 0.5
    differences = (values[:, None] - values[None]).flatten(0, 1)
    assert torch.cdist(steps, differences).min(dim=1).values.max() < 1e-5
    assert (steps.norm(dim=1) > 0).all()


def test_gaussian_has_the_pools_deviation_per_dimension() -> None:
    torch.manual_seed(0)
    values = torch.randn(20_000, 3) * torch.tensor([1.0, 5.0, 0.2])
    noise = move(values, values, "gaussian", 0.5) - values
    assert noise.std(dim=0).tolist() == pytest.approx([0.5, 2.5, 0.1], rel=0.05)
    assert noise.mean(dim=0).abs().max() < 0.1


def test_the_pool_is_a_constant_to_the_gradient() -> None:
    values = _rows().requires_grad_()
    move(values, values, "extrapolation", 0.3).sum().backward()
    assert torch.allclose(values.grad, torch.full_like(values, 1.3))


@settings(max_examples=30)
@given(length=st.integers(1, 6), dim=st.integers(2, 5), padding=st.integers(0, 3), seed=st.integers(0, 999))
def test_noise_is_the_papers_sum_over_principal_directions(length: int, dim: int, padding: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    tokens = torch.randn(1, length + padding, dim, generator=generator, dtype=torch.float64)
    mask = (torch.arange(length + padding) < length).long()[None]
    z = torch.randn(1, dim, generator=generator, dtype=torch.float64)
    real = tokens[0, :length]
    norm = real.norm()
    scaled = real / norm
    centred = scaled - scaled.mean(dim=0)
    values, vectors = torch.linalg.eigh(centred.T @ centred / max(length - 1, 1))
    amounts = vectors.T @ z[0]
    expected = sum(amounts[k] * values[k] * vectors[:, k] for k in range(dim)) * norm
    assert torch.allclose(pca_noise(tokens, mask, z)[0], expected, atol=1e-10)


def test_amounts_along_the_directions_are_independent_normals() -> None:
    torch.manual_seed(0)
    tokens = torch.randn(1, 6, 3).expand(20_000, -1, -1)
    scaled = tokens[0] / tokens[0].norm()
    values, vectors = torch.linalg.eigh(torch.cov(scaled.T))
    noise = pca_noise(tokens, torch.ones(20_000, 6), 0.1 * torch.randn(20_000, 3)) / tokens[0].norm()
    amounts = noise @ vectors / values
    assert torch.allclose(torch.cov(amounts.T), 0.01 * torch.eye(3), atol=5e-4)


def _view(seed: int = 0, rows: int = 4) -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 400, (rows, 7), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


def test_only_real_tokens_of_the_second_view_are_moved(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    model.eval()
    layer = model[0].auto_model.embeddings
    ids = torch.cat([_view()["input_ids"]] * 2)
    mask = torch.ones_like(ids)
    mask[:, 5:] = 0
    plain = layer(ids)
    with jittered(layer, mask, slice(4, 8), 5.0):
        moved = layer(ids)
    assert torch.equal(moved[:4], plain[:4])
    assert torch.equal(moved[4:, 5:], plain[4:, 5:])
    assert ((moved - plain)[4:, :5].abs().sum(dim=2) > 0).all()
    # One vector per sentence.
    assert torch.allclose((moved - plain)[4:, :1].expand(-1, 5, -1), (moved - plain)[4:, :5], atol=1e-5)
    assert torch.equal(layer(ids), plain)


@pytest.mark.parametrize(("loss_class", "options"), [(MODALSLoss, {"magnitude": 0.5}), (PCAJitterLoss, {"deviation": 100.0})])
def test_noise_is_in_training_only(loss_class: Any, options: dict[str, Any], tiny_backbone: Path) -> None:
    loss = loss_class(load_encoder(str(tiny_backbone), "cls"), projection="none", **options)
    loss.model.eval()
    view = loss.model(dict(_view()))["sentence_embedding"]
    assert loss([_view()])["contrastive"].item() == pytest.approx(info_nce(view, view, 0.05).item(), rel=1e-4)
    for module in loss.model.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    loss.model.train()
    assert loss([_view()])["contrastive"].item() != pytest.approx(info_nce(view, view, 0.05).item(), rel=1e-4)


@pytest.mark.parametrize(
    ("loss_class", "options", "message"),
    [
        (MODALSLoss, {"method": "liner"}, "did you mean linear"),
        (MODALSLoss, {"magnitude": 2}, "magnitude is 2"),
        (MODALSLoss, {"temperature": 0}, "temperature is 0"),
        (PCAJitterLoss, {"deviation": -1}, "deviation is -1"),
    ],
)
def test_impossible_settings_are_refused(loss_class: Any, options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message):
        loss_class(load_encoder(str(tiny_backbone), "cls"), **options)
