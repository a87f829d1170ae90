"""Encode several views of a batch in as few passes as their lengths allow.

On a CPU a pass over padding costs what it costs over words; on a GPU a second pass costs its start. Hence one pass for views of nearly the
same length, and one per length for a view that has grown (UNA's negatives break into many word pieces).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from augcse.objectives.gather import gather_rows
from augcse.objectives.sentence_loss import Features

# Views of different lengths share a pass while padding adds at most this share of tokens.
PADDING_SHARE = 0.15


def encode_views(model: nn.Module, views: Sequence[Features]) -> list[Tensor]:
    """Encode every view: in one pass if their lengths are near enough, in one pass per length if not.

    Views: input_ids and attention_mask (rows, length) each; rows and lengths may differ. Returns one (rows, dim) per view, in order;
    where several processes train together, the rows of all of them.
    """
    lengths = [_length(view) for view in views]
    groups = [list(range(len(views)))] if _near(views) else [_places(lengths, length) for length in sorted(set(lengths))]
    encoded: dict[int, Tensor] = {}
    for places in groups:
        encoded.update(zip(places, _encode_joined(model, [views[place] for place in places]), strict=True))
    # In the order of the views: passes depend on lengths, which differ between processes.
    return [gather_rows(encoded[place]) for place in range(len(views))]


def encode_in_one_pass(model: nn.Module, views: Sequence[Features]) -> list[Tensor]:
    """Encode every view in one pass, whatever the padding. Takes and returns what `encode_views` does."""
    # Views apart, so that over several processes each is the joined batch's.
    return [gather_rows(rows) for rows in _encode_joined(model, views)]


def _encode_joined(model: nn.Module, views: Sequence[Features]) -> list[Tensor]:
    rows: Tensor = model(join_views(views, pad_id_of(model)))["sentence_embedding"]
    return list(torch.split(rows, [len(view["input_ids"]) for view in views]))


def join_views(views: Sequence[Features], pad_id: int) -> Features:
    """Stack views, padded on the right to the longest. What is not a tensor of (rows, length) is taken from the first view."""
    longest = max(view["input_ids"].shape[1] for view in views)
    joined: dict[str, Any] = {}
    for key, value in views[0].items():
        if isinstance(value, Tensor) and value.dim() == 2:
            fill = pad_id if key == "input_ids" else 0
            joined[key] = torch.cat([functional.pad(view[key], (0, longest - view[key].shape[1]), value=fill) for view in views])
        else:
            joined[key] = value
    return joined


def pad_id_of(model: nn.Module) -> int:
    """Return the tokeniser's padding id, 0 where it has none."""
    tokenizer = getattr(getattr(model, "module", model), "tokenizer", None)
    return getattr(tokenizer, "pad_token_id", None) or 0


def _length(view: Features) -> int:
    return int(view["input_ids"].shape[1])


def _places(lengths: Sequence[int], length: int) -> list[int]:
    return [place for place, other in enumerate(lengths) if other == length]


def _near(views: Sequence[Features]) -> bool:
    rows = sum(len(view["input_ids"]) for view in views)
    tokens = sum(int(view["input_ids"].numel()) for view in views)
    return rows * max(map(_length, views)) <= (1 + PADDING_SHARE) * tokens
