"""A shard: the rows that one augmentation made of one stretch of the corpus, in a file that says what it was made from.

Nothing but shards has a visible name in an output folder, so that pandas, datasets, polars, pyarrow and duckdb read the folder as it is.
A Parquet file carries its origin, and the checksum over all of its bytes, in its own footer. The text formats have no such place: there
both lie in a hidden file beside it, which the readers pass over.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

from augcse.corpus.json_values import json_text
from augcse.errors import unknown_name
from augcse.files import file_sha256, whole_file, write_text

if TYPE_CHECKING:
    import pyarrow as pa

Format = Literal["parquet", "jsonl", "csv"]
FORMATS: tuple[Format, ...] = get_args(Format)
_NAME = re.compile(rf"part-\d{{5,}}~[A-Za-z0-9~]+\.({'|'.join(FORMATS)})")
_FOOTER_KEY = b"augcse"
_MAX_LABEL_CHARACTERS = 60
_json = functools.partial(json_text, default=str)
# Stands where the checksum will, while the checksum is taken.
_NO_CHECKSUM = "0" * 64


@dataclass(frozen=True, slots=True)
class ShardOrigin:
    """What a shard was made from, how many rows it has, and in how many of the sentences the augmentation changed something."""

    made_from: Mapping[str, Any]
    rows: int
    changed: int


def check_format(name: str) -> None:
    """Raise `UserError` for a format that there is not."""
    if name not in FORMATS:
        raise unknown_name("format", name, FORMATS)


def shard_path(folder: Path, block: int, spec: str, suffix: str) -> Path:
    """Return where the rows of one augmentation and one block of sentences lie.

    A spec that is more than letters and digits (options, a file of the user's) is told from all others by a checksum. A tilde parts the
    words: datasets takes a "test" or "train" between hyphens, dots or underscores for the name of a split, and leaves the rest out.

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
    """Return whether a file is called as shards are."""
    return _NAME.fullmatch(name) is not None


def write_shard(path: Path, table: pa.Table, origin: ShardOrigin) -> None:
    """Write a shard in the format of its suffix, whole or not at all."""
    if path.suffix == ".parquet":
        with whole_file(path) as partial:
            _write_parquet(partial, table, origin)
        return
    with whole_file(path) as partial:
        _TEXT_WRITERS[path.suffix](partial, table)
    # Without it, after a kill in between, the shard is written again.
    write_text(_beside(path), json.dumps({**asdict(origin), "sha256": file_sha256(path)}))


def read_origin(path: Path) -> ShardOrigin | None:
    """Return what a shard says of itself, unchecked; None where it says nothing that can be read."""
    found = _read(path)
    return found[0] if found else None


def read_whole(path: Path) -> ShardOrigin | None:
    """Return what a shard says of itself if every byte is as it was written, else None."""
    origin, checksum = _read(path) or (None, "")
    if origin is None or not re.fullmatch(r"[0-9a-f]{64}", checksum):
        return None
    content = path.read_bytes()
    if path.suffix == ".parquet":
        content = content.replace(checksum.encode(), _NO_CHECKSUM.encode())
    return origin if hashlib.sha256(content).hexdigest() == checksum else None


def _read(path: Path) -> tuple[ShardOrigin, str] | None:
    """Return a shard's origin and checksum, as it tells them."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    try:
        is_parquet = path.suffix == ".parquet"
        with (path if is_parquet else _beside(path)).open("rb") as file:
            document = json.loads((pq.read_metadata(file).metadata or {})[_FOOTER_KEY] if is_parquet else file.read())
        origin, checksum = ShardOrigin(document["made_from"], document["rows"], document["changed"]), str(document.get("sha256"))
    except (OSError, ValueError, KeyError, TypeError, RecursionError, pa.ArrowException):
        return None
    known = isinstance(origin.made_from, dict) and isinstance(origin.rows, int) and isinstance(origin.changed, int)
    return (origin, checksum) if known else None


def _beside(path: Path) -> Path:
    return path.with_name(f".{path.name}.json")


def _write_parquet(path: Path, table: pa.Table, origin: ShardOrigin) -> None:
    import pyarrow.parquet as pq

    text = json.dumps({**asdict(origin), "sha256": _NO_CHECKSUM})
    # A file that Python opens: pyarrow takes no name that is not UTF-8.
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
            file.writelines(_json(row) + "\n" for row in batch.to_pylist())


def _write_csv(path: Path, table: pa.Table) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        # RFC 4180's line end: Python 3.12 and older put quotes around a cell for the characters of this one alone, not for a bare "\r".
        writer = csv.writer(file, lineterminator="\r\n")
        writer.writerow(table.column_names)
        for batch in table.to_batches():
            writer.writerows(map(_csv_cells, zip(*(column.to_pylist() for column in batch.columns), strict=True)))


def _csv_cells(row: Iterable[Any]) -> list[str]:
    return ["" if cell is None else cell if isinstance(cell, str) else _json(cell) for cell in row]


_TEXT_WRITERS: dict[str, Callable[[Path, pa.Table], None]] = {".jsonl": _write_jsonl, ".csv": _write_csv}
