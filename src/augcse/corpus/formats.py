"""Where the sentences lie in a file: lines of text, or one column of a CSV, TSV, JSON-lines or Parquet file.

`.gz` and `.xz` behind the suffix are unpacked on the way (Parquet compresses itself). A table's column is named; where it is not, one
called "sentence" or "text" is taken, or the only one there is. A number names the column of a table without a header, from 1.
"""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from augcse.corpus.lines import COMPRESSIONS, EncodingErrors, decoded_lines
from augcse.errors import UserError, unknown_name

USUAL_COLUMNS = ("sentence", "text")
_CELL_CHARACTERS = 100_000_000
_PARQUET_ROWS = 10_000
Located = Iterator[tuple[int, str]]


def file_format(path: Path) -> str:
    """Return "csv", "tsv", "jsonl", "parquet" or "text", by the suffix before any compression.

    >>> file_format(Path("a/corpus.jsonl.gz")), file_format(Path("sentences.dat"))
    ('jsonl', 'text')
    """
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in COMPRESSIONS]
    last = suffixes[-1] if suffixes else ""
    return {".csv": "csv", ".tsv": "tsv", ".jsonl": "jsonl", ".ndjson": "jsonl", ".parquet": "parquet"}.get(last, "text")


def located_texts(path: Path, encoding_errors: EncodingErrors, column: str | None) -> Located:
    """Yield (line or row number from 1, text) of every row of a file, blank ones too.

    Raises:
        UserError: unreadable bytes, a table without the column, a line that is not JSON, a cell that is not text.
    """
    kind = file_format(path)
    if kind == "parquet":
        return _parquet(path, column)
    if kind == "jsonl":
        return _json_lines(path, encoding_errors, column)
    if kind in ("csv", "tsv"):
        return _table(path, encoding_errors, column, "," if kind == "csv" else "\t")
    return decoded_lines(path, encoding_errors)


def _table(path: Path, encoding_errors: EncodingErrors, column: str | None, delimiter: str) -> Located:
    # A quoted field may span lines, so the reader gets them with their ends. A TSV's quotation marks are text.
    csv.field_size_limit(_CELL_CHARACTERS)
    lines = (line for _, line in decoded_lines(path, encoding_errors))
    if delimiter == ",":
        reader = csv.reader(lines, strict=True)
    else:
        reader = csv.reader(lines, delimiter=delimiter, quoting=csv.QUOTE_NONE, strict=True)
    try:
        place = None
        if column is not None and column.isdecimal():
            place = int(column) - 1
        for row in reader:
            if place is None:
                place = row.index(_choose(path, row, column))
                continue
            if row and place >= len(row):
                raise UserError(f"{path}, line {reader.line_num}: {len(row)} columns, no column {place + 1}")
            yield reader.line_num, row[place] if row else ""
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: not valid {delimiter!r}-separated text: {error}") from error


def _json_lines(path: Path, encoding_errors: EncodingErrors, column: str | None) -> Located:
    for number, line in decoded_lines(path, encoding_errors):
        if not line.strip():
            yield number, ""
            continue
        try:
            value: Any = json.loads(line)
        except json.JSONDecodeError as error:
            raise UserError(f"{path}, line {number}: not JSON ({error.msg}); every line must be one JSON object or string") from error
        if isinstance(value, dict):
            value = value[_choose(path, list(value), column, f", line {number}")]
        if not isinstance(value, str):
            raise UserError(f"{path}, line {number}: {json.dumps(value)[:40]} is not text; name the text's key with --column")
        yield number, value


def _parquet(path: Path, column: str | None) -> Located:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with pq.ParquetFile(path) as file:
            name = _choose(path, file.schema_arrow.names, column)
            if not pa.types.is_string(file.schema_arrow.field(name).type) and not pa.types.is_large_string(
                file.schema_arrow.field(name).type
            ):
                raise UserError(f"{path}: column {name} is {file.schema_arrow.field(name).type}, not text; name another with --column")
            number = 0
            for batch in file.iter_batches(_PARQUET_ROWS, columns=[name]):
                for value in batch.column(0).to_pylist():
                    number += 1
                    yield number, value or ""
    except (OSError, pa.ArrowInvalid) as error:
        raise UserError(f"cannot read {path}: {str(error).splitlines()[0]}") from error


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
