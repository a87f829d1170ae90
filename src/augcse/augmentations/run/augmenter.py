"""An augmentation as what `datasets.map` calls."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from augcse.augmentations.run.apply import Edit, edits
from augcse.augmentations.run.columns import TypedList, record_types
from augcse.errors import UserError


@dataclass(frozen=True)
class Augmenter:
    """An augmentation for `datasets.map`: `table.map(Augmenter("RandomSwap"), batched=True, with_indices=True)`.

    Batch size, order and number of processes change nothing, since a row's number keys its draws.

    Args:
        name: as `augment` takes it.
        column: that holds the texts.
        to: the column for the new texts, None where the augmentation does not apply.
        seed: of the random streams.
        parser: the spaCy pipeline for augmentations that need a parse.
        record: whether the columns `applied` and `changes` are added, as `augcse augment --record` writes them.
    """

    name: str
    column: str = "text"
    to: str = "augmented"
    seed: int = 0
    parser: str = "en_ewt"
    record: bool = False

    def __call__(self, batch: Mapping[str, Any], rows: Sequence[int] | None = None) -> dict[str, list[Any]]:
        """Return the new columns of a batch; `rows` are the numbers of its rows in the table.

        Raises:
            UserError: no such column, a single row in place of a batch, and what `augment` raises.
        """
        if rows is None or isinstance(rows, int):
            raise UserError("give batched=True and with_indices=True to map: which rows these are decides what is drawn for them")
        if self.column not in batch:
            raise UserError(f"no column {self.column!r} in the table; give Augmenter column=, one of: {', '.join(batch)}")
        found = edits(batch[self.column], self.name, seed=self.seed, rows=rows, parser=self.parser)
        return {self.to: _texts(found), **(_records(found) if self.record else {})}


def _texts(found: Sequence[Edit | None]) -> list[Any]:
    import pyarrow as pa

    return TypedList([edit and edit.augmented for edit in found], pa.string())


def _records(found: Sequence[Edit | None]) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {
        "applied": [list(edit.applied) if edit else [] for edit in found],
        "changes": [[asdict(change) for change in edit.changes] if edit else [] for edit in found],
    }
    return {name: TypedList(columns[name], kind) for name, kind in record_types().items()}
