"""Columns of a Parquet file, row by row, in bounded memory whatever the number of rows and the length of cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from augcse.corpus.columns import Column, choose_column, number_cell
from augcse.corpus.lines import MAX_LINE_BYTES, EncodingErrors, NotTextError, decode
from augcse.errors import UserError

_MAX_ROWS = 10_000
# Text compresses to about a third; a page of one repeated letter to a thousandth, and a page is decompressed as a whole.
_MAX_COMPRESSION_RATIO = 100
_MAX_UNPACKED_BYTES = 64 << 20


def parquet_names(path: Path) -> list[str]:
    """Return the columns' names. Raises `UserError` for a file that is not Parquet."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as source:
            return list(pq.read_schema(source).names)
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"cannot read {path}: {str(error).splitlines()[0]}; give a complete file whose format matches its name") from error


def parquet_cells(
    path: Path, columns: Sequence[Column], scalars: Collection[str], encoding_errors: EncodingErrors
) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number from 1, one cell per column) of every row; a null is "".

    Raises:
        UserError: not a Parquet file, no such column, one that holds neither text nor (in `scalars`) numbers, or cells that are not UTF-8.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        # Opened by Python, since pyarrow does not accept file names that are not UTF-8.
        with path.open("rb") as source, pq.ParquetFile(source) as file:
            names = [choose_column(path, file.schema_arrow.names, column) for column in columns]
            types = [file.schema_arrow.field(name).type for name in names]
            for name, arrow_type, column in zip(names, types, columns, strict=True):
                _check_type(path, name, arrow_type, may_be_number=column in scalars)
            _check_sizes(path, file.metadata, set(names))
            texts = [name for name, arrow_type in zip(names, types, strict=True) if _is_text(arrow_type)]
        # Texts are read dictionary-encoded, so that a value repeated in a page is held once in memory too.
        with path.open("rb") as source, pq.ParquetFile(source, read_dictionary=texts) as file:
            yield from _located_rows(path, file, names, texts, encoding_errors)
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"cannot read {path}: {str(error).splitlines()[0]}; give a complete file whose format matches its name") from error


def _located_rows(
    path: Path, file: Any, names: list[str], texts: list[str], encoding_errors: EncodingErrors
) -> Iterator[tuple[int, list[str]]]:
    """Yield (row number from 1, one cell per column), batch by batch."""
    number = 0
    for batch in file.iter_batches(_MAX_ROWS, columns=list(dict.fromkeys(names))):
        columns = [
            _text_cells(batch.column(name), encoding_errors) if name in texts else _number_cells(batch.column(name)) for name in names
        ]
        for row in range(batch.num_rows):
            number += 1
            try:
                yield number, [cell_at(row) for cell_at in columns]
            except NotTextError as error:
                raise UserError(f"{path}, row {number}: {error}") from error


def _text_cells(column: Any, encoding_errors: EncodingErrors) -> Callable[[int], str]:
    """Return a function from a row to its text, decoded only when it is called; it raises `NotTextError`."""
    import pyarrow as pa

    indices = column.indices.to_pylist()
    values = column.dictionary.cast(pa.large_binary())

    def cell_at(row: int) -> str:
        index = indices[row]
        value = None if index is None else values[index].as_py()
        if value is None:
            return ""
        if len(value) > MAX_LINE_BYTES:
            raise NotTextError(f"{len(value):,} bytes in a cell, of {MAX_LINE_BYTES:,} at most; one sentence per row is expected")
        return decode(value, encoding_errors)

    return cell_at


def _number_cells(column: Any) -> Callable[[int], str]:
    values = column.to_pylist()
    return lambda row: number_cell(values[row])


def _is_text(arrow_type: Any) -> bool:
    import pyarrow as pa

    value = arrow_type.value_type if pa.types.is_dictionary(arrow_type) else arrow_type
    return bool(pa.types.is_string(value) or pa.types.is_large_string(value) or pa.types.is_string_view(value))


def _check_type(path: Path, name: str, arrow_type: Any, may_be_number: bool) -> None:
    """Raise `UserError` for a column that holds neither text nor, if `may_be_number`, numbers."""
    import pyarrow as pa

    if _is_text(arrow_type):
        return
    if not may_be_number:
        raise UserError(f"{path}: column {name} is {_one_line(arrow_type)}, not text; name another with --column")
    if not (pa.types.is_integer(arrow_type) or pa.types.is_floating(arrow_type) or pa.types.is_boolean(arrow_type)):
        raise UserError(f"{path}: column {name} is {_one_line(arrow_type)}, neither text nor a number; write one of them")


def _one_line(arrow_type: Any) -> str:
    return " ".join(str(arrow_type).split())[:80]


def _check_sizes(path: Path, metadata: Any, names: set[str]) -> None:
    """Raise for a column whose compression ratio is too high for text (a decompression bomb)."""
    for group in range(metadata.num_row_groups):
        row_group = metadata.row_group(group)
        for index in range(row_group.num_columns):
            chunk = row_group.column(index)
            unpacked = chunk.total_uncompressed_size
            if chunk.path_in_schema in names and unpacked > max(_MAX_UNPACKED_BYTES, _MAX_COMPRESSION_RATIO * chunk.total_compressed_size):
                raise UserError(
                    f"{path}: column {chunk.path_in_schema} unpacks to {unpacked:,} bytes from {chunk.total_compressed_size:,}:"
                    " no text does; write it with smaller row groups"
                )
