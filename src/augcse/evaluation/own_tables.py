"""Graded pairs and labelled sentences from users' tables: the roles of columns, and rows without a score or label.

`docs/own-data.md` is the page for users.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Literal, NoReturn

from augcse.corpus.delimited import delimited_cells, first_row
from augcse.corpus.formats import file_format, located_cells, location
from augcse.corpus.json_values import json_elements, json_excerpt, json_lines
from augcse.corpus.parquet import parquet_names
from augcse.errors import UserError
from augcse.evaluation.pairs import parse_score

Kind = Literal["pairs", "labels"]
SCORE_COLUMNS = ("score", "similarity_score", "similarity", "rating", "grade")
LABEL_COLUMNS = ("label", "class", "category")
TEXT_COLUMNS = ("text", "sentence")
SENTENCE_COLUMNS = (
    ("sentence1", "sentence2"),
    ("sentence_a", "sentence_b"),
    ("text1", "text2"),
    ("sent1", "sent2"),
    ("question1", "question2"),
    ("premise", "hypothesis"),
)
_KNOWN = {*SCORE_COLUMNS, *LABEL_COLUMNS, *TEXT_COLUMNS, *chain(*SENTENCE_COLUMNS)}
_EXPECTED = "expected columns score, sentence1, sentence2 for graded pairs, or text, label for classes"
_SHOWN_NAMES = 8


@dataclass(frozen=True, slots=True)
class OwnRow:
    """A row: its number in the file, its score or label as text, and its one or two texts, white space normalised."""

    number: int
    value: str
    texts: tuple[str, ...]


@dataclass(frozen=True)
class OwnTable:
    """A table of graded pairs, or of labelled texts.

    Attributes:
        path: of the file.
        kind: pairs or labels.
        rows: those with a score or label.
        left_out: the numbers of the rows without one.
    """

    path: Path
    kind: Kind
    rows: list[OwnRow]
    left_out: list[int]


@dataclass(frozen=True)
class _Columns:
    """The columns to read: score or label first, then the texts; names, or numbers from 1 if the table has no known names."""

    kind: Kind
    asked: tuple[str, ...]
    skip_first: bool = False


def kind_of_table(path: Path) -> Kind:
    """Return what a table holds, by its columns. Raises `UserError` for columns of neither kind."""
    return _choose_columns(path).kind


def read_own_table(path: Path) -> OwnTable:
    """Read a table of graded pairs or labels, recognised by its columns.

    Raises:
        UserError: unreadable bytes, columns of neither kind, a row without a text, or no row with a score or label.
    """
    columns = _choose_columns(path)
    table = OwnTable(path, columns.kind, [], [])
    for number, cells in _row_cells(path, columns):
        value, *texts = (" ".join(cell.split()) for cell in cells)
        if not value and not any(texts):
            continue
        if not all(texts):
            raise UserError(f"{location(path, number)}: an empty sentence; write it, or delete the row")
        if value:
            table.rows.append(OwnRow(number, value, tuple(texts)))
        else:
            table.left_out.append(number)
    if not table.rows:
        raise _no_rows_error(table)
    return table


def _no_rows_error(table: OwnTable) -> UserError:
    noun = "score" if table.kind == "pairs" else "label"
    if table.left_out:
        return UserError(f"{table.path}: none of the {len(table.left_out):,} rows has a {noun}; write one into the column {noun}")
    return UserError(f"{table.path}: no row in it; {_EXPECTED}")


def _choose_columns(path: Path) -> _Columns:
    """Choose the columns by their names or, if no name is known, by their order."""
    file_kind = file_format(path)
    if file_kind in ("json", "jsonl"):
        return _columns_by_name(_json_names(path)) or _refuse_columns(path, _json_names(path))
    if file_kind == "parquet":
        return _columns_by_name(parquet_names(path)) or _refuse_columns(path, parquet_names(path))
    first = first_row(path, "strict", tabs=file_kind != "csv")
    return _columns_by_name(first) or _columns_by_order(path, first)


def _columns_by_name(names: Sequence[str]) -> _Columns | None:
    """Return the columns with known names; None unless there are a score and two sentences, or a label and one or two texts."""
    spelled = {name.strip().lower(): name for name in reversed(names)}
    two = next((pair for pair in SENTENCE_COLUMNS if spelled.keys() >= set(pair)), ())
    score, label, text = (next((name for name in known if name in spelled), None) for known in (SCORE_COLUMNS, LABEL_COLUMNS, TEXT_COLUMNS))
    if two and score:
        return _Columns("pairs", tuple(spelled[name] for name in (score, *two)))
    texts = two or ((text,) if text else ())
    if texts and label:
        return _Columns("labels", tuple(spelled[name] for name in (label, *texts)))
    return None


def _columns_by_order(path: Path, first: Sequence[str]) -> _Columns:
    """Return score, sentence, sentence: the order in a table without names, or with unknown ones."""
    if not any(name.strip() for name in first):
        raise UserError(f"{path}: {'its first row is empty' if first else 'no row in it'}; {_EXPECTED}")
    in_first_row = not first[0].strip() or parse_score(first[0]) is not None
    known = {name.strip().lower() for name in first} & _KNOWN - ({first[0].strip().lower()} & set(SCORE_COLUMNS))
    if len(first) < 3 or (known and not in_first_row):
        _refuse_columns(path, first)
    return _Columns("pairs", ("1", "2", "3"), skip_first=not in_first_row)


def _refuse_columns(path: Path, names: Sequence[str]) -> NoReturn:
    listed = ", ".join(" ".join(name.split())[:40] for name in names[:_SHOWN_NAMES])
    more = f" and {len(names) - _SHOWN_NAMES:,} more" if len(names) > _SHOWN_NAMES else ""
    raise UserError(f"{path}: its columns are {listed}{more}; {_EXPECTED}")


def _json_names(path: Path) -> list[str]:
    """Return the keys of the first object in a JSON file."""
    values = json_lines(path, "strict") if file_format(path) == "jsonl" else json_elements(path, "strict")
    for number, value in values:
        if isinstance(value, dict):
            return list(value)
        if value is not None:
            raise UserError(f"{location(path, number)}: {json_excerpt(value)} is no JSON object; {_EXPECTED}")
    raise UserError(f"{path}: no row in it; {_EXPECTED}")


def _row_cells(path: Path, columns: _Columns) -> Iterator[tuple[int, list[str]]]:
    """Yield the requested cells of each row; a file with an unknown suffix is read as a tab-separated table."""
    if file_format(path) == "text":
        rows = delimited_cells(path, "strict", columns.asked, tabs=True)
    else:
        rows = located_cells(path, "strict", columns.asked, scalars=columns.asked)
    skip = columns.skip_first
    for number, cells in rows:
        if skip and any(cell.strip() for cell in cells):
            skip = False
            continue
        yield number, cells
