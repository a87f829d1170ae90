"""Distributed training: connecting and synchronizing processes, and seeding each of them.

`torchrun --nproc-per-node 2 -m augcse train ...` starts them; each has its own device and its share of every batch. The process of rank 0
prepares the corpus and writes files; the others read them.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

import torch
from torch import distributed

from augcse.errors import UserError
from augcse.objectives.gather import launched_processes, world_size
from augcse.rng import derive_seed

if TYPE_CHECKING:
    from augcse.objectives.sentence_loss import SentenceLoss


def is_first_process() -> bool:
    """Return whether this process, of rank 0, is the one that writes files; true in a single process."""
    return os.environ.get("RANK", "0") == "0" or launched_processes() == 1


def connect_processes() -> None:
    """Initialize the process group of the processes that a launcher started; do nothing in a single process."""
    if launched_processes() > 1:
        from accelerate import PartialState  # type: ignore[import-untyped]

        PartialState(cpu=not torch.cuda.is_available())


def wait_for_all() -> None:
    """Wait until every process has reached this call."""
    if world_size() > 1:
        distributed.barrier()


@contextmanager
def first_process_first() -> Iterator[None]:
    """Let the first process through the block before the others enter it."""
    if not is_first_process():
        wait_for_all()
    yield
    if is_first_process():
        wait_for_all()


def seed_per_process(seed: int) -> None:
    """Seed each process differently; with equal seeds, row i of each process would have the same dropout mask."""
    if world_size() > 1:
        torch.manual_seed(derive_seed(seed, "process", distributed.get_rank()))


def check_gathers(loss: SentenceLoss) -> None:
    """Raise `UserError` for a distributed training of a loss that does not gather the rows of all processes."""
    if launched_processes() > 1 and not loss.traits.gathers:
        raise UserError(
            f"{type(loss).__name__} compares the rows of one process only; start one, or take an objective of augcse list objectives"
        )
