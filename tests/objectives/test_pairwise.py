"""The seven pairwise losses against loops written from their formulas, their closed forms, and where the published code broke."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.errors import UserError
from augcse.objectives.option_types import parse_losses
from augcse.objectives.pair_losses import NEEDS_NEGATIVES, PAIR_LOSSES, PairBatch, PairSettings, compare

Rows = list[list[float]]


def distance(kind: str, a: list[float], b: list[float]) -> float:
    if kind == "euclidean":
        return math.sqrt(sum((x - y) ** 2 for x, y in zip(a, b, strict=True)))
    if kind == "manhattan":
        return sum(abs(x - y) for x, y in zip(a, b, strict=True))
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return 1 - dot / (math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b)))


class Naive:
    """One term at a time, in Python floats, from the formulas of AugCSE's published code."""

    def __init__(self, anchors: Rows, candidates: Rows, negatives: Rows, y: list[int], s: PairSettings) -> None:
        self.n, self.y, self.s = len(anchors), y, s
        self.d = [[distance(s.distance, a, c) for c in candidates] for a in anchors]
        self.m = [[distance(s.distance, a, c) for c in negatives] for a in anchors]
        self.D = [[d / s.temperature for d in row] for row in self.d]
        self.negative = [(i, j) for i in range(self.n) for j in range(self.n) if i != j or not y[i]]

    def pick(self, choices: list[float], target: float) -> float:
        return -math.log(math.exp(target) / sum(math.exp(choice) for choice in choices))

    def sim(self, i: int, j: int) -> float:
        return (1 - self.d[i][j]) / self.s.temperature

    def hard(self, i: int, j: int) -> float:
        return (1 - self.m[i][j]) / self.s.temperature + (self.s.hard_negative_weight if i == j else 0.0)

    def ranking(self) -> float:
        chosen = [i for i in range(self.n) if self.y[i]]
        total = 0.0
        for i in chosen:
            forth = self.pick([self.sim(i, j) for j in range(self.n)], self.sim(i, i))
            back = self.pick([self.sim(j, i) for j in range(self.n)], self.sim(i, i))
            total += (forth if self.s.symmetric is False else (forth + back) / 2) / len(chosen)
        pushed = [self.d[i][j] for i in range(self.n) for j in range(self.n) if not self.y[j]]
        return total + self.log_mean(pushed)

    def log_mean(self, distances: list[float]) -> float:
        if not distances:
            return 0.0
        # The nearest pair's factor is taken out: far pairs alone would underflow.
        exponents = [-self.s.uniformity_scale * d**2 for d in distances]
        largest = max(exponents)
        return largest + math.log(sum(math.exp(x - largest) for x in exponents) / len(distances))

    def ranking_pos_neg(self) -> float:
        total = 0.0
        for i in range(self.n):
            row = [self.sim(i, j) for j in range(self.n)] + [self.hard(i, j) for j in range(self.n)]
            column = [self.sim(j, i) for j in range(self.n)] + [self.hard(j, i) for j in range(self.n)]
            forth, back = self.pick(row, self.sim(i, i)), self.pick(column, self.sim(i, i))
            total += (forth if self.s.symmetric is False else (forth + back) / 2) / self.n
        return total

    def ranking_neg(self) -> float:
        total = 0.0
        for i in range(self.n):
            forth = self.pick([self.sim(i, j) for j in range(self.n)] + [self.hard(i, i)], self.sim(i, i))
            back = self.pick([self.sim(j, i) for j in range(self.n)], self.sim(i, i))
            total += ((forth + back) / 2 if self.s.symmetric else forth) / self.n
        return total

    def triplet(self) -> float:
        pairs = [(i, j) for i in range(self.n) for j in range(self.n) if i != j]
        if not pairs:
            return 0.0
        forth = [max(0.0, self.y[j] * self.D[j][j] - self.D[i][j] + self.s.margin) for i, j in pairs]
        back = [max(0.0, self.y[j] * self.D[j][j] - self.D[j][i] + self.s.margin) for i, j in pairs]
        total = sum(forth) if not self.s.symmetric else (sum(forth) + sum(back)) / 2
        return total / len(pairs)

    def alignment(self) -> float:
        near = sum(self.y[i] * max(self.D[i][i], 0.0) ** self.s.alignment_power for i in range(self.n)) / self.n
        return near + self.log_mean([self.D[i][j] for i, j in self.negative])

    def contrastive(self) -> float:
        near = sum((self.y[i] * self.D[i][i]) ** 2 for i in range(self.n)) / self.n
        far = [max(0.0, self.s.margin - self.D[i][j]) ** 2 for i, j in self.negative]
        return near + (sum(far) / len(far) if far else 0.0)

    def hard_contrastive(self) -> float:
        positives = [self.D[i][i] for i in range(self.n) if self.y[i]]
        negatives = [self.D[i][j] for i, j in self.negative]
        total = 0.0
        if negatives:
            below = max(positives) if len(positives) > 1 else sum(negatives) / len(negatives)
            total += sum(max(0.0, self.s.margin - d) ** 2 for d in negatives if d < below)
        if positives:
            above = min(negatives) if len(negatives) > 1 else sum(positives) / len(positives)
            total += sum(d**2 for d in positives if d > above)
        return total


