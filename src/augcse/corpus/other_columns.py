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
# Readers of Parquet refuse a schema of more than a hundred levels, and a list counts as two.
_MOST_NESTED = 50
# More than in any real table; Python's recursion ends at a thousand.
_MOST_LEVELS = 200


def other_cells(corpus: Corpus) -> Iterator[Cells]:
    """Yield the other cells of every row of a corpus, by column, blank rows included; plain text has none.

    Raises:
        UserError: as `Corpus.sentences`.
    """
    return chain.from_iterable(_file_cells(path, corpus.encoding_errors, corpus.column) for path in corpus.paths)


def _file_cells(path: Path, encoding_errors: EncodingErrors, column: Column) -> Iterator[Cells]:
    """Yield the other cells of every row of one file."""
    name = file_format(path)
    if name in ("csv", "tsv"):
        return _delimited_cells(path, encoding_errors, column, tabs=name == "tsv")
    if name == "parquet":
        return _parquet_cells(path, column)
    if name == "text":
        return ({} for _ in decoded_lines(path, encoding_errors))
    values = json_lines(path, encoding_errors) if name == "jsonl" else json_elements(path, encoding_errors)
    key = ObjectKey(column)
    return (_object_cells(location(path, number), value, key, encoding_errors) for number, value in values)


def other_types(corpus: Corpus) -> dict[str, pa.DataType]:
    """Return the other columns of all tables, in order, with an Arrow type that can hold every cell.

    Parquet states its types, CSV and TSV hold text, and those of JSON are inferred from all rows. A column without a common type (numbers
    and objects, say) becomes text.
    """
    import pyarrow as pa

    types_by_name: dict[str, pa.DataType] = {}
    for path in corpus.paths:
        for types in _file_types(path, corpus.encoding_errors, corpus.column):
            for name, arrow_type in types.items():
                if lone_surrogate(name) is not None:
                    raise UserError(f"{path}: the column {name!r} has no name that can be written; rename it, or leave it out of the table")
                types_by_name[name] = _common_type(types_by_name.get(name, arrow_type), arrow_type)
    return {name: pa.string() if pa.types.is_null(arrow_type) else arrow_type for name, arrow_type in types_by_name.items()}


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


def _delimited_cells(path: Path, encoding_errors: EncodingErrors, column: Column, tabs: bool) -> Iterator[Cells]:
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


def _object_cells(place: str, value: Any, key: ObjectKey, encoding_errors: EncodingErrors) -> Cells:
    """Return the entries of a JSON object without its text; {} for a bare value."""
    if not isinstance(value, dict):
        return {}
    text = key.among(place, list(value))
    try:
        return {name: _writable(cell, encoding_errors) for name, cell in value.items() if name != text}
    except NotTextError as error:
        raise UserError(f"{place}: {error}") from error


def _writable(cell: Any, encoding_errors: EncodingErrors, level: int = 0) -> Any:
    """Return a JSON value that can be written; raises `NotTextError` for a text that cannot, and for one that is nested too deep."""
    if level > _MOST_LEVELS:
        raise NotTextError(f"a value is nested more than {_MOST_LEVELS} deep; leave it out of the table")
    if isinstance(cell, str):
        return checked(cell, encoding_errors)
    if isinstance(cell, dict):
        return {checked(key, encoding_errors): _writable(value, encoding_errors, level + 1) for key, value in cell.items()}
    return [_writable(value, encoding_errors, level + 1) for value in cell] if isinstance(cell, list) else cell


def _parquet_cells(path: Path, column: Column) -> Iterator[Cells]:
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        with path.open("rb") as source, pq.ParquetFile(source) as file:
            text = choose_column(path, file.schema_arrow.names, column)
            for batch in file.iter_batches(_CHUNK_ROWS):
                yield from batch.drop_columns([text]).to_pylist() if batch.num_columns > 1 else ({} for _ in range(batch.num_rows))
    except (OSError, pa.ArrowException) as error:
        raise UserError(f"cannot read {path}: {str(error).splitlines()[0]}; give a complete file whose format matches its name") from error


def _file_types(path: Path, encoding_errors: EncodingErrors, column: Column) -> Iterator[dict[str, pa.DataType]]:
    """Yield the Arrow types of a file's other columns: once for a table, and for JSON once per chunk of rows."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    name = file_format(path)
    if name in ("csv", "tsv"):
        yield dict.fromkeys(_delimited_names(path, encoding_errors, column, tabs=name == "tsv"), pa.string())
    elif name == "parquet":
        with path.open("rb") as source:
            schema = pq.read_schema(source)
        text = choose_column(path, schema.names, column)
        _check_distinct(str(path), schema.names)
        yield {field.name: field.type for field in schema if field.name != text}
    elif name != "text":
        cells = _file_cells(path, encoding_errors, column)
        while chunk := list(islice(cells, _CHUNK_ROWS)):
            columns = dict.fromkeys(key for row in chunk for key in row)
            yield {key: _inferred_type(key, chunk) for key in columns}


def _inferred_type(name: str, rows: Sequence[Cells]) -> pa.DataType:
    """Return the Arrow type of a column's cells; text if they have none in common, or are nested too deeply."""
    import pyarrow as pa

    try:
        arrow_type = pa.array([row.get(name) for row in rows]).type
    except (pa.ArrowException, OverflowError):
        return pa.string()
    return arrow_type if _depth(arrow_type) <= _MOST_NESTED else pa.string()


def _depth(arrow_type: pa.DataType) -> int:
    return 1 + max((_depth(arrow_type.field(index).type) for index in range(arrow_type.num_fields)), default=0)


def _common_type(first: pa.DataType, second: pa.DataType) -> pa.DataType:
    """Return a type that can hold the values of both, text if there is no such type."""
    import pyarrow as pa

    if first == second:
        return first
    try:
        schemas = [pa.schema([("column", arrow_type)]) for arrow_type in (first, second)]
        return pa.unify_schemas(schemas, promote_options="permissive").field("column").type
    except pa.ArrowException:
        return pa.string()
