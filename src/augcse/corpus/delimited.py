"""Rows of CSV and TSV files: the delimiter, the header, and rows whose cells are as many as the header's."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from augcse.corpus.columns import Column, choose_column, column_indices
from augcse.corpus.lines import MAX_LINE_BYTES, EncodingErrors, decoded_lines
from augcse.errors import UserError

# In a .csv, in this order; a .tsv has tabs.
DELIMITERS = ",;\t|"
_SAMPLE_LINES = 20
_SAMPLE_CHARACTERS = 1 << 16
_SPOKEN = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_REMEDIES = {"\t": "put a blank in place of a tab inside a text"}


def delimited_cells(path: Path, encoding_errors: EncodingErrors, columns: Sequence[Column], tabs: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of the row's first line, one cell per column) of every row after the header, blank ones too.

    A CSV's delimiter is the one of `DELIMITERS` that separates the cells of its first lines; its quoted cells may span lines. A TSV's
    quotation marks are text.

    Raises:
        UserError: a row with more or fewer cells than the first, a quotation mark that is never closed, no such column.
    """
    indices = column_indices(path, columns)
    records, reader = _opened(path, encoding_errors, tabs, bool(indices))
    cells = 0
    for number, row in records.rows(reader):
        if len(row) <= 1 and not "".join(row).strip():
            if indices:
                yield number, [""] * len(columns)
        elif not indices:
            header, cells = [cell.strip() for cell in row], len(row)
            indices = [header.index(choose_column(path, header, column)) for column in columns]
        else:
            cells = cells or len(row)
            _check_cells(path, number, row, cells, max(indices), reader.dialect.delimiter)
            yield number, [row[index] for index in indices]


def first_row(path: Path, encoding_errors: EncodingErrors, tabs: bool) -> list[str]:
    """Return the first row that is not blank: the header, where there is one; raises as `delimited_cells` does."""
    records, reader = _opened(path, encoding_errors, tabs, headless=True)
    return next(([cell.strip() for cell in row] for _, row in records.rows(reader) if len(row) > 1 or "".join(row).strip()), [])


def _opened(path: Path, encoding_errors: EncodingErrors, tabs: bool, headless: bool) -> tuple[_Records, Any]:
    # The module's own limit is for the whole process: it is only ever raised.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_LINE_BYTES))
    records = _Records(path, decoded_lines(path, encoding_errors))
    sample, whole = records.sample()
    if tabs:
        _refuse_other_delimiter(path, sample, headless)
        reader = csv.reader(records, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
    else:
        reader = csv.reader(records, delimiter=_delimiter(path, sample, whole), strict=True)
    return records, reader


def _check_cells(path: Path, number: int, row: list[str], cells: int, last: int, delimiter: str) -> None:
    if len(row) != cells:
        remedy = _REMEDIES.get(delimiter, f"quote a cell that holds {_SPOKEN[delimiter]}") if len(row) > cells else "write empty cells too"
        raise UserError(f"{path}, line {number}: {len(row)} cells, but the first row has {cells}; {remedy}")
    if last >= cells:
        raise UserError(f"{path}, line {number}: {cells} cells, so there is no column {last + 1}; give --column 1 to {cells}")


class _Records:
    """The lines that a csv reader asks for: where the row it is in began, how long it is, where its last quotation mark opened."""

    def __init__(self, path: Path, lines: Iterator[tuple[int, str]]) -> None:
        self._path = path
        self._lines = lines
        self._begin()

    def _begin(self) -> None:
        self._first = self._opened = self._characters = 0
        self._inside = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        number, line = next(self._lines)
        self._first = self._first or number
        self._characters += len(line)
        if '"' in line:
            # A doubled mark is text.
            marks = line.replace('""', "").count('"')
            self._inside ^= marks % 2 == 1
            self._opened = number if self._inside and marks else self._opened
        if self._characters > MAX_LINE_BYTES:
            raise self._unclosed(f"within {MAX_LINE_BYTES:,} characters")
        return line

    def sample(self) -> tuple[list[str], bool]:
        """Return the first lines, which will come again, and whether they are all there is."""
        taken: list[tuple[int, str]] = []
        characters = 0
        for number, line in self._lines:
            taken.append((number, line))
            characters += len(line)
            if len(taken) == _SAMPLE_LINES or characters > _SAMPLE_CHARACTERS:
                break
        self._lines = chain(taken, self._lines)
        return [line for _, line in taken], len(taken) < _SAMPLE_LINES and characters <= _SAMPLE_CHARACTERS

    def rows(self, reader: Iterator[list[str]]) -> Iterator[tuple[int, list[str]]]:
        """Yield (number of its first line, cells) of each row that `reader` makes of these lines."""
        while True:
            self._begin()
            try:
                row = next(reader, None)
            except csv.Error as error:
                if "unexpected end of data" in str(error):
                    raise self._unclosed("before the file does") from error
                raise UserError(f"{self._path}, line {self._first}: {error}; double a quotation mark inside a quoted cell") from error
            if row is None:
                return
            yield self._first, row

    def _unclosed(self, reach: str) -> UserError:
        where = f"{self._path}, line {self._opened or self._first}"
        return UserError(f"{where}: a quotation mark opens a cell that does not end {reach}; close it, or double a mark that is text")


def _delimiter(path: Path, sample: list[str], whole: bool) -> str:
    """Return the delimiter of the first row; of several the one by which all rows of the sample have equally many cells."""
    counts = {delimiter: _cells(sample, delimiter, whole) for delimiter in DELIMITERS}
    parting = [delimiter for delimiter, cells in counts.items() if cells and cells[0] > 1]
    if len(parting) <= 1:
        return parting[0] if parting else ","
    even = [delimiter for delimiter in parting if len(set(counts[delimiter])) == 1]
    if len(even) > 1:
        spoken = " and ".join(_SPOKEN[delimiter] for delimiter in even)
        raise UserError(
            f"{path}, line 1: {spoken} separate the cells of the first rows equally well; write the table as .tsv, or with quoted cells"
        )
    return (even or parting)[0]


def _cells(sample: list[str], delimiter: str, whole: bool) -> list[int]:
    """Return the number of cells of each row; the last row of a sample that breaks off may be half a one."""
    try:
        rows = list(csv.reader(sample, delimiter=delimiter))
    except csv.Error:
        return []
    return [len(row) for row in (rows if whole or len(rows) == 1 else rows[:-1]) if row]


def _refuse_other_delimiter(path: Path, sample: list[str], headless: bool) -> None:
    header = next((line for line in sample if line.strip()), "")
    others = [_SPOKEN[delimiter] for delimiter in DELIMITERS if delimiter in header]
    if others and "\t" not in header and not headless:
        raise UserError(f"{path}, line 1: {others[0]} separate the cells of the header of a .tsv, which has tabs; end its name in .csv")
