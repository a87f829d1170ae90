"""Views share passes, and padding changes nothing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.encoding.model import load_encoder
from augcse.objectives.views import MAX_PASSES, ROW_PADDING_SHARE, cut_by_length, encode_views, join_views


def _view(length: int, rows: int = 3) -> dict[str, torch.Tensor]:
    ids = torch.randint(5, 400, (rows, length), generator=torch.Generator().manual_seed(length))
    return {"input_ids": ids, "attention_mask": torch.ones_like(ids)}


@pytest.mark.parametrize(("lengths", "passes"), [((9, 9), 1), ((9, 10), 1), ((9, 20), 2), ((9, 9, 20, 20), 2), ((9,), 1), ((5, 9, 20), 3)])
def test_each_view_is_as_if_encoded_alone(lengths: tuple[int, ...], passes: int, tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    model.eval()
    views = [_view(length) for length in lengths]
    alone = [model(dict(view))["sentence_embedding"] for view in views]
    calls: list[int] = []
    model.register_forward_hook(lambda module, inputs, output: calls.append(1))
    together = encode_views(model, views)
    assert len(calls) == passes
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(alone, together, strict=True))


def _ragged(lengths: list[int]) -> dict[str, torch.Tensor]:
    mask = (torch.arange(max(lengths)) < torch.tensor(lengths)[:, None]).long()
    return {"input_ids": _view(max(lengths), len(lengths))["input_ids"] * mask, "attention_mask": mask}


def test_further_views_are_cut_by_the_length_of_their_rows(tiny_backbone: Path) -> None:
    model = load_encoder(str(tiny_backbone), "cls")
    model.eval()
    first, further = _view(9, 4), _ragged([30, 9, 12, 10])
    alone = [model(dict(view))["sentence_embedding"] for view in (first, first, further)]
    shapes: list[tuple[int, ...]] = []
    model.register_forward_hook(lambda module, inputs, output: shapes.append(tuple(inputs[0]["input_ids"].shape)))
    together = encode_views(model, [first, first, further])
    assert shapes == [(8, 9), (2, 10), (1, 12), (1, 30)]
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(alone, together, strict=True))
    # What is contrasted stays whole and first, for the monitor.
    shapes.clear()
    encode_views(model, [_ragged([30, 9, 12, 10]), first])
    assert shapes == [(4, 30), (4, 9)]


@settings(max_examples=60)
@given(st.lists(st.integers(3, 12), min_size=1, max_size=9).map(sorted))
def test_cuts_hold_least_padding(lengths: list[int]) -> None:
    cuts = cut_by_length(lengths)
    assert (cuts[0], cuts[-1]) == (0, len(lengths))
    assert cuts == sorted(set(cuts))
    assert len(cuts) <= 1 + MAX_PASSES

    def padded(places: Sequence[int]) -> int:
        return sum((end - start) * lengths[end - 1] for start, end in pairwise(places))

    inner = range(1, len(lengths))
    every = [[0, *chosen, len(lengths)] for chosen in combinations(inner, len(cuts) - 2)]
    assert padded(cuts) == min(map(padded, every))
    fewer = [[0, *chosen, len(lengths)] for count in range(len(cuts) - 2) for chosen in combinations(inner, count)]
    assert all(padded(places) > (1 + ROW_PADDING_SHARE) * sum(lengths) for places in fewer)


def test_views_of_different_row_counts() -> None:
    joined = join_views([_view(4, rows=2), {**_view(6, rows=3), "prompt": 1}], pad_id=7)
    assert joined["input_ids"].shape == (5, 6)
    assert joined["input_ids"][:2, 4:].tolist() == [[7, 7], [7, 7]]
    assert joined["attention_mask"].sum().item() == 2 * 4 + 3 * 6
