"""One batch over several processes: each encodes its share, and every one sees the embeddings of all.

Gathering behind the encoder, before heads and losses, makes everything there what one process would compute on the joined batch:
negatives, batch statistics, discriminators. SimCSE's code gathers behind the heads and keeps the gradient of its own rows only, so that
its gradient is a fraction of the joined batch's.
"""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor, distributed


def world_size() -> int:
    """Return the number of processes that train together."""
    return distributed.get_world_size() if distributed.is_available() and distributed.is_initialized() else 1


class _Gather(torch.autograd.Function):
    """Concatenate over ranks. Backward: the sum over ranks of what each wants of our rows; DDP divides by their number."""

    @staticmethod
    def forward(ctx: Any, rows: Tensor) -> Tensor:
        ctx.rows = len(rows)
        return _all_gather(rows)

    @staticmethod
    def backward(ctx: Any, *gradients: Tensor) -> Tensor:
        total = gradients[0].contiguous()
        distributed.all_reduce(total)
        start = distributed.get_rank() * ctx.rows
        return total[start : start + ctx.rows]


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


def _all_gather(rows: Tensor) -> Tensor:
    parts = [torch.empty_like(rows) for _ in range(world_size())]
    distributed.all_gather(parts, rows.contiguous())
    return torch.cat(parts)


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
