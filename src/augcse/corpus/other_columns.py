"""The columns of a table other than the text column: their cells, row by row, and a type for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.corpus.columns import Column, ObjectKey, choose_column
from augcse.corpus.delimited import delimited_cells, first_row
from augcse.corpus.files import Corpus
from augcse.corpus.formats import file_format, location
from augcse.corpus.json_values import cell_text, json_elements, json_lines
from augcse.corpus.lines import EncodingErrors, NotTextError, checked, decoded_lines, lone_surrogate
from augcse.errors import UserError

if TYPE_CHECKING:
    import pyarrow as pa

Cells = Mapping[str, Any]
_CHUNK_ROWS = 10_000
# Readers of Parquet refuse a schema that is more than a hundred deep, in which a list counts twice.
_MOST_NESTED = 50
# Deeper than any table's; Python cannot follow a thousand.
_MOST_LEVELS = 200


def other_cells(corpus: Corpus) -> Iterator[Cells]:
    """Yield the other cells of every row of a corpus, by column, blank rows included; plain text has none.

    Raises:
        UserError: as `Corpus.sentences`.
    """
    return chain.from_iterable(_cells(path, corpus.encoding_errors, corpus.column) for path in corpus.paths)


def _cells(path: Path, encoding_errors: EncodingErrors, column: Column) -> Iterator[Cells]:
    kind = file_format(path)
    if kind in ("csv", "tsv"):
        return _delimited(path, encoding_errors, column, tabs=kind == "tsv")
    if kind == "parquet":
        return _parquet(path, column)
    if kind == "text":
        return ({} for _ in decoded_lines(path, encoding_errors))
    values = json_lines(path, encoding_errors) if kind == "jsonl" else json_elements(path, encoding_errors)
    key = ObjectKey(column)
    return (_without_text(location(path, number), value, key, encoding_errors) for number, value in values)


def other_types(corpus: Corpus) -> dict[str, pa.DataType]:
    """Return the other columns of all tables, in order, with an Arrow type that can hold every cell.

    Parquet states its types, CSV and TSV hold text, and those of JSON are inferred from all rows. A column without a common type (numbers
    and objects, say) becomes text.
    """
    import pyarrow as pa

    types_by_name: dict[str, pa.DataType] = {}
    for path in corpus.paths:
        for types in _types(path, corpus.encoding_errors, corpus.column):
            for name, kind in types.items():
                if lone_surrogate(name) is not None:
                    raise UserError(f"{path}: the column {name!r} has no name that can be written; rename it, or leave it out of the table")
                types_by_name[name] = _common_type(types_by_name.get(name, kind), kind)
    return {name: pa.string() if pa.types.is_null(kind) else kind for name, kind in types_by_name.items()}


def column_of(name: str, kind: pa.DataType, rows: Sequence[Cells]) -> pa.Array:
    """Return one column of some rows as an Arrow array; missing cells are null, and other values in a text column become text."""
    import pyarrow as pa

    values = [row.get(name) for row in rows]
    if pa.types.is_string(kind):
        values = [None if value is None else cell_text(value) for value in values]
    try:
        return pa.array(values, kind)
    except (pa.ArrowException, OverflowError) as error:
        reason = str(error).splitlines()[0]
        raise UserError(f"column {name!r} cannot be kept as {kind} ({reason}); leave it out of the table") from error


def output_names(names: Iterable[str], taken: Collection[str]) -> dict[str, str]:
    """Return the output name of each column: its own, with "original_" in front if that is taken.

    >>> output_names(["id", "row", ""], {"row"})
    {'id': 'id', 'row': 'original_row', '': 'unnamed'}
    """
    output_of: dict[str, str] = {}
    for name in names:
        new = name or "unnamed"
        while new in taken or new in output_of.values():
            new = f"original_{new}"
        output_of[name] = new
    return output_of


def _delimited(path: Path, encoding_errors: EncodingErrors, column: Column, tabs: bool) -> Iterator[Cells]:
    names = _delimited_names(path, encoding_errors, column, tabs)
    for _, cells in delimited_cells(path, encoding_errors, [column, *names.values()], tabs):
        yield dict(zip(names, cells[1:], strict=True))


def _delimited_names(path: Path, encoding_errors: EncodingErrors, column: Column, tabs: bool) -> dict[str, str]:
    """Return the other columns' names, each with its selector: the name itself or, without a header, the number."""
    row = first_row(path, encoding_errors, tabs)
    if column is not None and column.isdecimal():
        return {f"column_{number}": str(number) for number in range(1, len(row) + 1) if number != int(column)}
    text = choose_column(path, row, column)
    others = [name for name in row if name != text]
    _check_distinct(f"{path}, line 1", others)
    return {name: name for name in others}


