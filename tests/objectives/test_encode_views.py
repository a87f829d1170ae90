"""Views share passes, and padding changes nothing."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from augcse.encoding.model import load_encoder
from augcse.objectives.views import encode_views, join_views


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


def test_views_of_different_row_counts() -> None:
    joined = join_views([_view(4, rows=2), {**_view(6, rows=3), "prompt": 1}], pad_id=7)
    assert joined["input_ids"].shape == (5, 6)
    assert joined["input_ids"][:2, 4:].tolist() == [[7, 7], [7, 7]]
    assert joined["attention_mask"].sum().item() == 2 * 4 + 3 * 6
