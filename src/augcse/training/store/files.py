"""The token store: training rows as token ids in memory-mapped files, so that resident memory does not grow with the corpus."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

import numpy as np
import numpy.typing as npt

from augcse.files import write_json
from augcse.training.manifest import digest_of, read_digest, write_manifest

Array = npt.NDArray[Any]
META = "store.json"
TASK = "task"
TASK_TYPES = {"classification": np.uint32, "regression": np.float32}


@dataclass(frozen=True)
class View:
    """One text column as flat token ids and the offsets of its rows: row i is tokens[offsets[i]:offsets[i + 1]]."""

    tokens: Array
    offsets: Array

    @property
    def lengths(self) -> Array:
        """Token counts, (rows,)."""
        return np.diff(self.offsets)

    def row(self, index: int) -> Array:
        """Return the ids of one row, (length,)."""
        return self.tokens[self.offsets[index] : self.offsets[index + 1]]

    def padded(self, rows: Sequence[int], pad_id: int) -> tuple[Array, Array]:
        """Return (ids, mask) of the rows, both (rows, longest row) int64, padded on the right."""
        sequences = [self.row(row) for row in rows]
        longest = max(map(len, sequences))
        ids = np.full((len(rows), longest), pad_id, dtype=np.int64)
        mask = np.zeros((len(rows), longest), dtype=np.int64)
        for index, sequence in enumerate(sequences):
            ids[index, : len(sequence)] = sequence
            mask[index, : len(sequence)] = 1
        return ids, mask


@dataclass(frozen=True)
class TokenStore:
    """The prepared corpus.

    Args:
        views: the views by name.
        labels: one label per row, if there are augmentations.
        meta: the description of the store.
        later: the stores of the second and further epochs, if augmentations are resampled; they have the same rows.
        task_labels: one label per row, if there is a labelled task.
        digest: the digest of the folder's content.
        teacher: one row of `augcse.training.teachers.teacher_vectors` per row, if there are teachers.
    """

    views: dict[str, View]
    labels: Array | None
    meta: dict[str, Any]
    later: tuple[TokenStore, ...] = ()
    task_labels: Array | None = None
    digest: str = ""
    teacher: Array | None = None

    def __len__(self) -> int:
        return len(next(iter(self.views.values())).offsets) - 1

    @property
    def epochs(self) -> int:
        """The number of epochs with augmentations of their own."""
        return 1 + len(self.later)

    @property
    def digest_of_all(self) -> str:
        """The digest of the rows of all epochs."""
        return digest_of([store.digest for store in (self, *self.later)])

    def of_epoch(self, epoch: int) -> TokenStore:
        """Return the store of an epoch, counted from 0; after the last one they repeat."""
        return (self, *self.later)[epoch % self.epochs]

    @classmethod
    def open(cls, folder: Path) -> TokenStore:
        """Open a finished store as memory maps, without checking it against its manifest."""
        meta = json.loads((folder / META).read_text("utf-8"))
        views = {
            name: View(
                np.memmap(folder / f"{name}.tokens", dtype=np.uint32, mode="r"),
                np.memmap(folder / f"{name}.offsets", dtype=np.int64, mode="r"),
            )
            for name in meta["views"]
        }
        labels = np.memmap(folder / "labels", dtype=np.uint16, mode="r") if meta["labelled"] else None
        task = meta.get("task")
        task_labels = np.memmap(folder / TASK, dtype=TASK_TYPES[task["kind"]], mode="r") if task else None
        return cls(views, labels, meta, task_labels=task_labels, digest=read_digest(folder))


class StoreWriter:
    """Appends rows to the files of a store, which is complete when `finish` has written its description.

    Args:
        folder: an empty folder.
        views: the names of the views, in order.
        labelled: whether rows have labels of augmentations.
        task_kind: "classification" or "regression" if rows have labels of a task.
    """

    def __init__(self, folder: Path, views: Sequence[str], labelled: bool, task_kind: str | None = None) -> None:
        self.folder = folder
        self.views = list(views)
        self.labelled = labelled
        self._tokens = {name: (folder / f"{name}.tokens").open("wb") for name in views}
        self._offsets = {name: (folder / f"{name}.offsets").open("wb") for name in views}
        self._labels: IO[bytes] | None = (folder / "labels").open("wb") if labelled else None
        self._task: IO[bytes] | None = (folder / TASK).open("wb") if task_kind else None
        self._task_type = TASK_TYPES.get(task_kind or "")
        self._ends = dict.fromkeys(views, 0)
        for file in self._offsets.values():
            file.write(np.zeros(1, dtype=np.int64).tobytes())

    def __enter__(self) -> StoreWriter:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        # On a full disk closing a file raises an error; the other files must be closed anyway.
        with ExitStack() as closing:
            for file in self._files():
                closing.callback(file.close)

    def append(self, view: str, sequences: Sequence[Sequence[int]]) -> None:
        """Append rows to one view."""
        lengths = np.fromiter(map(len, sequences), dtype=np.int64, count=len(sequences))
        flat = np.fromiter((token for sequence in sequences for token in sequence), dtype=np.uint32, count=int(lengths.sum()))
        ends = self._ends[view] + np.cumsum(lengths)
        self._tokens[view].write(flat.tobytes())
        self._offsets[view].write(ends.astype(np.int64).tobytes())
        self._ends[view] = int(ends[-1]) if len(ends) else self._ends[view]

    def append_labels(self, labels: Iterable[int]) -> None:
        """Append the labels of rows."""
        if self._labels is None:
            raise ValueError("this store has no labels")
        self._labels.write(np.fromiter(labels, dtype=np.uint16).tobytes())

    def append_task_labels(self, labels: Sequence[float]) -> None:
        """Append the task labels of rows: class indices, or regression targets."""
        if self._task is None:
            raise ValueError("this store has no task")
        self._task.write(np.asarray(labels, dtype=self._task_type).tobytes())

    def flush(self) -> None:
        """Flush all files."""
        for file in self._files():
            file.flush()

    def finish(self, meta: dict[str, Any]) -> None:
        """Flush everything, describe the store and write its manifest; `meta` has "task" if rows have labels of a task."""
        self.flush()
        write_json(self.folder / META, {"views": self.views, "labelled": self.labelled, **meta})
        write_manifest(self.folder, {})

    def _files(self) -> Iterator[IO[bytes]]:
        yield from self._tokens.values()
        yield from self._offsets.values()
        yield from (file for file in (self._labels, self._task) if file is not None)
