"""Rows of ids as models read them: together with rows of the same padded length, so that no row's result hangs on its company."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def by_padded_length(lengths: Sequence[int], step: int, rows_at_once: Callable[[int], int]) -> Iterator[tuple[int, list[int]]]:
    """Yield (padded length, rows), shortest first; rows of no length are left out.

    Args:
        lengths: of the rows, in tokens.
        step: lengths are padded to a multiple of it.
        rows_at_once: how many rows of a padded length make a batch.
    """
    by_length: dict[int, list[int]] = defaultdict(list)
    for row, length in enumerate(lengths):
        if length:
            by_length[-(-length // step) * step].append(row)
    for length in sorted(by_length):
        rows = iter(by_length[length])
        while batch := list(islice(rows, rows_at_once(length))):
            yield length, batch


def padded(rows: Sequence[Sequence[int]], length: int, pad: int, device: str) -> torch.Tensor:
    """Return the rows as a tensor of shape (rows, length), `pad` after each."""
    import torch

    return torch.tensor([[*row, *[pad] * (length - len(row))] for row in rows]).to(device)


def attention(rows: Sequence[Sequence[int]], length: int, device: str) -> torch.Tensor:
    """Return 1 where a row has an id and 0 where it is padded, of shape (rows, length)."""
    return padded([[1] * len(row) for row in rows], length, 0, device)
