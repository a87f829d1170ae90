"""An augmentation as a callable for `datasets.map`."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any, TypeAlias

from augcse.annotation.pipeline import BUNDLED_PARSER
from augcse.augmentations.base import Fitted
from augcse.augmentations.run.apply import fit, fitted_edits
from augcse.augmentations.run.columns import RECORD_COLUMNS, TypedList, record_columns
from augcse.augmentations.run.inputs import check_column, checked_parser, checked_seed, corpus_texts, row_numbers, texts_of
from augcse.augmentations.spec import parse_spec
from augcse.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa

# What `map` gives: with the format "arrow" a table, with "pandas" or "polars" a data frame (not named here: neither is a dependency).
Batch: TypeAlias = "Mapping[str, Any] | pa.Table"


@dataclass(frozen=True)
class Augmenter:
    """An augmentation for `datasets.map`: `table.map(Augmenter("RandomSwap"), batched=True, with_indices=True)`.

    Batch size, order and number of processes change nothing, since a row's number keys its draws. Only the workers of a `DataLoader` over
    an `IterableDataset` each count their own rows from 0: take one worker there, or augment the `Dataset` before it.

    Args:
        name: as `augment` takes it.
        column: the column with the texts.
        to: the column for the new texts, None where the augmentation does not apply.
        seed: of the random streams.
        parser: the spaCy pipeline for augmentations that need a parse.
        record: whether the columns `applied` and `changes` are added, as `augcse augment --record` writes them.
        corpus: as `augment` takes it; corpus-bound augmentations (UNA) need it. Each process learns from it once.

    Raises:
        UserError: an unknown augmentation, something else than a text in the corpus, an invalid column, seed or parser, or one of the
            record's columns for the new texts.
    """

    name: str
    column: str = "text"
    to: str = "augmented"
    seed: int = 0
    parser: str = BUNDLED_PARSER
    record: bool = False
    corpus: Iterable[str | None] | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        """Check the settings, and copy the corpus, which may be a stream that can be read only once."""
        parse_spec(self.name)
        check_column(self.column, "column")
        check_column(self.to, "to")
        if self.record and self.to in RECORD_COLUMNS:
            raise UserError(f"to is {self.to!r}, which record=True writes itself; give the new texts another column")
        object.__setattr__(self, "seed", checked_seed(self.seed))
        checked_parser(self.parser)
        if self.corpus is not None:
            object.__setattr__(self, "corpus", tuple(corpus_texts(self.corpus)))

    def __getstate__(self) -> dict[str, Any]:
        """Return the settings alone: with what was learnt from the corpus, `map` would compute another fingerprint."""
        return {setting.name: getattr(self, setting.name) for setting in fields(self)}

    @functools.cached_property
    def _fitted(self) -> dict[str, Fitted]:
        return fit(parse_spec(self.name), [], self.corpus, in_pieces=True)

    def __call__(self, batch: Batch, rows: Sequence[int] | None = None) -> dict[str, TypedList] | pa.Table:
        """Return the new columns of a batch; for a table (formats such as "arrow") the whole table with them, which replaces it.

        `rows` are the numbers of its rows in the data set. Raises `UserError` as `augment` does.
        """
        import pyarrow as pa

        if rows is None or isinstance(rows, int):
            raise UserError("give batched=True and with_indices=True to map: which rows these are decides what is drawn for them")
        columns = _column_names(batch)
        if self.column not in columns:
            raise UserError(f"no column {self.column!r} in the table; give Augmenter column=, one of: {', '.join(columns)}")
        self._check_record(columns)
        texts = texts_of(batch[self.column])
        edits = fitted_edits(parse_spec(self.name), self._fitted, texts, row_numbers(rows, len(texts)), self.seed, self.parser)
        new = {self.to: TypedList([edit and edit.augmented for edit in edits], pa.string())}
        if self.record:
            new |= record_columns(None if edit is None else (edit.sentence, edit.augmented, edit.applied) for edit in edits)
        if isinstance(batch, Mapping):
            return new
        table = pa.table(batch).select(columns)
        return pa.table(dict(zip(columns, table.itercolumns(), strict=True)) | new)

    def _check_record(self, columns: Sequence[str]) -> None:
        """Raise `UserError` if the record would replace columns of the table."""
        replaced = [name for name in RECORD_COLUMNS if self.record and name in columns]
        if replaced:
            raise UserError(
                f"record=True adds the columns {' and '.join(RECORD_COLUMNS)}, and the table has {' and '.join(replaced)}; rename or remove"
                " what it has, or leave record out"
            )


def _column_names(batch: Batch) -> list[str]:
    """Return the names of a batch's columns: `column_names` of an Arrow table, `columns` of a data frame, the keys of a mapping."""
    names = getattr(batch, "column_names", getattr(batch, "columns", batch if isinstance(batch, Mapping) else None))
    if names is None:
        raise UserError(f"map gave a {type(batch).__name__} and no table; leave its input_columns out: Augmenter(column=) names the column")
    return list(names)