def _rows(rows: int, dim: int, seed: int) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor, torch.Tensor]:
    generator = torch.Generator().manual_seed(seed)
    vectors = torch.randn(3, rows, dim, generator=generator, dtype=torch.float64)
    return vectors[0], vectors[1], vectors[2], torch.randint(0, 2, (rows,), generator=generator)


def _loss(name: str, a: torch.Tensor, c: torch.Tensor, n: torch.Tensor | None, y: torch.Tensor | None, s: PairSettings) -> torch.Tensor:
    return PAIR_LOSSES[name](compare(a, c, y, n, s.distance), s)


@settings(max_examples=60)
@given(
    name=st.sampled_from(sorted(PAIR_LOSSES)),
    rows=st.integers(1, 6),
    dim=st.integers(2, 5),
    seed=st.integers(0, 10_000),
    kind=st.sampled_from(["cosine", "euclidean", "manhattan"]),
    temperature=st.sampled_from([0.3, 1.0]),
    weight=st.sampled_from([0.0, 0.7]),
    symmetric=st.sampled_from([None, True, False]),
)
def test_equals_the_formula(
    name: str, rows: int, dim: int, seed: int, kind: Any, temperature: float, weight: float, symmetric: Any
) -> None:
    anchors, candidates, negatives, y = _rows(rows, dim, seed)
    chosen = PairSettings(kind, temperature, margin=0.8, alignment_power=3.0, hard_negative_weight=weight, symmetric=symmetric)
    oracle = Naive(anchors.tolist(), candidates.tolist(), negatives.tolist(), y.tolist(), chosen)
    formula: Callable[[], float] = getattr(oracle, name)
    assert _loss(name, anchors, candidates, negatives, y, chosen).item() == pytest.approx(formula(), rel=1e-9, abs=1e-9)


@pytest.mark.parametrize("name", sorted(set(PAIR_LOSSES) - NEEDS_NEGATIVES))
def test_without_labels_every_candidate_is_a_positive(name: str) -> None:
    anchors, candidates, _, _ = _rows(5, 4, 0)
    plain = _loss(name, anchors, candidates, None, None, PairSettings())
    assert plain == _loss(name, anchors, candidates, None, torch.ones(5, dtype=torch.long), PairSettings())


@pytest.mark.parametrize(("name", "rows_seen"), [("ranking", 4), ("ranking_pos_neg", 8), ("ranking_neg", 5)])
def test_all_equal_embeddings_cost_the_logarithm_of_the_choices(name: str, rows_seen: int) -> None:
    same = torch.ones(4, 3)
    assert _loss(name, same, same, same, None, PairSettings()).item() == pytest.approx(math.log(rows_seen), abs=1e-5)


def test_orthogonal_aligned_pairs_have_closed_forms() -> None:
    eye = torch.eye(4)
    at_one = PairSettings(temperature=1.0, margin=1.5)
    # Own distance 0, every other 1.
    assert _loss("triplet", eye, eye, None, None, at_one).item() == pytest.approx(0.5)
    assert _loss("alignment", eye, eye, None, None, at_one).item() == pytest.approx(-2.0)
    assert _loss("contrastive", eye, eye, None, None, at_one).item() == pytest.approx(0.25)
    assert _loss("hard_contrastive", eye, eye, None, None, at_one).item() == 0.0


