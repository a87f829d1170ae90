"""UNA: both denominators against loops, the rhythm of the negatives, and that nothing is computed without them."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.encoding.model import load_encoder
from augcse.errors import UserError
from augcse.objectives.una import UNALoss, nt_xent


def _view(seed: int, length: int = 7, rows: int = 4) -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 400, (rows, length), generator=torch.Generator().manual_seed(seed))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


ORIGINAL, POSITIVE, NEGATIVE = _view(0), _view(1, 8), _view(2, 12)


def cosine(a: list[float], b: list[float]) -> float:
    dot = sum(x * y for x, y in zip(a, b, strict=True))
    return dot / (math.sqrt(sum(x * x for x in a)) * math.sqrt(sum(y * y for y in b)))


def naive(first: Any, second: Any, others: Any, temperature: float, with_positive: bool) -> float:
    """UNA Eq. 1 one term at a time, over the list [first, second, others]; every row with a partner is an anchor."""
    rows = [*first, *second, *others]
    partner = {i: (i + len(first)) % (2 * len(first)) for i in range(2 * len(first))}
    total = 0.0
    for i, j in partner.items():
        denominator = 0.0
        for k in range(len(rows)):
            if k != i and (with_positive or k != j):
                denominator += math.exp(cosine(rows[i], rows[k]) / temperature)
        total -= math.log(math.exp(cosine(rows[i], rows[j]) / temperature) / denominator)
    return total / len(partner)


@settings(max_examples=40)
@given(
    pairs=st.integers(2, 5), extra=st.integers(0, 4), dim=st.integers(2, 5), seed=st.integers(0, 999),
    temperature=st.sampled_from([0.05, 0.5]), with_positive=st.booleans(),
)  # fmt: skip
def test_equals_the_papers_sum(pairs: int, extra: int, dim: int, seed: int, temperature: float, with_positive: bool) -> None:
    generator = torch.Generator().manual_seed(seed)
    first, second = torch.randn(2, pairs, dim, generator=generator, dtype=torch.float64)
    others = torch.randn(extra, dim, generator=generator, dtype=torch.float64)
    value = nt_xent(first, second, temperature, others, positive_in_denominator=with_positive)
    assert value.dtype == torch.float64
    assert value.item() == pytest.approx(naive(first.tolist(), second.tolist(), others.tolist(), temperature, with_positive), rel=1e-6)


@pytest.mark.parametrize("pairs", [2, 16])
def test_closed_forms_of_equal_rows(pairs: int) -> None:
    same = torch.ones(pairs, 3)
    assert nt_xent(same, same, 0.05).item() == pytest.approx(math.log(2 * pairs - 1), abs=1e-5)
    assert nt_xent(same, same, 0.05, positive_in_denominator=False).item() == pytest.approx(math.log(2 * pairs - 2), abs=1e-5)


def test_a_single_pair_costs_nothing_and_has_a_gradient() -> None:
    first, second = torch.randn(2, 1, 4, requires_grad=True)
    for with_positive in (True, False):
        loss = nt_xent(first, second, 0.05, positive_in_denominator=with_positive)
        assert loss.item() == pytest.approx(0.0, abs=1e-6)
        loss.backward()


def _loss(backbone: Path, **options: Any) -> UNALoss:
    torch.manual_seed(0)
    return UNALoss(load_encoder(str(backbone), "cls"), **{"projection": "none", **options})


def _embed(loss: UNALoss, view: dict[str, torch.Tensor]) -> torch.Tensor:
    return loss.model(dict(view))["sentence_embedding"]


def test_repo_makes_a_pair_of_the_negative(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, fidelity="repo")
    loss.model.eval()
    value = loss([ORIGINAL, NEGATIVE])["contrastive"]
    rows = torch.cat([_embed(loss, ORIGINAL), _embed(loss, NEGATIVE)]).tolist()
    assert value.item() == pytest.approx(naive(rows, rows, [], 0.05, with_positive=True), rel=1e-4)


def test_paper_puts_the_negative_into_denominators_only(tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone)
    loss.model.eval()
    value = loss([ORIGINAL, POSITIVE, NEGATIVE])["contrastive"]
    views = [_embed(loss, view).tolist() for view in (ORIGINAL, POSITIVE, NEGATIVE)]
    assert value.item() == pytest.approx(naive(*views, 0.05, with_positive=False), rel=1e-4)


@pytest.mark.parametrize(("fidelity", "rows_with", "rows_without"), [("paper", 12, 8), ("repo", 16, 8)])
def test_off_steps_do_not_encode_the_negative(fidelity: str, rows_with: int, rows_without: int, tiny_backbone: Path) -> None:
    loss = _loss(tiny_backbone, alpha=3, fidelity=fidelity)
    loss.model.train()
    encoded: list[int] = []
    loss.model.register_forward_hook(lambda module, inputs, output: encoded.append(len(output["sentence_embedding"])))
    seen = []
    for _ in range(7):
        encoded.clear()
        loss([ORIGINAL, NEGATIVE])
        seen.append(sum(encoded))
    assert seen == [rows_with, rows_without, rows_without] * 2 + [rows_with]


def test_the_rhythm_is_part_of_the_state(tiny_backbone: Path) -> None:
    loss, other = _loss(tiny_backbone, alpha=3), _loss(tiny_backbone, alpha=3)
    for each in (loss, other):
        each.model.train()
    for _ in range(2):
        loss([ORIGINAL, NEGATIVE])
    other.load_state_dict(loss.state_dict())
    shares = []
    for _ in range(3):
        other([ORIGINAL, NEGATIVE])
        shares.append(other.metrics["negatives"].item())
    assert shares == [0.0, 1.0, 0.0]


def test_a_fourth_text_column_is_refused(tiny_backbone: Path) -> None:
    loss = UNALoss(load_encoder(str(tiny_backbone), "cls"))
    with pytest.raises(UserError, match="4 text columns; give UNALoss original and negative, or original, paraphrase and negative"):
        loss([{}] * 4)


def test_alpha_0_never_uses_negatives_and_evaluation_does_not_count(tiny_backbone: Path) -> None:
    never, loss = _loss(tiny_backbone, alpha=0), _loss(tiny_backbone)
    never.model.train()
    never([ORIGINAL, NEGATIVE])
    assert never.metrics["negatives"].item() == 0.0
    loss.model.eval()
    loss([ORIGINAL, NEGATIVE])
    assert int(loss.batches) == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [({"alpha": -1}, "alpha is -1"), ({"alpha": 2.5}, "alpha is 2.5"), ({"temperature": 0}, "temperature is 0"),
     ({"fidelity": "repos"}, "did you mean repo")],
)  # fmt: skip
def test_impossible_settings_are_refused(options: dict[str, Any], message: str, tiny_backbone: Path) -> None:
    with pytest.raises(UserError, match=message):
        _loss(tiny_backbone, **options)
