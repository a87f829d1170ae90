"""Rows of CSV and TSV files: delimiter detection, the header, and a check that all rows have the same number of cells."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any

from augcse.corpus.columns import Column, choose_column, column_indices
from augcse.corpus.lines import MAX_LINE_BYTES, EncodingErrors, decoded_lines
from augcse.errors import UserError

# Candidates in a .csv, in order of preference; a .tsv has tabs.
DELIMITERS = ",;\t|"
_SAMPLE_LINES = 20
_SAMPLE_CHARACTERS = 1 << 16
_NAMES = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "vertical bars"}
_REMEDIES = {"\t": "write a space in place of a tab inside a text"}


def delimited_cells(path: Path, encoding_errors: EncodingErrors, columns: Sequence[Column], tabs: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield (number of the row's first line, one cell per column) of every row after the header, blank ones too.

    A CSV's delimiter is detected among `DELIMITERS` from its first lines; its quoted cells may span lines. In a TSV, quotation marks are
    plain text.

    Raises:
        UserError: a row with more or fewer cells than the first, a quotation mark that is never closed, no such column.
    """
    indices = column_indices(path, columns)
    records, reader = _open_reader(path, encoding_errors, tabs, bool(indices))
    width = 0
    for number, row in records.rows(reader):
        if len(row) <= 1 and not "".join(row).strip():
            if indices:
                yield number, [""] * len(columns)
        elif not indices:
            width = len(row)
            header = [cell.strip() for cell in row]
            indices = [header.index(choose_column(path, header, column)) for column in columns]
        else:
            width = width or len(row)
            _check_width(path, number, row, width, max(indices), reader.dialect.delimiter)
            yield number, [row[index] for index in indices]


def first_row(path: Path, encoding_errors: EncodingErrors, tabs: bool) -> list[str]:
    """Return the first row that is not blank, the header if there is one; [] for a blank file. Raises as `delimited_cells` does."""
    records, reader = _open_reader(path, encoding_errors, tabs, headerless=True)
    for _, row in records.rows(reader):
        if len(row) > 1 or "".join(row).strip():
            return [cell.strip() for cell in row]
    return []


def _open_reader(path: Path, encoding_errors: EncodingErrors, tabs: bool, headerless: bool) -> tuple[_CsvLines, Any]:
    """Return the lines of a file and a csv reader that parses them, with the delimiter of the file."""
    # This limit holds for the whole process, so it is never lowered.
    csv.field_size_limit(max(csv.field_size_limit(), MAX_LINE_BYTES))
    records = _CsvLines(path, decoded_lines(path, encoding_errors))
    sample, is_whole_file = records.sample()
    if tabs:
        _refuse_other_delimiter(path, sample, headerless)
        reader = csv.reader(records, delimiter="\t", quoting=csv.QUOTE_NONE, strict=True)
    else:
        reader = csv.reader(records, delimiter=_delimiter(path, sample, is_whole_file), strict=True)
    return records, reader


def _check_width(path: Path, number: int, row: list[str], width: int, last_index: int, delimiter: str) -> None:
    """Raise `UserError` for a row whose number of cells is not `width`, or a table without the last column asked for."""
    if len(row) != width:
        remedy = "write empty cells too"
        if len(row) > width:
            remedy = _REMEDIES.get(delimiter, f"quote a cell that holds {_NAMES[delimiter]}")
        raise UserError(f"{path}, line {number}: {len(row)} cells, but the first row has {width}; {remedy}")
    if last_index >= width:
        raise UserError(f"{path}, line {number}: {width} cells, so there is no column {last_index + 1}; give --column 1 to {width}")


class _CsvLines:
    """The lines fed to a csv reader, tracking where the current row and its open quotation began, and the row's length."""

    def __init__(self, path: Path, lines: Iterator[tuple[int, str]]) -> None:
        self._path = path
        self._lines = lines
        self._start_row()

    def _start_row(self) -> None:
        self._row_line = self._quote_line = self._characters = 0
        self._in_quotes = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        number, line = next(self._lines)
        self._row_line = self._row_line or number
        self._characters += len(line)
        if '"' in line:
            # A doubled quotation mark is an escaped one.
            marks = line.replace('""', "").count('"')
            if marks % 2 == 1:
                self._in_quotes = not self._in_quotes
            if marks and self._in_quotes:
                self._quote_line = number
        if self._characters > MAX_LINE_BYTES:
            raise self._unclosed_quote(f"within {MAX_LINE_BYTES:,} characters")
        return line

    def sample(self) -> tuple[list[str], bool]:
        """Return the first lines without consuming them, and whether they are the whole file."""
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
        """Yield (number of its first line, cells) of each row that `reader` parses from these lines."""
        while True:
            self._start_row()
            try:
                row = next(reader, None)
            except csv.Error as error:
                if "unexpected end of data" in str(error):
                    raise self._unclosed_quote("before the file does") from error
                raise UserError(f"{self._path}, line {self._row_line}: {error}; double a quotation mark inside a quoted cell") from error
            if row is None:
                return
            yield self._row_line, row

    def _unclosed_quote(self, reach: str) -> UserError:
        where = f"{self._path}, line {self._quote_line or self._row_line}"
        return UserError(f"{where}: a quotation mark opens a cell that does not end {reach}; close it, or double a mark that is text")


def _delimiter(path: Path, sample: list[str], is_whole_file: bool) -> str:
    """Return the delimiter that splits the first row; of several, the one that gives all sampled rows the same number of cells."""
    counts = {delimiter: _cell_counts(sample, delimiter, is_whole_file) for delimiter in DELIMITERS}
    candidates = [delimiter for delimiter, cells in counts.items() if cells and cells[0] > 1]
    if len(candidates) <= 1:
        return candidates[0] if candidates else ","
    consistent = [delimiter for delimiter in candidates if len(set(counts[delimiter])) == 1]
    if len(consistent) > 1:
        delimiters = " and ".join(_NAMES[delimiter] for delimiter in consistent)
        raise UserError(
            f"{path}, line 1: {delimiters} separate the cells of the first rows equally well; write the table as .tsv, or with quoted cells"
        )
    return (consistent or candidates)[0]


def _cell_counts(sample: list[str], delimiter: str, is_whole_file: bool) -> list[int]:
    """Return the number of cells of each row, without the last of a partial sample, which may be cut off; [] if they cannot be parsed."""
    try:
        rows = list(csv.reader(sample, delimiter=delimiter))
    except csv.Error:
        return []
    complete = rows if is_whole_file or len(rows) == 1 else rows[:-1]
    return [len(row) for row in complete if row]


def _refuse_other_delimiter(path: Path, sample: list[str], headerless: bool) -> None:
    """Raise `UserError` for a .tsv whose header has no tab but another delimiter."""
    header = next((line for line in sample if line.strip()), "")
    others = [_NAMES[delimiter] for delimiter in DELIMITERS if delimiter in header]
    if others and "\t" not in header and not headerless:
        raise UserError(f"{path}, line 1: {others[0]} separate the cells of the header of a .tsv, which has tabs; end its name in .csv")
