"""Heads: the reversal's gradient by finite differences, the discriminator's two readings, Eq. 2 as a loop."""

from __future__ import annotations

import math

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.errors import UserError
from augcse.objectives.discriminator import Discriminator, augmentation_cross_entropy, reverse_gradient, shuffled_pairs
from augcse.objectives.projection import build_projection


@pytest.mark.parametrize("alpha", [-1.0, 0.0, 1.0, -10.0, 0.5])
def test_reversal_is_identity_forward_and_alpha_backward(alpha: float) -> None:
    values = torch.randn(3, 4, requires_grad=True)
    out = reverse_gradient(values, alpha)
    assert torch.equal(out, values)
    out.square().sum().backward()
    assert torch.allclose(values.grad, alpha * 2 * values.detach())


@pytest.mark.parametrize("alpha", [-1.0, 1.0, -3.0])
def test_gradient_to_the_encoder_is_alpha_times_the_slope(alpha: float) -> None:
    torch.manual_seed(0)
    discriminator = Discriminator(3, 4, alpha=alpha, dropout_rate=0.0).double()
    originals, augmented = torch.randn(5, 3).double(), torch.randn(5, 3).double()
    labels = torch.tensor([0, 1, 2, 3, 3])

    def loss_at(values: torch.Tensor) -> torch.Tensor:
        logits = discriminator(originals, values)
        targets = torch.nn.functional.one_hot(labels, 4).double()
        return torch.nn.functional.binary_cross_entropy_with_logits(logits, targets)

    augmented.requires_grad_()
    loss_at(augmented).backward()
    step = 1e-6
    for place in [(0, 0), (2, 1), (4, 2)]:
        with torch.no_grad():
            up, down = augmented.clone(), augmented.clone()
            up[place] += step
            down[place] -= step
            slope = (loss_at(up) - loss_at(down)) / (2 * step)
        assert augmented.grad[place].item() == pytest.approx(alpha * slope.item(), rel=1e-4, abs=1e-9)


@pytest.mark.parametrize("alpha", [-1.0, 0.0, 1.0])
def test_the_discriminators_own_gradient_does_not_depend_on_alpha(alpha: float) -> None:
    torch.manual_seed(0)
    discriminator = Discriminator(3, 4, alpha=alpha, dropout_rate=0.0)
    logits = discriminator(torch.ones(2, 3), torch.ones(2, 3) * 0.5)
    augmentation_cross_entropy(logits, torch.tensor([0, 3])).backward()
    gradient = discriminator.layers[1].weight.grad.clone()
    discriminator.zero_grad()
    discriminator.alpha = 1.0
    logits = discriminator(torch.ones(2, 3), torch.ones(2, 3) * 0.5)
    augmentation_cross_entropy(logits, torch.tensor([0, 3])).backward()
    assert torch.equal(gradient, discriminator.layers[1].weight.grad)


def naive_cross_entropy(logits: list[list[float]], labels: list[int]) -> float:
    """AugCSE Eq. 2, one class at a time, averaged over the batch."""
    total = 0.0
    for row, label in zip(logits, labels, strict=True):
        for place, logit in enumerate(row):
            probability = 1 / (1 + math.exp(-logit))
            truth = 1.0 if place == label else 0.0
            total -= (truth * math.log(probability) + (1 - truth) * math.log(1 - probability)) / len(row)
    return total / len(logits)


