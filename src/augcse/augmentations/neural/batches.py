"""Batches of rows of the same padded length, so that a row's result does not depend on the other rows of its batch."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import torch


def by_padded_length(lengths: Sequence[int], step: int, rows_at_once: Callable[[int], int]) -> Iterator[tuple[int, list[int]]]:
    """Yield (padded length, indices of rows), shortest first; rows of length 0 are left out.

    Args:
        lengths: of the rows, in tokens.
        step: rows are padded to a multiple of it.
        rows_at_once: takes a padded length and returns how many rows a batch of it has.
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
    """Return the rows as a tensor of shape (rows, length), filled up with `pad`."""
    import torch

    return torch.tensor([[*row, *[pad] * (length - len(row))] for row in rows]).to(device)


def model_inputs(rows: Sequence[Sequence[int]], length: int, pad: int, device: str) -> dict[str, torch.Tensor]:
    """Return the inputs of a model, of shape (rows, length): the ids, and an attention mask, 1 for ids and 0 for padding."""
    mask = [[1] * len(row) for row in rows]
    return {"input_ids": padded(rows, length, pad, device), "attention_mask": padded(mask, length, 0, device)}
