"""Crops of token sequences: a run of neighbouring tokens of each row, between the row's first and last token."""

from __future__ import annotations

import torch
from torch import Tensor


def random_crops(ids: Tensor, mask: Tensor, shortest: int, longest: int, pad_id: int) -> tuple[Tensor, Tensor]:
    """Return one run of each row, between its first and its last real token ([CLS], [SEP]), which stay.

    The run's length is drawn uniformly from `shortest` to `longest` tokens, limited by the row's, and its beginning uniformly, both from
    torch's default generator. Rows are padded on the right.

    Shapes: ids, mask (rows, length) -> ids, mask (rows, the longest crop).
    """
    last = mask.sum(dim=1) - 1
    inner_lengths = (last - 1).clamp(min=0)
    draws = [torch.rand(len(ids), device=ids.device) for _ in range(2)]
    lengths = (shortest + (draws[0] * (longest - shortest + 1)).long()).minimum(inner_lengths)
    starts = (draws[1] * (inner_lengths - lengths + 1)).long().minimum(inner_lengths - lengths)
    indices = torch.arange(int(lengths.max()) + 2, device=ids.device).expand(len(ids), -1)
    sources = torch.where(indices == 0, 0, indices + starts[:, None])
    sources = torch.where(indices == lengths[:, None] + 1, last[:, None], sources).clamp(max=ids.shape[1] - 1)
    kept = (indices < lengths[:, None] + 2).to(mask.dtype)
    return torch.where(kept.bool(), ids.gather(1, sources), pad_id), kept
