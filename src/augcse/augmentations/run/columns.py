"""The columns that augmenting adds to a table, with Arrow types that do not depend on their values."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from augcse.augmentations.word_diff import changed_spans

if TYPE_CHECKING:
    import pyarrow as pa

# The columns of a record: the augmentations that made a new text, and the spans that they changed.
RECORD_COLUMNS = APPLIED, CHANGES = "applied", "changes"


def record_columns(rows: Iterable[tuple[str, str, Sequence[str]] | None]) -> dict[str, TypedList]:
    """Return the columns `applied` and `changes` for rows of (old text, new text, augmentations that made it); None: an unchanged row."""
    import pyarrow as pa

    span = pa.struct([(key, pa.int64()) for key in ("start", "end", "new_start", "new_end")])
    columns = {APPLIED: TypedList([], pa.list_(pa.string())), CHANGES: TypedList([], pa.list_(span))}
    for row in rows:
        old, new, applied = row or ("", "", ())
        columns[APPLIED].append(list(applied))
        columns[CHANGES].append([asdict(change) for change in changed_spans(old, new)])
    return columns


class TypedList(list[Any]):
    """A list that Arrow reads as a column of the given type, by its protocol `__arrow_array__`.

    Where all values are None or empty lists, Arrow would infer the type null; `datasets.map` takes the types of its first batch for the
    whole table, although a rule may first apply to a later row.
    """

    def __init__(self, values: Iterable[Any], arrow_type: pa.DataType) -> None:
        super().__init__(values)
        self._arrow_type = arrow_type

    def __arrow_array__(self, type: pa.DataType | None = None) -> pa.Array:
        """Return the values as an array of the type that Arrow asks for, else of the list's own type."""
        import pyarrow as pa

        return pa.array(list(self), type or self._arrow_type)
