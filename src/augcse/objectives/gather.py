"""One batch over several processes: each encodes its share, and every one sees the embeddings of all.

Gathering after the encoder, before heads and losses, makes everything there what one process would compute on the joined batch:
negatives, batch statistics (BatchNorm, a mixture's balance, MODALS' pool), discriminators. SimCSE's code gathers after the heads and keeps
the gradient of its own rows only, so that its gradient is a fraction of the joined batch's.

What is computed token by token stays where the tokens are: each process adds up its own, and sums and counts are added over the
processes, so that a mean is over the tokens of all and not a mean of means.

Draws for the joined batch (a discriminator's dropout and coins, a mixture's noise, MODALS) are each process's own; the gradient is the mean
over them.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import torch
from torch import Tensor, distributed


def world_size() -> int:
    """Return the number of processes that train together."""
    return distributed.get_world_size() if distributed.is_available() and distributed.is_initialized() else 1


def launched_processes() -> int:
    """Return how many processes train together or, before they have met, how many the launcher says it started (WORLD_SIZE)."""
    launched = os.environ.get("WORLD_SIZE", "1")
    return max(world_size(), int(launched) if launched.isdigit() else 1)


class _Gather(torch.autograd.Function):
    """Concatenate over ranks. Backward: the sum over ranks of what each wants of our rows; DDP divides by their number."""

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
    """Add over ranks. Backward: the sum over ranks of what each wants of our summand; DDP divides by their number."""

    @staticmethod
    def forward(ctx: Any, values: Tensor) -> Tensor:
        return _all_reduce(values)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        return _all_reduce(gradients[0])


def gather_rows(rows: Tensor) -> Tensor:
    """Return the rows of all processes in order of rank, with gradient; the rows themselves where there is one process.

    Every process must bring the same number of rows. Shapes: (rows, ...) -> (rows * processes, ...).
    """
    if world_size() == 1:
        return rows
    if not rows.is_floating_point():
        return _all_gather(rows)
    gathered: Tensor = _Gather.apply(rows)  # type: ignore[no-untyped-call]
    return gathered


def own_rows(gathered: Tensor) -> Tensor:
    """Return this process's rows of what `gather_rows` gave. Shapes: (rows * processes, ...) -> (rows, ...)."""
    return gathered if world_size() == 1 else gathered.chunk(world_size())[distributed.get_rank()]


def sum_over_processes(values: Tensor) -> Tensor:
    """Return the sum over the processes, with gradient; the values themselves where there is one process. Any shape, the same in all."""
    if world_size() == 1:
        return values
    if not values.is_floating_point():
        return _all_reduce(values)
    total: Tensor = _Add.apply(values)  # type: ignore[no-untyped-call]
    return total


def max_over_processes(number: int, device: torch.device) -> int:
    """Return the largest of the processes' numbers. `device` is where the processes communicate: that of the training."""
    if world_size() == 1:
        return number
    largest = torch.tensor(number, device=device)
    distributed.all_reduce(largest, distributed.ReduceOp.MAX)
    return int(largest)


def broadcast_from_first(tensors: Iterable[Tensor]) -> None:
    """Overwrite the tensors by those of the process of rank 0, so that they are equal everywhere to the last bit."""
    if world_size() == 1:
        return
    for tensor in tensors:
        distributed.broadcast(tensor.detach(), 0)


def average_gradients(parameters: list[torch.nn.Parameter]) -> None:
    """Average the gradients over the processes in place: what DDP does for the encoder, for modules that it does not wrap."""
    if world_size() == 1:
        return
    for parameter in parameters:
        if parameter.requires_grad:
            if parameter.grad is None:
                parameter.grad = torch.zeros_like(parameter)
            distributed.all_reduce(parameter.grad)
            parameter.grad /= world_size()


def _all_gather(rows: Tensor) -> Tensor:
    parts = [torch.empty_like(rows, memory_format=torch.contiguous_format) for _ in range(world_size())]
    distributed.all_gather(parts, rows.contiguous())
    return torch.cat(parts)


def _all_reduce(values: Tensor) -> Tensor:
    total = values.clone(memory_format=torch.contiguous_format)
    distributed.all_reduce(total)
    return total
