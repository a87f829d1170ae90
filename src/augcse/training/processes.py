"""Several processes that train one model: who they are, who writes, and waiting for each other.

`torchrun --nproc-per-node 2 -m augcse train ...` starts them; each has its own device and its share of every batch. The first one
prepares the corpus and writes; the others read.
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
    """Whether this process is the one that writes; true where there is one only."""
    return os.environ.get("RANK", "0") == "0" or launched_processes() == 1


def meet_other_processes() -> None:
    """Connect the processes that a launcher started; nothing where there is one."""
    if launched_processes() > 1:
        from accelerate import PartialState  # type: ignore[import-untyped]

        PartialState(cpu=not torch.cuda.is_available())


def wait_for_all() -> None:
    """Wait until every process has come here."""
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


def seed_apart(seed: int) -> None:
    """Give each process draws of its own: with equal ones, row i of each process would have the same dropout masks."""
    if world_size() > 1:
        torch.manual_seed(derive_seed(seed, "process", distributed.get_rank()))


def check_gathers(loss: SentenceLoss) -> None:
    """Raise `UserError` where several processes would train a loss that pairs its views with the rows of its own process."""
    if launched_processes() > 1 and not loss.traits.gathers:
        raise UserError(
            f"{type(loss).__name__} compares the rows of one process only; start one, or take an objective of augcse list objectives"
        )
