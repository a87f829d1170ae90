"""A shard: the rows that one augmentation made of one block of the corpus, in a file that says what it was made from.

Only shards have visible names in an output folder, so that pandas, datasets, polars, pyarrow and duckdb read the folder as it is.
A Parquet file contains its origin, and the checksum over all of its bytes, in its footer. The text formats have no place for them: there
both are in a hidden file next to the shard, which the readers ignore.
"""

from __future__ import annotations

import csv
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from augcse.corpus.json_values import cell_text, json_text, plain_text
from augcse.errors import unknown_name
from augcse.files import file_sha256, whole_file, write_text

if TYPE_CHECKING:
    import pyarrow as pa

Format = Literal["parquet", "jsonl", "csv"]
FORMATS: tuple[Format, ...] = get_args(Format)
_NAME = re.compile(rf"part-\d{{5,}}~[A-Za-z0-9~]+\.({'|'.join(FORMATS)})")
_FOOTER_KEY = b"augcse"
_MAX_LABEL_CHARACTERS = 60
# Placeholder in the file while its checksum is computed.
_NO_CHECKSUM = "0" * 64


@dataclass(frozen=True, slots=True)
class ShardOrigin:
    """What a shard was made from, how many rows it has, and in how many of the sentences the augmentation changed something."""

    made_from: Mapping[str, Any]
    rows: int
    changed: int


def check_format(name: str) -> None:
    """Raise `UserError` for an unknown format."""
    if name not in FORMATS:
        raise unknown_name("format", name, FORMATS)


def shard_path(folder: Path, block: int, spec: str, suffix: str) -> Path:
    """Return the file for the rows of one augmentation and one block of sentences.

    A spec of more than letters and digits (options, the user's file) gets a checksum, so that no two share a name. Tildes separate the
    words: between hyphens, dots or underscores, datasets would take "test" or "train" for the name of a split and skip all other files.

    >>> shard_path(Path(), 0, "RandomSwap", "parquet").name
    'part-00000~RandomSwap.parquet'
    >>> shard_path(Path(), 12, "my_rules.py:test", "csv").name
    'part-00012~my~rules~py~test~a86f863e.csv'
    """
    label = spec
    if not re.fullmatch(rf"[A-Za-z0-9]{{1,{_MAX_LABEL_CHARACTERS}}}", spec):
        readable = re.sub(r"[^A-Za-z0-9]+", "~", spec).strip("~")[:_MAX_LABEL_CHARACTERS]
        label = f"{readable}~{hashlib.sha256(spec.encode()).hexdigest()[:8]}"
    return folder / f"part-{block:05d}~{label}.{suffix}"


def is_shard_name(name: str) -> bool:
    """Return whether a file has the name of a shard."""
    return _NAME.fullmatch(name) is not None


def write_shard(path: Path, table: pa.Table, origin: ShardOrigin) -> None:
    """Write a shard in the format of its suffix, whole or not at all."""
    if path.suffix == ".parquet":
        with whole_file(path) as partial:
            _write_parquet(partial, table, origin)
        return
    with whole_file(path) as partial:
        _TEXT_WRITERS[path.suffix](partial, table)
    # After a kill at this point the origin is missing, and the shard is written again.
    write_text(_origin_file(path), json.dumps({**asdict(origin), "sha256": file_sha256(path)}))


def read_origin(path: Path) -> ShardOrigin | None:
    """Return the origin that a shard states, without checking its bytes; None if it states none that can be read."""
    stated = _read_stated(path)
    return None if stated is None else stated[0]


def read_whole(path: Path) -> ShardOrigin | None:
    """Return the origin of a shard if every byte is as it was written, else None."""
    origin, checksum = _read_stated(path) or (None, "")
    if origin is None or not re.fullmatch(r"[0-9a-f]{64}", checksum):
        return None
    content = path.read_bytes()
    if path.suffix == ".parquet":
        content = content.replace(checksum.encode(), _NO_CHECKSUM.encode())
    return origin if hashlib.sha256(content).hexdigest() == checksum else None


def _read_stated(path: Path) -> tuple[ShardOrigin, str] | None:
    """Return the origin and the checksum that a shard states; None if they cannot be read."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        is_parquet = path.suffix == ".parquet"
        with (path if is_parquet else _origin_file(path)).open("rb") as file:
            document = json.loads((pq.read_metadata(file).metadata or {})[_FOOTER_KEY] if is_parquet else file.read())
        origin = ShardOrigin(document["made_from"], document["rows"], document["changed"])
        checksum = str(document.get("sha256"))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, pa.ArrowException):
        return None
    is_valid = isinstance(origin.made_from, dict) and isinstance(origin.rows, int) and isinstance(origin.changed, int)
    return (origin, checksum) if is_valid else None


def _origin_file(path: Path) -> Path:
    return path.with_name(f".{path.name}.json")


def _write_parquet(path: Path, table: pa.Table, origin: ShardOrigin) -> None:
    """Write a shard with its origin in the footer, then put the checksum of all bytes in place of the zeros there."""
    import pyarrow.parquet as pq

    text = json.dumps({**asdict(origin), "sha256": _NO_CHECKSUM})
    # Opened by Python, since pyarrow accepts only names in UTF-8.
    with path.open("wb") as opened, pq.ParquetWriter(opened, table.schema, compression="zstd") as writer:
        # datasets cannot read a row group without rows.
        if table.num_rows:
            writer.write_table(table)
        writer.add_key_value_metadata({_FOOTER_KEY: text})
    content = path.read_bytes()
    start = content.rindex(text.encode()) + text.index(_NO_CHECKSUM)
    with path.open("r+b") as file:
        file.seek(start)
        file.write(hashlib.sha256(content).hexdigest().encode())


def _write_jsonl(path: Path, table: pa.Table) -> None:
    with path.open("w", encoding="utf-8", newline="\n") as file:
        for batch in table.to_batches():
            file.writelines(json_text(row, default=plain_text) + "\n" for row in batch.to_pylist())


def _write_csv(path: Path, table: pa.Table) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        # The line end of RFC 4180: Python 3.12 and older quote a cell only for the characters of the line end, and "\r" needs quotes too.
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow(table.column_names)
        for batch in table.to_batches():
            writer.writerows(map(_csv_cells, zip(*(column.to_pylist() for column in batch.columns), strict=True)))


def _csv_cells(row: Iterable[Any]) -> list[str]:
    return ["" if cell is None else cell_text(cell) for cell in row]


_TEXT_WRITERS: dict[str, Callable[[Path, pa.Table], None]] = {".jsonl": _write_jsonl, ".csv": _write_csv}
