"""Encode several views of a batch in as few passes as their lengths allow.

On a CPU padding costs as much as words; on a GPU every pass has a fixed cost. Hence views of nearly the same length share a pass, and
others have one per length. The rows of UNA's negatives differ widely in length: on a CPU the third and further views are split into groups
of rows of similar length.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, pairwise
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from augcse.encoding.modes import in_mode
from augcse.objectives.gather import gather_rows

Features = dict[str, Any]
# The feature with the teachers' vectors of a row, see `augcse.training.teachers`; encoders ignore it.
TEACHER = "teacher"
# Views of different lengths share a pass while padding adds at most this share of tokens.
PADDING_SHARE = 0.15
# On a CPU rows of different lengths share a pass while padding adds at most this share; there are at most MAX_PASSES passes.
ROW_PADDING_SHARE = 0.03
MAX_PASSES = 3


def encode(model: nn.Module, features: Features) -> Tensor:
    """Encode one view. The features are copied, since the model writes into them.

    Returns (batch, dim); where several processes train together, the rows of all of them, in order of rank.
    """
    embeddings: Tensor = model(dict(features))["sentence_embedding"]
    return gather_rows(embeddings)


def encode_twice(model: nn.Module, features: Features) -> tuple[Tensor, Tensor]:
    """Encode one view twice in one pass: row i and row i + batch differ by their dropout masks only.

    Returns two tensors (batch, dim).
    """
    doubled = {
        key: torch.cat([value, value]) if isinstance(value, Tensor) and value.dim() > 0 else value for key, value in features.items()
    }
    embeddings: Tensor = model(doubled)["sentence_embedding"]
    first, second = embeddings.chunk(2)
    return gather_rows(first), gather_rows(second)


def encode_without_dropout(model: nn.Module, features: Features) -> Tensor:
    """Encode one view in eval mode, with gradient, in whichever mode the model is. Takes and returns what `encode` does."""
    with in_mode(model, training=False):
        return encode(model, features)


def encode_views(model: nn.Module, views: Sequence[Features]) -> list[Tensor]:
    """Encode every view: in one pass if their lengths are similar, else in one pass per length, the first view's pass first.

    Views: input_ids and attention_mask (rows, length) each; rows and lengths may differ. Returns one (rows, dim) per view, in order;
    where several processes train together, the rows of all of them.
    """
    lengths = [_length(view) for view in views]
    # The contrasted pair comes first and undivided: `training.monitor` reads the first two views that are encoded.
    groups = (
        [list(range(len(views)))] if _similar_lengths(views) else [_indices_of_length(lengths, length) for length in dict.fromkeys(lengths)]
    )
    encoded: dict[int, Tensor] = {}
    for indices in groups:
        members = [views[index] for index in indices]
        encoded.update(zip(indices, _encode_joined(model, members, further=min(indices) > 1), strict=True))
    # Gathered in the order of the views: passes depend on lengths, which differ between processes.
    return [gather_rows(encoded[index]) for index in range(len(views))]


def encode_in_one_pass(model: nn.Module, views: Sequence[Features]) -> list[Tensor]:
    """Encode every view in one pass, with any amount of padding. Takes and returns what `encode_views` does."""
    # Gathered view by view, so that over several processes each view is the joined batch's.
    return [gather_rows(rows) for rows in _encode_joined(model, views)]


def _encode_joined(model: nn.Module, views: Sequence[Features], further: bool = False) -> list[Tensor]:
    """Encode views in one pass; on a CPU `further` views, whose row order does not matter, in several passes by length."""
    joined = join_views(views, pad_id_of(model))
    rows = _encode_by_length(model, joined) if further and joined["input_ids"].device.type == "cpu" else _encode_whole(model, joined)
    return list(torch.split(rows, [len(view["input_ids"]) for view in views]))


def _encode_whole(model: nn.Module, features: Features) -> Tensor:
    rows: Tensor = model(features)["sentence_embedding"]
    return rows


def _encode_by_length(model: nn.Module, features: Features) -> Tensor:
    """Encode rows of similar length together. Features (rows, length), padded on the right -> (rows, dim)."""
    lengths, order = features["attention_mask"].sum(dim=1).sort(stable=True)
    cuts = cut_by_length(lengths.tolist())
    if len(cuts) == 2:
        return _encode_whole(model, features)
    parts = []
    for start, end in pairwise(cuts):
        longest = int(lengths[end - 1])
        cut = {key: value[order[start:end], :longest] if _is_grid(value) else value for key, value in features.items()}
        parts.append(_encode_whole(model, cut))
    return torch.cat(parts)[order.argsort()]


def cut_by_length(lengths: Sequence[int]) -> list[int]:
    """Return the boundaries, from 0 to the number of rows, that split rows of ascending `lengths` into groups with the least padding.

    The number of groups is the smallest that keeps padding below `ROW_PADDING_SHARE` of the tokens, at most `MAX_PASSES`.
    """
    rows = len(lengths)
    steps = [row for row in range(1, rows) if lengths[row] != lengths[row - 1]]

    def cost(cuts: tuple[int, ...]) -> int:
        return sum((end - start) * lengths[end - 1] for start, end in pairwise((0, *cuts, rows)))

    best: tuple[int, ...] = ()
    for count in range(1, min(MAX_PASSES, len(steps) + 1)):
        if cost(best) <= (1 + ROW_PADDING_SHARE) * sum(lengths):
            break
        best = min(combinations(steps, count), key=cost)
    return [0, *best, rows]


def join_views(views: Sequence[Features], pad_id: int) -> Features:
    """Stack views, padded on the right to the longest. What is not a tensor of (rows, length) is taken from the first view."""
    longest = max(view["input_ids"].shape[1] for view in views)
    joined: dict[str, Any] = {}
    for key, value in views[0].items():
        if _is_grid(value):
            fill = pad_id if key == "input_ids" else 0
            joined[key] = torch.cat([functional.pad(view[key], (0, longest - view[key].shape[1]), value=fill) for view in views])
        else:
            joined[key] = value
    return joined


def pad_id_of(model: nn.Module) -> int:
    """Return the tokeniser's padding id, 0 if it has none."""
    tokenizer = getattr(getattr(model, "module", model), "tokenizer", None)
    return getattr(tokenizer, "pad_token_id", None) or 0


def _is_grid(value: Any) -> bool:
    return isinstance(value, Tensor) and value.dim() == 2


def _length(view: Features) -> int:
    return int(view["input_ids"].shape[1])


def _indices_of_length(lengths: Sequence[int], length: int) -> list[int]:
    return [index for index, other in enumerate(lengths) if other == length]


def _similar_lengths(views: Sequence[Features]) -> bool:
    rows = sum(len(view["input_ids"]) for view in views)
    tokens = sum(int(view["input_ids"].numel()) for view in views)
    return rows * max(map(_length, views)) <= (1 + PADDING_SHARE) * tokens
