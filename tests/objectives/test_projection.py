"""Projection heads: what each is made of, and the mixture of experts against a loop."""

from __future__ import annotations

import math

import pytest
import torch

from augcse.errors import UserError
from augcse.objectives.projection import BALANCE_WEIGHT, MixtureOfExperts, balance_terms, build_projection

ROWS = torch.randn(7, 6, generator=torch.Generator().manual_seed(0))


def _mixture(experts: int = 3, active: int = 2, seed: int = 0) -> MixtureOfExperts:
    torch.manual_seed(seed)
    mixture = MixtureOfExperts(6, experts, active)
    with torch.no_grad():
        mixture.preference.normal_()
        mixture.noise.normal_()
    return mixture


def test_linear_is_one_layer() -> None:
    assert isinstance(build_projection("linear", 6), torch.nn.Linear)


def test_mlp_has_as_many_layers_as_asked() -> None:
    head = build_projection("mlp:layers=3", 6)
    assert sum(isinstance(module, torch.nn.Linear) for module in head.modules()) == 3
    assert list(build_projection("mlp:layers=1:heads=1", 6).state_dict()) == list(build_projection("mlp", 6).state_dict())


def test_largest_of_the_heads_is_kept() -> None:
    head = build_projection("mlp:heads=4", 6)
    wide = torch.tanh(ROWS @ head[0].weight.T + head[0].bias)  # (7, 24): 4 values per feature, side by side
    expected = [[max(row[feature * 4 : feature * 4 + 4]) for feature in range(6)] for row in wide.tolist()]
    assert torch.allclose(head(ROWS), torch.tensor(expected), atol=1e-6)


def test_mixture_at_rest_is_the_weighted_sum_of_the_picked_in_log_space() -> None:
    mixture = _mixture().eval()
    scores = (ROWS @ mixture.preference).tolist()
    outputs = [expert(ROWS).tolist() for expert in mixture.experts]
    expected = []
    for row, values in enumerate(scores):
        picked = sorted(range(3), key=lambda expert: -values[expert])[:2]
        total = sum(math.exp(values[expert]) for expert in picked)
        expected.append(
            [math.log(sum(math.exp(values[e]) / total * math.exp(outputs[e][row][place]) for e in picked)) for place in range(6)]
        )
    assert torch.allclose(mixture(ROWS), torch.tensor(expected), atol=1e-5)


def test_one_active_expert_gives_its_own_output() -> None:
    mixture = _mixture(active=1).eval()
    best = (ROWS @ mixture.preference).argmax(dim=1)
    expected = torch.stack([mixture.experts[int(expert)](ROWS)[row] for row, expert in enumerate(best)])
    assert torch.allclose(mixture(ROWS), expected, atol=1e-5)


def test_balance_is_the_squared_variation_of_importance_and_expected_load() -> None:
    mixture = _mixture().train()
    torch.manual_seed(3)
    mixture(ROWS)
    torch.manual_seed(3)
    clean = ROWS @ mixture.preference
    spread = torch.nn.functional.softplus(ROWS @ mixture.noise) + 0.01
    noisy = clean + torch.randn_like(clean) * spread
    importance, load = [0.0] * 3, [0.0] * 3
    for row in range(7):
        values = noisy[row].tolist()
        picked = sorted(range(3), key=lambda expert: -values[expert])[:2]
        total = sum(math.exp(values[expert]) for expert in picked)
        for expert in range(3):
            importance[expert] += math.exp(values[expert]) / total if expert in picked else 0.0
            bar = sorted((value for other, value in enumerate(values) if other != expert), reverse=True)[1]
            load[expert] += 0.5 * (1 + math.erf((clean[row, expert].item() - bar) / spread[row, expert].item() / math.sqrt(2)))
    variation = sum(torch.tensor(values).var().item() / torch.tensor(values).mean().item() ** 2 for values in (importance, load))
    assert mixture.balance.item() == pytest.approx(BALANCE_WEIGHT * variation, rel=1e-4)
    assert balance_terms(mixture)["balance"] is mixture.balance
    assert balance_terms(torch.nn.Identity()) == {}


def test_gates_are_parameters_and_learn() -> None:
    mixture = _mixture().train()
    assert {"preference", "noise"} <= set(dict(mixture.named_parameters()))
    mixture(ROWS).square().sum().backward()
    assert mixture.preference.grad.abs().max() > 0
    alone = _mixture(active=1).train()
    alone(ROWS)
    alone.balance.backward()
    assert alone.preference.grad.abs().max() > 0
    assert alone.noise.grad.abs().max() > 0


@pytest.mark.parametrize(("experts", "active"), [(1, 1), (2, 2), (3, 1)])
@pytest.mark.parametrize("rows", [2, 5])
def test_mixture_is_finite_in_bf16_for_duplicate_rows(experts: int, active: int, rows: int) -> None:
    mixture = MixtureOfExperts(6, experts, active).train()
    same = torch.ones(rows, 6).requires_grad_()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        out = mixture(same * 100)
    (out.sum() + mixture.balance).backward()
    assert torch.isfinite(out).all()
    assert torch.isfinite(same.grad).all()
    assert all(torch.isfinite(parameter.grad).all() for parameter in mixture.parameters() if parameter.grad is not None)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("mpl", "did you mean mlp"),
        ("mlp:layer=2", "did you mean layers"),
        ("mlp:layers=0", "whole number from 1"),
        ("mlp:heads", "whole number from 1"),
        ("batchnorm:layers=2", "unknown option of projection batchnorm"),
        ("moe:experts=2:active=3", "3 of 2 experts cannot be active"),
    ],
)
def test_specs_that_cannot_be_are_refused(spec: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        build_projection(spec, 6)