def _check_distinct(where: str, names: Sequence[str]) -> None:
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise UserError(f"{where}: {names.count(repeated)} columns are called {repeated!r}; give each a name of its own")


def _without_text(place: str, value: Any, key: ObjectKey, encoding_errors: EncodingErrors) -> Cells:
    if not isinstance(value, dict):
        return {}
    text = key.among(place, list(value))
    try:
        return {name: _checked(cell, encoding_errors) for name, cell in value.items() if name != text}
    except NotTextError as error:
        raise UserError(f"{place}: {error}") from error


def _checked(cell: Any, encoding_errors: EncodingErrors, level: int = 0) -> Any:
    """Return a JSON value that can be written; raises `NotTextError` for a text that cannot, and for one that is nested too deep."""
    if level > _MOST_LEVELS:
        raise NotTextError(f"a value is nested more than {_MOST_LEVELS} deep; leave it out of the table")
    if isinstance(cell, str):
        return checked(cell, encoding_errors)
    if isinstance(cell, dict):
        return {checked(key, encoding_errors): _checked(value, encoding_errors, level + 1) for key, value in cell.items()}
    return [_checked(value, encoding_errors, level + 1) for value in cell] if isinstance(cell, list) else cell


def _parquet(path: Path, column: Column) -> Iterator[Cells]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as source, pq.ParquetFile(source) as file:
            text = choose_column(path, file.schema_arrow.names, column)
            for batch in file.iter_batches(_CHUNK_ROWS):
                yield from batch.drop_columns([text]).to_pylist() if batch.num_columns > 1 else ({} for _ in range(batch.num_rows))
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"cannot read {path}: {str(error).splitlines()[0]}; give a whole file of the kind that its name says") from error


def _types(path: Path, encoding_errors: EncodingErrors, column: Column) -> Iterator[dict[str, pa.DataType]]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    kind = file_format(path)
    if kind in ("csv", "tsv"):
        yield dict.fromkeys(_delimited_names(path, encoding_errors, column, tabs=kind == "tsv"), pa.string())
    elif kind == "parquet":
        with path.open("rb") as source:
            schema = pq.read_schema(source)
        text = choose_column(path, schema.names, column)
        _check_distinct(str(path), schema.names)
        yield {field.name: field.type for field in schema if field.name != text}
    elif kind != "text":
        cells = _cells(path, encoding_errors, column)
        while chunk := list(islice(cells, _CHUNK_ROWS)):
            yield {name: _inferred(name, chunk) for name in dict.fromkeys(name for row in chunk for name in row)}


def _inferred(name: str, rows: Sequence[Cells]) -> pa.DataType:
    import pyarrow as pa

    try:
        kind = pa.array([row.get(name) for row in rows]).type
    except (pa.ArrowException, OverflowError):
        return pa.string()
    return kind if _depth(kind) <= _MOST_NESTED else pa.string()


def _depth(kind: pa.DataType) -> int:
    return 1 + max((_depth(kind.field(index).type) for index in range(kind.num_fields)), default=0)


def _common_type(first: pa.DataType, second: pa.DataType) -> pa.DataType:
    """Return a type that can hold the values of both, text if there is no second."""
    import pyarrow as pa

    if first == second:
        return first
    try:
        fields = [pa.schema([("column", kind)]) for kind in (first, second)]
        return pa.unify_schemas(fields, promote_options="permissive").field("column").type
    except pa.ArrowException:
        return pa.string()
