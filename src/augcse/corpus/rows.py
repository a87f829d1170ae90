"""Rows of several cells, such as SimCSE's NLI triplets: each view of a labelled row is in a column of a table."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from augcse.corpus.formats import FORMATS, file_format, located_cells, location
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import CorpusReport, check_corpus_paths, cut_to_length
from augcse.errors import UserError


@dataclass(frozen=True, slots=True)
class Row:
    """One row: its cells by role, and its location. A blank row has no cells, and is false."""

    cells: Mapping[str, str]
    path: Path | None = None
    line: int = 0

    def __bool__(self) -> bool:
        return bool(self.cells)

    @property
    def where(self) -> str:
        """File and line, for messages."""
        return location(self.path, self.line) if self.path else ""


def read_rows(
    paths: Sequence[str | Path],
    columns: Mapping[str, str | None],
    encoding_errors: EncodingErrors = "strict",
    report: CorpusReport | None = None,
    *,
    values: Collection[str] = (),
    keep_blank: bool = False,
) -> Iterator[Row]:
    """Yield the rows of all files in order, in one pass; memory does not grow with a file.

    A row with an empty cell among its texts is left out: blank if all are empty, incomplete otherwise. SimCSE's code puts a space in
    place of a missing cell and trains on it.

    Args:
        paths: tables (`augcse.corpus.formats`).
        columns: role of a cell -> the column that holds it; None for the usual text column, numbers from 1 for a table without a
            header.
        encoding_errors: "strict" raises on bytes that are not UTF-8; "replace" puts U+FFFD in their place.
        report: updated while reading; `sentences` counts rows.
        values: roles in `columns` that are not texts: they may be numbers, and may be empty.
        keep_blank: yield a row without cells for each blank one.

    Raises:
        UserError: plain text, a missing path or column, or unreadable bytes, with file and line.
    """
    report = report if report is not None else CorpusReport()
    texts = [name for name in columns if name not in values]
    scalars = {column for name, column in columns.items() if name in values and column is not None}
    for path in check_corpus_paths(paths):
        _check_table(path, columns)
        for number, row_cells in located_cells(path, encoding_errors, list(columns.values()), scalars):
            cells = {name: cell.strip() for name, cell in zip(columns, row_cells, strict=True)}
            filled = [bool(cells[name]) for name in texts]
            if all(filled):
                report.sentences += 1
                yield Row({name: cut_to_length(cell, path, number, report) for name, cell in cells.items()}, path, number)
            elif any(filled):
                report.incomplete_rows += 1
            else:
                report.blank_lines += 1
                if keep_blank:
                    yield Row({}, path, number)


def _check_table(path: Path, columns: Mapping[str, str | None]) -> None:
    if file_format(path) == "text":
        named = ", ".join(column for column in columns.values() if column is not None)
        raise UserError(f"{path} is plain text; rows of {len(columns)} cells need a table ({' '.join(FORMATS)}) with columns {named}")
