"""Ranking losses against loops over their formulas, and RankCSE's terms against the whole loss written down once more."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch import Tensor

from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.option_types import parse_teacher
from augcse.objectives.rankcse import RankCSELoss, mixture
from augcse.objectives.ranking import RANKINGS, consistency
from augcse.objectives.views import TEACHER

BATCH = 5


def _lists(rows: int, seed: int, repeated: bool) -> tuple[Tensor, Tensor, Tensor]:
    """Student's and teacher's logits, and what is in no list: the own column, and for some rows another one."""
    generator = torch.Generator().manual_seed(seed)
    student, teacher = (20 * torch.rand(rows, rows, generator=generator, dtype=torch.float64) - 10 for _ in range(2))
    left_out = torch.eye(rows, dtype=torch.bool)
    if repeated and rows > 2:
        left_out[0, 1] = left_out[1, 0] = True
    return student, teacher, left_out


def _softmax(row: list[float]) -> list[float]:
    whole = sum(math.exp(value) for value in row)
    return [math.exp(value) / whole for value in row]


def _rows(*matrices: Tensor, left_out: Tensor) -> list[list[list[float]]]:
    """The listed entries of each row, matrix by matrix."""
    kept = [[place for place in range(len(left_out)) if not left_out[row, place]] for row in range(len(left_out))]
    return [[[float(matrix[row, place]) for place in kept[row]] for matrix in matrices] for row in range(len(left_out))]


def _naive(kind: str, student: Tensor, teacher: Tensor, left_out: Tensor) -> float:
    total = 0.0
    if kind == "squared":
        lists = _rows(student, teacher, left_out=left_out)
        pairs = [(s, t) for own, other in lists for s, t in zip(own, other, strict=True) if 0.5 <= t <= 0.9999]
        return sum((s - t) ** 2 for s, t in pairs) / max(len(pairs), 1)
    for own, other in _rows(student, teacher, left_out=left_out):
        p, q = _softmax(other), _softmax(own)
        if kind == "listnet":
            total -= sum(p[j] * math.log(q[j]) for j in range(len(p)))
        elif kind == "kl":
            total += sum(p[j] * math.log(p[j] / q[j]) for j in range(len(p)))
        else:
            order = sorted(range(len(other)), key=lambda j: -other[j])
            for place, j in enumerate(order):
                total -= own[j] - math.log(sum(math.exp(own[k]) for k in order[place:]))
    return total / len(student)


def test_squared_error_learns_from_pairs_that_are_alike_and_not_the_same() -> None:
    student = torch.zeros(1, 5, dtype=torch.float64)
    teacher = torch.tensor([[0.49, 0.5, 0.7, 0.9999, 1.0]], dtype=torch.float64)
    nothing = torch.zeros(1, 5, dtype=torch.bool)
    expected = (0.25 + 0.49 + 0.9999**2) / 3
    assert RANKINGS["squared"](student, teacher, nothing).item() == pytest.approx(expected, rel=1e-12)
    assert RANKINGS["squared"](student, teacher, ~nothing).item() == 0


@settings(max_examples=30, deadline=None)
@given(rows=st.integers(2, 6), seed=st.integers(0, 999), repeated=st.booleans(), kind=st.sampled_from(sorted(RANKINGS)))
def test_a_ranking_loss_is_a_loop_over_its_formula(rows: int, seed: int, repeated: bool, kind: Any) -> None:
    student, teacher, left_out = _lists(rows, seed, repeated)
    lists = (student, teacher / 10 if kind == "squared" else teacher, left_out)
    assert RANKINGS[kind](*lists).item() == pytest.approx(_naive(kind, *lists), rel=1e-9, abs=1e-12)


def _divergence(first: Tensor, second: Tensor, left_out: Tensor) -> float:
    total = 0.0
    for own, other in _rows(first, second, left_out=left_out):
        p, q = _softmax(own), _softmax(other)
        for j in range(len(p)):
            middle = (p[j] + q[j]) / 2
            total += (p[j] * math.log(p[j] / middle) + q[j] * math.log(q[j] / middle)) / 2
    return total / len(first)


@settings(max_examples=30, deadline=None)
@given(rows=st.integers(2, 6), seed=st.integers(0, 999), repeated=st.booleans())
def test_consistency_is_the_jensen_shannon_divergence(rows: int, seed: int, repeated: bool) -> None:
    first, second, left_out = _lists(rows, seed, repeated)
    left_out = left_out & ~torch.eye(rows, dtype=torch.bool)
    assert consistency(first, second, left_out).item() == pytest.approx(_divergence(first, second, left_out), rel=1e-9, abs=1e-12)


def test_consistency_is_no_negative_entropy() -> None:
    # What clamping log-probabilities at 1e-7 gives: m a constant, and the lists' entropy.
    first, second, _ = _lists(4, 0, False)
    nothing = torch.zeros(4, 4, dtype=torch.bool)
    assert consistency(first, first, nothing).item() == pytest.approx(0, abs=1e-12)
    assert 0 < consistency(first, second, nothing).item() <= math.log(2)
    assert consistency(first, second, nothing).item() == pytest.approx(consistency(second, first, nothing).item())


@pytest.mark.parametrize("kind", sorted(RANKINGS))
def test_gradients_are_finite_and_an_empty_list_gives_none(kind: Any) -> None:
    student, teacher, left_out = _lists(4, 1, True)
    # Within what the squared error learns from.
    teacher = 0.7 + teacher / 100
    left_out[2] = True
    student.requires_grad_()
    (RANKINGS[kind](student, teacher, left_out) + consistency(student, teacher, left_out & ~torch.eye(4, dtype=torch.bool))).backward()
    assert student.grad is not None
    assert torch.isfinite(student.grad).all()
    student.grad = None
    RANKINGS[kind](student, teacher, left_out).backward()
    assert (student.grad[left_out] == 0).all()
    assert (student.grad[3, :3] != 0).all()


def test_kl_and_listnet_have_the_same_gradient() -> None:
    gradients = []
    for kind in ("listnet", "kl"):
        student, teacher, left_out = _lists(5, 2, True)
        RANKINGS[kind](student.requires_grad_(), teacher, left_out).backward()  # type: ignore[index]
        gradients.append(student.grad)
    assert torch.allclose(gradients[0], gradients[1])  # type: ignore[arg-type]


def _features(seed: int = 0, teacher_dim: int | None = 7) -> dict[str, Tensor]:
    generator = torch.Generator().manual_seed(seed)
    ids = torch.randint(5, 500, (BATCH, 9), generator=generator)
    features = {"input_ids": ids, "attention_mask": torch.ones_like(ids)}
    if teacher_dim:
        vectors = torch.randn(BATCH, teacher_dim, generator=generator, dtype=torch.float64)
        features[TEACHER] = torch.nn.functional.normalize(vectors, dim=1)
    return features


def _loss(backbone: Path, **options: Any) -> RankCSELoss:
    torch.manual_seed(1)
    return RankCSELoss(load_encoder(str(backbone), "mean"), **{"teachers": ["static"], "projection": "none", **options}).double()


def _cosine(left: Tensor, right: Tensor) -> float:
    return float(left @ right / (left.norm() * right.norm()))


@pytest.mark.parametrize("ranking", sorted(RANKINGS))
def test_the_whole_loss_is_a_loop(ranking: Any, tiny_backbone: Path) -> None:
    weights = {"contrastive_weight": 0.7, "consistency_weight": 1.3, "ranking_weight": 0.4}
    loss = _loss(tiny_backbone, ranking=ranking, temperature=0.1, student_temperature=0.2, teacher_temperature=0.3, **weights)
    features = _features()
    torch.manual_seed(5)
    terms = loss.train()([features])
    torch.manual_seed(5)
    doubled = {key: torch.cat([features[key]] * 2) for key in ("input_ids", "attention_mask")}
    first, second = loss.model(doubled)["sentence_embedding"].detach().chunk(2)
    cosines = torch.tensor([[_cosine(a, b) for b in second] for a in first], dtype=torch.float64)
    taught = torch.tensor([[_cosine(a, b) for b in features[TEACHER]] for a in features[TEACHER]], dtype=torch.float64)
    eye = torch.eye(BATCH, dtype=torch.bool)
    contrastive = -sum(math.log(_softmax((cosines[i] / 0.1).tolist())[i]) for i in range(BATCH)) / BATCH
    assert terms["contrastive"].item() == pytest.approx(0.7 * contrastive, rel=1e-6)
    assert terms["consistency"].item() == pytest.approx(1.3 * _divergence(cosines / 0.1, cosines.T / 0.1, ~eye & eye), rel=1e-6)
    assert terms["distillation"].item() == pytest.approx(0.4 * _naive(ranking, cosines / 0.2, taught / 0.3, eye), rel=1e-6)


def test_without_contrast_and_consistency_one_pass_is_enough(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, contrastive_weight=0.0, consistency_weight=0.0)
    passes: list[int] = []
    loss.model.register_forward_hook(lambda module, arguments, output: passes.append(len(output["sentence_embedding"])))
    assert list(loss.train()([_features()])) == ["distillation"]
    assert passes == [BATCH]


def test_the_gradient_reaches_the_student_and_no_teacher(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, teachers=["ema", "static"], momentum=0.5)
    features = _features()
    features[TEACHER].requires_grad_()
    torch.stack(list(loss.train()([features]).values())).sum().backward()
    assert features[TEACHER].grad is None
    assert loss.average is not None
    assert all(parameter.grad is None for parameter in loss.average.parameters())
    assert loss.model[0].auto_model.embeddings.word_embeddings.weight.grad.abs().sum() > 0


def test_the_running_average_moves_in_training_alone_and_weighs_as_told(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, teachers=["ema", "static"], teacher_weights=[1.0, 3.0], momentum=0.75)
    average = loss.average
    assert average is not None
    assert loss.traits.teachers == {"static": 0.75}
    before = next(average.parameters()).clone()
    with torch.no_grad():
        next(loss.model.parameters()).add_(1.0)
    loss.model.eval()
    loss([_features()])
    assert torch.equal(next(average.parameters()), before)
    loss.model.train()
    loss([_features()])
    assert torch.allclose(next(average.parameters()), before + 0.25)
    loss.model.eval()
    features = _features()
    own = torch.nn.functional.normalize(average({key: features[key] for key in ("input_ids", "attention_mask")}), dim=1)
    given = 0.75**0.5 * features[TEACHER]
    found = loss._teacher_cosines(given, {key: features[key] for key in ("input_ids", "attention_mask")})
    assert torch.allclose(found, 0.25 * own @ own.T + 0.75 * features[TEACHER] @ features[TEACHER].T)


def test_repeated_texts_are_in_no_list_unless_they_are_kept(tiny_backbone: Path) -> None:
    found = []
    for choice in ("mask", "keep"):
        loss = _loss(tiny_backbone, contrastive_weight=0.0, consistency_weight=0.0)
        loss.contrastive_weight = 1.0 if choice == "keep" else 0.0
        loss.choose_repeated_texts(choice)  # type: ignore[arg-type]
        loss.model.eval()
        features = _features()
        features["input_ids"][1] = features["input_ids"][0]
        found.append(loss([features])["distillation"].item())
    assert found[0] != pytest.approx(found[1])


def test_mixture_shares() -> None:
    assert mixture(["a", "b"], []) == {"a": 0.5, "b": 0.5}
    assert mixture(["a", "b"], [1.0, 2.0]) == {"a": pytest.approx(1 / 3), "b": pytest.approx(2 / 3)}
    with pytest.raises(UserError, match="teacher_weights has 1 numbers for 2 teachers"):
        mixture(["a", "b"], [1.0])


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"teachers": []}, "teachers is"),
        ({"teachers": ["ema", "ema"]}, "named twice"),
        ({"teachers": [""]}, "has no name"),
        ({"teachers": ["static:rwos=both"]}, "did you mean rows"),
        ({"teachers": ["static:rows=neither"]}, "rows is 'neither'"),
        ({"teacher_weights": [0.0]}, "teacher_weights is"),
        ({"teacher_weights": [1.0, 2.0]}, "2 numbers for 1 teachers"),
        ({"contrastive_weight": 0.0, "consistency_weight": 0.0, "ranking_weight": 0.0}, "nothing to learn"),
        ({"ranking": "listnets"}, "did you mean listnet"),
    ],
)
def test_settings_that_cannot_work_are_refused_in_a_line(options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message) as refused:
        _loss(tiny_backbone, **options)
    assert "\n" not in str(refused.value)


def test_a_batch_without_the_teachers_vectors_is_refused(tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=r"no vectors of its teachers \(static\); train with augcse train"):
        _loss(tiny_backbone)([_features(teacher_dim=None)])


def test_a_static_teacher_takes_the_options_of_the_static_encoder() -> None:
    assert parse_teacher("static:rows=both:tokens_once=true") == ("static", {"rows": "both", "tokens_once": True})
    assert parse_teacher("static") == ("static", {"rows": "backbone"})
    assert parse_teacher("some/model") == ("some/model", {})
    assert np.isclose(sum(mixture(["static", "ema"], []).values()), 1)
