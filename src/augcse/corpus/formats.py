"""File formats: texts from lines of plain text or from columns of CSV, TSV, JSON and Parquet files.

Files ending in `.gz`, `.xz`, `.bz2` or `.zst` are decompressed while reading (Parquet compresses itself). Without a column name, a column
called "sentence" or "text" is taken, or the only one; of JSON objects the first one decides for its file. A number (from 1) selects a
column of a table without a header. Several columns are read in one pass; some may hold numbers (labels), which are returned as text.
`docs/corpora.md` is the page for users.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from typing import Any

from augcse.corpus.columns import Column, ObjectKey, number_cell
from augcse.corpus.delimited import delimited_cells
from augcse.corpus.json_values import json_elements, json_excerpt, json_lines
from augcse.corpus.lines import EncodingErrors, NotTextError, checked, decoded_lines
from augcse.corpus.parquet import parquet_cells
from augcse.corpus.unpack import COMPRESSIONS
from augcse.errors import UserError

FORMATS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".tab": "tsv",
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".parquet": "parquet",
}
Located = Iterator[tuple[int, str]]
LocatedCells = Iterator[tuple[int, list[str]]]


def file_format(path: Path) -> str:
    """Return "csv", "tsv", "jsonl", "json", "parquet" or "text", by the suffix before any compression.

    >>> file_format(Path("a/corpus.jsonl.gz")), file_format(Path("sentences.dat"))
    ('jsonl', 'text')
    """
    suffixes = [suffix.lower() for suffix in path.suffixes if suffix.lower() not in COMPRESSIONS]
    return FORMATS.get(suffixes[-1], "text") if suffixes else "text"


def location(path: Path, number: int) -> str:
    """Return a file and position for messages: a line, an element of a JSON array, or a row of a Parquet file.

    >>> location(Path("c.parquet"), 3)
    'c.parquet, row 3'
    """
    return f"{path}, {_unit(path)} {number}"


def _unit(path: Path) -> str:
    return {"json": "element", "parquet": "row"}.get(file_format(path), "line")


def located_texts(path: Path, encoding_errors: EncodingErrors, column: Column) -> Located:
    """Yield (line, row or element number from 1, text) of every row of a file, blank ones too.

    Raises:
        UserError: unreadable bytes, a table without the column, a column of plain text, a line that is not JSON, a cell that is not text.
    """
    if file_format(path) == "text":
        if column is not None:
            raise UserError(f"{path} is plain text and has no column {column}; leave --column out, or give a table ({' '.join(FORMATS)})")
        return decoded_lines(path, encoding_errors)
    return ((number, cells[0]) for number, cells in located_cells(path, encoding_errors, [column]))


def located_cells(path: Path, encoding_errors: EncodingErrors, columns: Sequence[Column], scalars: Collection[str] = ()) -> LocatedCells:
    """Yield (line, row or element number from 1, one cell per column) of every row of a table, blank ones too.

    Args:
        path: a file of one of `FORMATS`.
        encoding_errors: "strict" or "replace".
        columns: names, None for the usual text column, or numbers for a table without a header.
        scalars: the columns that may hold numbers and Booleans, in formats that distinguish them from text; returned as in JSON.

    Raises:
        UserError: as `located_texts`.
    """
    name = file_format(path)
    if name == "parquet":
        return parquet_cells(path, columns, scalars, encoding_errors)
    if name in ("csv", "tsv"):
        return delimited_cells(path, encoding_errors, columns, tabs=name == "tsv")
    return _json_cells(path, encoding_errors, columns, scalars)


def _json_cells(path: Path, encoding_errors: EncodingErrors, columns: Sequence[Column], scalars: Collection[str]) -> LocatedCells:
    """Yield (line or element number, one cell per column) of a JSON file."""
    read_values = json_lines if file_format(path) == "jsonl" else json_elements
    keys = [ObjectKey(column) for column in columns]
    for number, value in read_values(path, encoding_errors):
        place = location(path, number)
        values = _values_of_keys(place, value, keys)
        try:
            yield number, [_as_text(cell, column, scalars, encoding_errors) for cell, column in zip(values, columns, strict=True)]
        except NotTextError as error:
            raise UserError(f"{place}: {error}") from error


def _values_of_keys(place: str, value: Any, keys: Sequence[ObjectKey]) -> list[Any]:
    """Return the values of some keys of an object; all are None for a missing object, and a bare value counts as that of a single key."""
    if value is None:
        return [None] * len(keys)
    if isinstance(value, dict):
        return [value[key.among(place, list(value))] for key in keys]
    if len(keys) == 1:
        return [value]
    raise UserError(f"{place}: {json_excerpt(value)} is not a JSON object; {len(keys)} columns are asked for")


def _as_text(value: Any, column: Column, scalars: Collection[str], encoding_errors: EncodingErrors) -> str:
    """Return a JSON value as the text of a cell, "" for null; raises `NotTextError` for a value that the column must not hold."""
    if isinstance(value, str):
        return checked(value, encoding_errors)
    if value is None:
        return ""
    if column not in scalars:
        raise NotTextError(f"{json_excerpt(value)} is not text; name the text's key with --column")
    if not isinstance(value, (int, float)):
        raise NotTextError(f"{json_excerpt(value)} in {column} is neither text nor a number; write one of them")
    return number_cell(value)
