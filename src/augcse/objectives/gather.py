"""Distributed batches: each process encodes its share of the batch, and gathers the embeddings of all.

Gathering after the encoder and before heads and losses makes these compute what one process would on the joined batch: negatives, batch
statistics (BatchNorm, the balance of a mixture, MODALS' pool), discriminators. SimCSE's code gathers after the heads and
keeps the gradient of its own rows only, so that its gradient is a fraction of that of the joined batch.

Token-level losses are not gathered: each process computes sums and counts of its own tokens, which are added over the processes, so that
the mean is over all tokens and not a mean of means.

Random draws for the joined batch (a discriminator's dropout and order, a mixture's noise, MODALS) differ between processes; the gradient
is their mean.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, distributed


def world_size() -> int:
    """Return the number of processes in the process group; 1 without one."""
    return distributed.get_world_size() if distributed.is_available() and distributed.is_initialized() else 1


def launched_processes() -> int:
    """Return the number of processes, also before the process group is initialized, from the launcher's WORLD_SIZE."""
    launched = os.environ.get("WORLD_SIZE", "1")
    return max(world_size(), int(launched) if launched.isdigit() else 1)


class _Gather(torch.autograd.Function):
    """Concatenate over ranks. Backward: the sum over ranks of the gradients of this rank's rows; DDP divides by their number."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor) -> Tensor:
        ctx.rows = len(rows)
        return _all_gather(rows)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        total = gradients[0].clone(memory_format=torch.contiguous_format)
        distributed.all_reduce(total)
        start = distributed.get_rank() * ctx.rows
        return total[start : start + ctx.rows]


class _Add(torch.autograd.Function):
    """Add over ranks. Backward: the sum over ranks of the gradients; DDP divides by their number."""

    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        return _all_reduce(values)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        return _all_reduce(gradients[0])


def gather_rows(rows: Tensor) -> Tensor:
    """Return the rows of all processes in order of rank, with gradient; the rows themselves in a single process.

    Every process must have the same number of rows. Shapes: (rows, ...) -> (rows * processes, ...).
    """
    if world_size() == 1:
        return rows
    if not rows.is_floating_point():
        return _all_gather(rows)
    gathered: Tensor = _Gather.apply(rows)  # type: ignore[no-untyped-call]
    return gathered


def own_rows(gathered: Tensor) -> Tensor:
    """Return this process's rows of the result of `gather_rows`. Shapes: (rows * processes, ...) -> (rows, ...)."""
    return gathered if world_size() == 1 else gathered.chunk(world_size())[distributed.get_rank()]


def sum_over_processes(values: Tensor) -> Tensor:
    """Return the sum over the processes, with gradient; the values themselves in a single process. Any shape, the same in all."""
    if world_size() == 1:
        return values
    if not values.is_floating_point():
        return _all_reduce(values)
    total: Tensor = _Add.apply(values)  # type: ignore[no-untyped-call]
    return total


def max_over_processes(number: int, device: torch.device) -> int:
    """Return the maximum over the processes; `device` is that of the training, on which the processes communicate."""
    if world_size() == 1:
        return number
    largest = torch.tensor(number, device=device)
    distributed.all_reduce(largest, distributed.ReduceOp.MAX)
    return int(largest)


def broadcast_from_first(tensors: Iterable[Tensor]) -> None:
    """Broadcast the tensors of rank 0 to all processes, in place."""
    if world_size() == 1:
        return
    for tensor in tensors:
        distributed.broadcast(tensor.detach(), 0)


def average_gradients(parameters: list[torch.nn.Parameter]) -> None:
    """Average gradients over the processes in place, as DDP does, for modules that it does not wrap."""
    if world_size() == 1:
        return
    for parameter in parameters:
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            distributed.all_reduce(parameter.grad)
            parameter.grad /= world_size()


def _all_gather(rows: Tensor) -> Tensor:
    gathered = [torch.empty_like(rows, memory_format=torch.contiguous_format) for _ in range(world_size())]
    distributed.all_gather(gathered, rows.contiguous())
    return torch.cat(gathered)


def _all_reduce(values: Tensor) -> Tensor:
    total = values.clone(memory_format=torch.contiguous_format)
    distributed.all_reduce(total)
    return total