def test_weight_of_the_hard_negative_counts_it_several_times() -> None:
    anchors, candidates, negatives, _ = _rows(3, 4, 1)
    twice = _loss("ranking_neg", anchors, candidates, negatives, None, PairSettings(temperature=1.0, hard_negative_weight=math.log(2)))
    total = 0.0
    for i in range(3):
        own = 1 - distance("cosine", anchors[i].tolist(), negatives[i].tolist())
        scores = [1 - distance("cosine", anchors[i].tolist(), candidate) for candidate in candidates.tolist()]
        total -= math.log(math.exp(scores[i]) / sum(math.exp(score) for score in [*scores, own, own])) / 3
    assert twice.item() == pytest.approx(total)


def test_where_the_published_alignment_was_minus_infinity() -> None:
    eye = torch.eye(3, requires_grad=True)
    # At temperature 0.05 exp(-2 * 20^2) is 0 in float32, and its logarithm was taken.
    loss = _loss("alignment", eye, eye, None, None, PairSettings(temperature=0.05))
    assert loss.item() == pytest.approx(-800.0)
    loss.backward()
    assert torch.isfinite(eye.grad).all()


def test_where_the_published_ranking_raised() -> None:
    anchors, candidates, _, _ = _rows(4, 3, 2)
    assert math.isfinite(_loss("ranking", anchors, candidates, None, torch.tensor([1, 0, 1, 0]), PairSettings()).item())
    only_negatives = _loss("ranking", anchors, candidates, None, torch.zeros(4), PairSettings(temperature=0.05))
    matrix = compare(anchors, candidates, None, None, "cosine").distances
    assert only_negatives.item() == pytest.approx(torch.exp(-2 * matrix**2).mean().log().item())


@pytest.mark.parametrize("kind", ["cosine", "euclidean", "manhattan"])
@pytest.mark.parametrize("labels", ["positive", "negative"])
@pytest.mark.parametrize("rows", [1, 2, 3])
@pytest.mark.parametrize("name", sorted(PAIR_LOSSES))
def test_finite_in_bf16_for_duplicate_rows(name: str, rows: int, labels: str, kind: Any) -> None:
    same = torch.ones(rows, 8, dtype=torch.bfloat16).requires_grad_()
    y = torch.full((rows,), int(labels == "positive"))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        loss = _loss(name, same, same * 1, same * 1, y, PairSettings(distance=kind))
    loss.backward()
    assert loss.dtype == torch.float32
    assert torch.isfinite(loss)
    assert torch.isfinite(same.grad).all()


@pytest.mark.parametrize("name", sorted(PAIR_LOSSES))
def test_order_of_the_batch_does_not_matter(name: str) -> None:
    anchors, candidates, negatives, y = _rows(6, 4, 3)
    order = torch.randperm(6, generator=torch.Generator().manual_seed(0))
    plain = _loss(name, anchors, candidates, negatives, y, PairSettings())
    assert _loss(name, anchors[order], candidates[order], negatives[order], y[order], PairSettings()).item() == pytest.approx(plain.item())


@pytest.mark.parametrize("name", sorted(PAIR_LOSSES))
def test_gradient_is_the_slope(name: str) -> None:
    anchors, candidates, negatives, y = _rows(4, 3, 4)
    chosen = PairSettings(temperature=0.7, margin=0.9)
    torch.autograd.gradcheck(lambda a, c: _loss(name, a, c, negatives, y, chosen), (anchors.requires_grad_(), candidates.requires_grad_()))


def test_sums_are_read() -> None:
    assert parse_losses("ranking:1.0, triplet:0.5") == {"ranking": 1.0, "triplet": 0.5}
    assert parse_losses("ranking,triplet") == {"ranking": 0.5, "triplet": 0.5}


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no loss named"),
        ("rankin", "did you mean ranking"),
        ("ranking:x", "'x' is no weight"),
        ("ranking:-1", "'-1' is no weight"),
        ("ranking:nan", "'nan' is no weight"),
        ("ranking,ranking", "named twice"),
    ],
)
def test_sums_that_cannot_be_are_refused(text: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_losses(text)


def test_hard_negatives_have_to_be_given() -> None:
    eye = torch.eye(2)
    with pytest.raises(ValueError, match="none were given"):
        PAIR_LOSSES["ranking_neg"](PairBatch(eye, 1 - eye, torch.ones(2).bool()), PairSettings())