@settings(max_examples=40)
@given(rows=st.integers(1, 5), classes=st.integers(2, 6), seed=st.integers(0, 1000))
def test_equals_equation_2(rows: int, classes: int, seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    logits = torch.randn(rows, classes, generator=generator) * 3
    labels = torch.randint(0, classes, (rows,), generator=generator)
    expected = naive_cross_entropy(logits.tolist(), labels.tolist())
    # In double precision: in fp32 a small loss is the difference of larger numbers.
    assert augmentation_cross_entropy(logits.double(), labels).item() == pytest.approx(expected, rel=1e-9)


def test_paper_and_repo_widths_and_last_tanh() -> None:
    paper, repo = Discriminator(8, 13), Discriminator(8, 13, fidelity="repo")
    assert [tuple(layer.weight.shape) for layer in paper.layers if isinstance(layer, torch.nn.Linear)] == [(16, 16), (13, 16)]
    assert [tuple(layer.weight.shape) for layer in repo.layers if isinstance(layer, torch.nn.Linear)] == [(32, 16), (13, 32)]
    far = torch.full((2, 8), 1e4)
    assert repo(far, far).abs().max() <= 1.0
    assert isinstance(repo.layers[-1], torch.nn.Tanh)
    assert not isinstance(paper.layers[-1], torch.nn.Tanh)


def test_repo_loss_cannot_fall_below_its_floor() -> None:
    logits = torch.tensor([[1.0, -1.0, -1.0]])
    floor = augmentation_cross_entropy(logits, torch.tensor([0])).item()
    assert floor == pytest.approx(0.3133, abs=1e-4)


def test_batchnorm_projection_is_diffcses() -> None:
    head = build_projection("batchnorm", 8).train()
    rows = head(torch.randn(64, 8))
    assert rows.shape == (64, 8)
    assert torch.allclose(rows.mean(dim=0), torch.zeros(8), atol=1e-5)
    assert torch.allclose(rows.std(dim=0, unbiased=False), torch.ones(8), atol=1e-2)
    assert sum(parameter.numel() for parameter in head.parameters()) == 2 * 8 * 16 + 2 * 16


def test_mlp_and_none() -> None:
    assert build_projection("mlp", 4)(torch.randn(3, 4)).abs().max() < 1
    values = torch.randn(3, 4)
    assert torch.equal(build_projection("none", 4)(values), values)


def test_unknown_kinds_are_refused() -> None:
    with pytest.raises(UserError, match="unknown projection"):
        build_projection("batchnrom", 4)  # type: ignore[arg-type]
    with pytest.raises(UserError, match=r"Discriminator: fidelity is 'papre'; .*did you mean paper"):
        Discriminator(4, 3, fidelity="papre")  # type: ignore[arg-type]


@pytest.mark.parametrize(("layers", "fidelity", "widths"), [(1, "paper", []), (2, "repo", [32]), (4, "paper", [16, 16, 16])])
def test_depth_is_the_number_of_linear_layers(layers: int, fidelity: str, widths: list[int]) -> None:
    discriminator = Discriminator(8, 5, fidelity=fidelity, layers=layers)  # type: ignore[arg-type]
    shapes = [tuple(module.weight.shape) for module in discriminator.layers if isinstance(module, torch.nn.Linear)]
    assert [shape[0] for shape in shapes] == [*widths, 5]
    assert shapes[0][1] == 16
    assert sum(isinstance(module, torch.nn.Dropout) for module in discriminator.layers) == layers


@pytest.mark.parametrize(("options", "message"), [({"layers": 0}, "layers is 0"), ({"dropout_rate": 1.0}, "dropout_rate is 1")])
def test_discriminators_that_cannot_be_are_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(UserError, match=message):
        Discriminator(4, 3, **options)  # type: ignore[arg-type]


def test_pairs_are_really_exchanged_and_labelled() -> None:
    torch.manual_seed(0)
    first, second = torch.randn(2, 400, 3)
    left, right, label = shuffled_pairs(first, second)
    assert 150 < label.sum() < 250
    for row in range(400):
        expected = (second[row], first[row]) if label[row] else (first[row], second[row])
        assert torch.equal(left[row], expected[0])
        assert torch.equal(right[row], expected[1])


def test_rows_left_out_of_the_cross_entropy_do_not_count() -> None:
    logits, labels = torch.randn(5, 3), torch.tensor([0, 1, 2, 1, 0])
    chosen = torch.tensor([True, False, True, True, False])
    expected = augmentation_cross_entropy(logits[chosen], labels[chosen])
    assert augmentation_cross_entropy(logits, labels, chosen).item() == pytest.approx(expected.item())
    assert augmentation_cross_entropy(logits, labels, torch.zeros(5, dtype=torch.bool)).item() == 0.0
