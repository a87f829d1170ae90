"""Pairs of the same text are no negatives: found by token ids, and left out of every denominator."""

from __future__ import annotations

import math
from collections.abc import Sequence

import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch import Tensor

from augcse.objectives.info_nce import info_nce
from augcse.objectives.pair_losses import PAIR_LOSSES, PairSettings, compare
from augcse.objectives.same_text import repeated_pairs, same_text, text_keys
from augcse.objectives.una import nt_xent

Texts = list[list[int]]
texts = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4), min_size=1, max_size=8)


def features(rows: Texts, length: int, pad: int = 0) -> dict[str, Tensor]:
    ids = torch.tensor([row + [pad] * (length - len(row)) for row in rows])
    mask = torch.tensor([[1] * len(row) + [0] * (length - len(row)) for row in rows])
    return {"input_ids": ids, "attention_mask": mask}


@given(texts, st.integers(0, 3), st.integers(0, 9))
def test_keys_are_equal_where_the_tokens_are_whatever_the_padding(rows: Texts, more: int, pad: int) -> None:
    keys, padded = text_keys(features(rows, 4)), text_keys(features(rows, 4 + more, pad))
    assert torch.equal(keys, padded)
    assert same_text(keys, padded).tolist() == [[left == right for right in rows] for left in rows]


def test_keys_tell_orders_and_large_vocabularies_apart() -> None:
    ids = torch.cat([torch.arange(250_000)[:, None].repeat(1, 2), torch.tensor([[1, 2], [2, 1]])])
    keys = text_keys({"input_ids": ids, "attention_mask": torch.ones_like(ids)})
    assert len(keys.unique()) == len(ids)


@given(st.data())
def test_repeated_pairs_by_the_definition(data: st.DataObject) -> None:
    originals = data.draw(texts)
    candidates = data.draw(st.lists(st.sampled_from([*originals, [9]]), min_size=len(originals), max_size=len(originals)))
    found = repeated_pairs(text_keys(features(originals, 4)), text_keys(features(candidates, 4)))
    for i, anchor in enumerate(originals):
        for j, candidate in enumerate(candidates):
            assert found[i, j].item() == (i != j and (originals[j] == anchor or candidate == anchor))


def _cosines(left: Tensor, right: Tensor, temperature: float) -> list[list[float]]:
    return [[torch.cosine_similarity(a, b, dim=0).item() / temperature for b in right] for a in left]


def _left_out(rows: int, columns: int, keep: Sequence[int], seed: int) -> Tensor:
    mask = torch.rand(rows, columns, generator=torch.Generator().manual_seed(seed)) < 0.4
    mask[torch.arange(rows), torch.tensor(keep)] = False
    return mask


@given(st.integers(1, 6), st.integers(0, 1000), st.booleans())
def test_info_nce_without_left_out_pairs_by_a_loop(rows: int, seed: int, symmetric: bool) -> None:
    left, right = torch.randn(2, rows, 5, generator=torch.Generator().manual_seed(seed))
    mask = _left_out(rows, rows, range(rows), seed)
    s = _cosines(left, right, 0.1)
    forth = [math.log(sum(math.exp(s[i][j]) for j in range(rows) if not mask[i, j])) - s[i][i] for i in range(rows)]
    back = [math.log(sum(math.exp(s[j][i]) for j in range(rows) if not mask[j, i])) - s[i][i] for i in range(rows)]
    expected = sum(forth) / rows if not symmetric else (sum(forth) + sum(back)) / (2 * rows)
    assert info_nce(left, right, 0.1, symmetric, mask).item() == pytest.approx(expected, rel=1e-4, abs=1e-5)


@given(st.integers(1, 5), st.integers(0, 1000), st.booleans())
def test_nt_xent_without_left_out_pairs_by_a_loop(pairs: int, seed: int, positive_in_denominator: bool) -> None:
    first, second, others = torch.randn(3, pairs, 5, generator=torch.Generator().manual_seed(seed), dtype=torch.float64)
    rows = torch.cat([first, second, others]).requires_grad_()
    mask = _left_out(2 * pairs, 3 * pairs, [0] * (2 * pairs), seed)
    s = _cosines(rows[: 2 * pairs].detach(), rows.detach(), 0.1)
    losses = []
    for i in range(2 * pairs):
        partner = (i + pairs) % (2 * pairs)
        counted = [k for k in range(3 * pairs) if k != i and k != partner and not mask[i, k]]
        counted += [partner] if positive_in_denominator or not counted else []
        losses.append(math.log(sum(math.exp(s[i][k]) for k in counted)) - s[i][partner])
    parts = rows[:pairs], rows[pairs : 2 * pairs], 0.1, rows[2 * pairs :]
    loss = nt_xent(*parts, positive_in_denominator, mask)
    loss.backward()  # type: ignore[no-untyped-call]
    assert loss.item() == pytest.approx(sum(losses) / len(losses), rel=1e-6, abs=1e-9)
    assert rows.grad is not None
    assert rows.grad.isfinite().all()


@pytest.mark.parametrize("name", list(PAIR_LOSSES))
def test_repeated_rows_do_not_push_each_other(name: str) -> None:
    generator = torch.Generator().manual_seed(0)
    anchors, candidates, negatives = torch.randn(3, 4, 6, generator=generator, dtype=torch.float64)
    keys = torch.tensor([1, 1, 2, 3])
    distances = {}
    for repeated in (None, repeated_pairs(keys)):
        batch = compare(anchors, candidates, None, negatives, "cosine", repeated, None if repeated is None else torch.eye(4).bool())
        batch.distances.requires_grad_()
        PAIR_LOSSES[name](batch, PairSettings(margin=50.0, temperature=1.0)).backward()  # type: ignore[no-untyped-call]
        assert batch.distances.grad is not None
        distances[repeated is None] = batch.distances.grad
    pushed = distances[True] != 0
    # hard_contrastive looks at the pairs that its thresholds leave; the others push all.
    assert name == "hard_contrastive" or pushed[0, 1]
    assert (distances[False][[0, 1], [1, 0]] == 0).all()
    assert (distances[False] != 0)[[0, 2], [2, 3]].all() or name == "hard_contrastive"
    assert distances[False].isfinite().all()
