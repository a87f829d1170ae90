"""Where the sentences lie in a file: lines of text, or one column of a CSV, TSV, JSON-lines or Parquet file.

`.gz` and `.xz` behind the suffix are unpacked on the way (Parquet compresses itself). A table's column is named; where it is not, one
called "sentence" or "text" is taken, or the only one there is. A number names the column of a table without a header, from 1.
Several columns are read in one pass; some may hold numbers (labels), which come as text.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from augcse.corpus.lines import COMPRESSIONS, EncodingErrors, decoded_lines
from augcse.errors import UserError, unknown_name

USUAL_COLUMNS = ("sentence", "text")
_CELL_CHARACTERS = 100_000_000
_PARQUET_ROWS = 10_000
Column = str | None
Located = Iterator[tuple[int, str]]
LocatedCells = Iterator[tuple[int, list[str]]]


def file_format(path: Path) -> str:
    """Return "csv", "tsv", "jsonl", "parquet" or "text", by the suffix before any compression.

    >>> file_format(Path("a/corpus.jsonl.gz")), file_format(Path("sentences.dat"))
    ('jsonl', 'text')
    """
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in COMPRESSIONS]
    last = suffixes[-1] if suffixes else ""
    return {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}.get(last, "text")


def located_texts(path: Path, encoding_errors: EncodingErrors, column: Column) -> Located:
    """Yield (line or row number from 1, text) of every row of a file, blank ones too.

    Raises:
        UserError: unreadable bytes, a table without the column, a line that is not JSON, a cell that is not text.
    """
    if file_format(path) == "text":
        return decoded_lines(path, encoding_errors)
    return ((number, cells[0]) for number, cells in located_cells(path, encoding_errors, [column]))


def located_cells(path: Path, encoding_errors: EncodingErrors, columns: Sequence[Column], scalars: Collection[str] = ()) -> LocatedCells:
    """Yield (line or row number from 1, one cell per column) of every row of a table, blank ones too.

    Args:
        path: a .csv, .tsv, .jsonl or .parquet file.
        encoding_errors: "strict" or "replace".
        columns: names, None for the usual text column, or numbers for a table without a header.
        scalars: the columns that may hold numbers and truth values where the format tells them from text; they come as JSON writes them.

    Raises:
        UserError: as `located_texts`.
    """
    kind = file_format(path)
    if kind == "parquet":
        return _parquet(path, columns, scalars)
    if kind == "jsonl":
        return _json_lines(path, encoding_errors, columns, scalars)
    return _table(path, encoding_errors, columns, "," if kind == "csv" else "\t")


def _table(path: Path, encoding_errors: EncodingErrors, columns: Sequence[Column], delimiter: str) -> LocatedCells:
    # A quoted field may span lines, so the reader gets them with their ends. A TSV's quotation marks are text.
    csv.field_size_limit(_CELL_CHARACTERS)
    lines = (line for _, line in decoded_lines(path, encoding_errors))
    if delimiter == ",":
        reader = csv.reader(lines, strict=True)
    else:
        reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True)
    places = _numbered(path, columns)
    try:
        for row in reader:
            if not places:
                places = [row.index(_choose(path, row, column)) for column in columns]
                continue
            if row and max(places) >= len(row):
                raise UserError(f"{path}, line {reader.line_num}: {len(row)} columns, no column {max(places) + 1}")
            yield reader.line_num, [row[place] for place in places] if row else [""] * len(places)
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: not valid {delimiter!r}-separated text: {error}") from error


def _numbered(path: Path, columns: Sequence[Column]) -> list[int]:
    """Return the columns' places where all are numbers; none where the first row names them."""
    numbers = [int(column) for column in columns if column is not None and column.isdecimal()]
    if len(numbers) < len(columns):
        return []
    if 0 in numbers:
        raise UserError(f"{path}: no column 0; columns of a table without a header are counted from 1")
    return [number - 1 for number in numbers]


def _json_lines(path: Path, encoding_errors: EncodingErrors, columns: Sequence[Column], scalars: Collection[str]) -> LocatedCells:
    for number, line in decoded_lines(path, encoding_errors):
        if not line.strip():
            yield number, [""] * len(columns)
            continue
        try:
            value: Any = json.loads(line)
        except json.JSONDecodeError as error:
            raise UserError(f"{path}, line {number}: not JSON ({error.msg}); every line must be one JSON object or string") from error
        where = f", line {number}"
        if isinstance(value, dict):
            values = [value[_choose(path, list(value), column, where)] for column in columns]
        elif len(columns) == 1:
            values = [value]
        else:
            raise UserError(f"{path}{where}: {json.dumps(value)[:40]} is no JSON object; {len(columns)} columns are asked for")
        yield number, [_as_text(cell, f"{path}{where}", column, scalars) for cell, column in zip(values, columns, strict=True)]


def _as_text(value: Any, where: str, column: Column, scalars: Collection[str]) -> str:
    if isinstance(value, str):
        return value
    if column not in scalars:
        raise UserError(f"{where}: {json.dumps(value)[:40]} is not text; name the text's key with --column")
    if value is not None and not isinstance(value, (int, float)):
        raise UserError(f"{where}: {json.dumps(value)[:40]} in {column} is neither text nor a number")
    return "" if value is None else json.dumps(value)


def _parquet(path: Path, columns: Sequence[Column], scalars: Collection[str]) -> LocatedCells:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            names = [_choose(path, file.schema_arrow.names, column) for column in columns]
            for name, column in zip(names, columns, strict=True):
                _check_parquet_type(path, name, file.schema_arrow.field(name).type, column in scalars)
            number = 0
            for batch in file.iter_batches(_PARQUET_ROWS, columns=list(dict.fromkeys(names))):
                for row in zip(*(batch.column(name).to_pylist() for name in names), strict=True):
                    number += 1
                    yield number, ["" if cell is None else cell if isinstance(cell, str) else json.dumps(cell) for cell in row]
    except (OSError, pa.ArrowInvalid) as error:
        raise UserError(f"cannot read {path}: {str(error).splitlines()[0]}") from error


def _check_parquet_type(path: Path, name: str, kind: Any, scalar: bool) -> None:
    import pyarrow as pa

    if pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return
    if not scalar:
        raise UserError(f"{path}: column {name} is {kind}, not text; name another with --column")
    if not (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_boolean(kind)):
        raise UserError(f"{path}: column {name} is {kind}, neither text nor a number")


def _choose(path: Path, columns: Sequence[str], column: str | None, where: str = "") -> str:
    """Return the column to read."""
    if column is not None:
        if column not in columns:
            raise UserError(f"{path}{where}: {unknown_name('column', column, columns)}")
        return column
    usual = [name for name in columns if name.lower() in USUAL_COLUMNS]
    if len(usual) == 1 or len(columns) == 1:
        return (usual or list(columns))[0]
    raise UserError(f"{path}{where}: which column holds the text? Give --column; there are {', '.join(columns)}")
