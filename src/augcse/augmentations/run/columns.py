"""The columns that augmenting adds to a table, with the Arrow types that they have whatever they hold."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from augcse.augmentations.word_diff import changed_spans

if TYPE_CHECKING:
    import pyarrow as pa


def record_columns(made: Iterable[tuple[str, str, Sequence[str]] | None]) -> dict[str, TypedList]:
    """Return, of (old text, new text, augmentations that made it), the columns of these and of the changed spans; None: no change."""
    import pyarrow as pa

    span = pa.struct([(key, pa.int64()) for key in ("start", "end", "new_start", "new_end")])
    columns = {"applied": TypedList([], pa.list_(pa.string())), "changes": TypedList([], pa.list_(span))}
    for row in made:
        old, new, applied = row or ("", "", ())
        columns["applied"].append(list(applied))
        columns["changes"].append([asdict(change) for change in changed_spans(old, new)])
    return columns


class TypedList(list[Any]):
    """A list that Arrow reads as a column of the given type, by its protocol `__arrow_array__`.

    From None alone Arrow infers the type null, and from empty lists lists of null; `datasets.map` takes the types of its first batch for
    the whole table, where a rule may first apply to a later row.
    """

    def __init__(self, values: Iterable[Any], kind: pa.DataType) -> None:
        super().__init__(values)
        self._kind = kind

    def __arrow_array__(self, type: pa.DataType | None = None) -> pa.Array:
        """Return the values as an array of the type that Arrow asks for, or else of their own."""
        import pyarrow as pa

        return pa.array(list(self), type or self._kind)
