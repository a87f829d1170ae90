"""Batch composition: rows of equal token length, or random rows, which are padded.

With equal lengths nothing is computed on padding, and the length of a sentence does not distinguish it from its negatives. All papers use
random batches, in which nearly all negatives differ in length from their anchor.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

import numpy as np
import torch

from augcse.objectives.views import TEACHER
from augcse.rng import derive_seed
from augcse.training.store.files import Array, TokenStore

BatchKind = Literal["equal-length", "random"]


def equal_length_batches(lengths: Array, batch_size: int, generator: np.random.Generator) -> list[Array]:
    """Cut all rows into full batches whose rows share one length where that length has enough rows.

    Rows are shuffled, then sorted by length (stably), and cut into full batches for each length. The rows left over are joined, in order
    of length, into batches of mixed lengths; the last incomplete batch is dropped. The batches are returned in random order.

    Args:
        lengths: (rows,) token counts.
        batch_size: rows per batch.
        generator: decides the shuffle.

    Returns:
        Arrays of row numbers, (batch_size,) each; rows // batch_size of them.
    """
    shuffled = generator.permutation(len(lengths))
    ordered = shuffled[np.argsort(lengths[shuffled], kind="stable")]
    sorted_lengths = lengths[ordered]
    starts = np.flatnonzero(np.diff(sorted_lengths, prepend=-1))
    groups = np.split(ordered, starts[1:])
    batches: list[Array] = []
    leftovers: list[Array] = []
    for group in groups:
        full = len(group) // batch_size * batch_size
        batches += list(group[:full].reshape(-1, batch_size))
        leftovers.append(group[full:])
    pooled = np.concatenate(leftovers) if leftovers else np.empty(0, dtype=np.int64)
    full = len(pooled) // batch_size * batch_size
    batches += list(pooled[:full].reshape(-1, batch_size))
    order = generator.permutation(len(batches))
    return [batches[index] for index in order]


def random_batches(rows: int, batch_size: int, generator: np.random.Generator) -> list[Array]:
    """Cut `rows` rows in random order into full batches; the last incomplete one is left out. Returns what `equal_length_batches` does."""
    full = rows // batch_size * batch_size
    return list(generator.permutation(rows)[:full].reshape(-1, batch_size))


class StoreBatchSampler(torch.utils.data.Sampler[list[int]]):
    """Batch sampler over a token store; an epoch's batches depend on (seed, epoch) only, so that a resumed run gets the same ones.

    Args:
        lengths: (rows,) token counts.
        batch_size: rows per batch.
        seed: of the shuffle.
        epochs: how many epochs have their own rows; row i of epoch e is given as e * rows + i, which the collator undoes.
        kind: which rows share a batch: those of "equal-length" (see `equal_length_batches`), or any, at "random".
    """

    def __init__(self, lengths: Array, batch_size: int, seed: int, epochs: int = 1, kind: BatchKind = "equal-length") -> None:
        self.lengths = np.asarray(lengths)
        self.batch_size = batch_size
        self.seed = seed
        self.epochs = epochs
        self.kind = kind
        self.epoch = 0
        # accelerate calls `sampler.set_epoch` when it distributes the batches over several processes.
        self.sampler = self

    def set_epoch(self, epoch: int) -> None:
        """Set the epoch whose batches the next iteration yields."""
        self.epoch = epoch

    def __len__(self) -> int:
        return len(self.lengths) // self.batch_size

    def __iter__(self) -> Iterator[list[int]]:
        generator = np.random.Generator(np.random.PCG64(derive_seed(self.seed, "batches", self.epoch)))
        first = self.epoch % self.epochs * len(self.lengths)
        for batch in self._batches(generator):
            yield (first + batch).tolist()

    def _batches(self, generator: np.random.Generator) -> list[Array]:
        if self.kind == "random":
            return random_batches(len(self.lengths), self.batch_size, generator)
        return equal_length_batches(self.lengths, self.batch_size, generator)


class StoreDataset(torch.utils.data.Dataset[int]):
    """Row numbers; the collator fetches a whole batch from the store at once."""

    def __init__(self, rows: int) -> None:
        self.rows = rows

    def __len__(self) -> int:
        return self.rows

    def __getitem__(self, row: int) -> int:
        return row


class StoreCollator:
    """Turns row numbers into sentence-transformers' flat feature dict: `<view>_input_ids`, `<view>_attention_mask`, `label`."""

    # Read by the stock trainer.
    valid_label_columns = ("label",)

    def __init__(self, store: TokenStore, pad_id: int) -> None:
        self.store = store
        self.pad_id = pad_id

    def __call__(self, rows: list[int]) -> dict[str, Any]:
        """Return tensors: (batch, length) per view; (batch,) labels of augmentations or task, (batch, 2) of both, the task's first."""
        batch: dict[str, Any] = {}
        # All rows of a batch are of one epoch.
        epoch = rows[0] // len(self.store)
        store = self.store.of_epoch(epoch)
        rows = [row - epoch * len(self.store) for row in rows]
        for name, view in store.views.items():
            ids, mask = view.padded(rows, self.pad_id)
            batch[f"{name}_input_ids"] = torch.from_numpy(ids)
            batch[f"{name}_attention_mask"] = torch.from_numpy(mask)
        if self.store.teacher is not None:
            # A feature of the first view, see `augcse.objectives.rankcse`.
            batch[f"original_{TEACHER}"] = torch.from_numpy(self.store.teacher[rows].astype(np.float32))
        labels = _labels(store, rows)
        if labels is not None:
            batch["label"] = torch.from_numpy(labels)
        return batch


def _labels(store: TokenStore, rows: list[int]) -> Array | None:
    """Return the rows' labels, integers unless the task is a regression; None if the store has none."""
    labels_of_rows = [labels[rows] for labels in (store.task_labels, store.labels) if labels is not None]
    if not labels_of_rows:
        return None
    is_regression = np.issubdtype(labels_of_rows[0].dtype, np.floating)
    columns = [labels.astype(np.float32 if is_regression else np.int64) for labels in labels_of_rows]
    return columns[0] if len(columns) == 1 else np.stack(columns, axis=1)
