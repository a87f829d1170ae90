"""The writing of shards, block of rows by block of rows: what is whole is kept, what is missing or damaged is written."""

from __future__ import annotations

import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse.augmentations.run.apply import Request
from augcse.augmentations.run.columns import TypedList, record_columns
from augcse.augmentations.run.engines import Results, chunks_of
from augcse.augmentations.run.shards import Format, ShardOrigin, read_whole, shard_path, write_shard
from augcse.corpus.other_columns import Cells, column_of, output_names

if TYPE_CHECKING:
    import pyarrow as pa

SHARD_SENTENCES = 50_000
Progress = Callable[[int], None]
Warn = Callable[[str], None]
# Number, sentence, and the cells beside it in a table.
Row = tuple[int, str, Cells]


@dataclass(frozen=True)
class Block:
    """A stretch of rows and what is still to be made of it; one result per sentence comes in, in order, an empty one of a blank row."""

    number: int
    rows: list[Row]
    missing: tuple[str, ...]
    results: list[list[str | None]] = field(default_factory=list)

    def column(self, index: int) -> list[str | None]:
        """Return one entry of every row's results; None for a blank row."""
        return [texts[index] if texts else None for texts in self.results]


@dataclass(frozen=True)
class ShardTask:
    """The writing of all shards: block of rows by block of rows, in each the augmentations that it lacks."""

    output: Path
    # Spec -> what its shards are made from.
    wanted: dict[str, dict[str, Any]]
    format: Format
    changed_only: bool
    # Whether what made a text, and which spans of characters changed, stand beside it.
    record: bool
    # Of the corpus's other columns.
    types: Mapping[str, pa.DataType]
    progress: Progress
    warn: Warn
    changed: Counter[str] = field(default_factory=Counter)

    def run(self, rows: Iterator[Row], apply: Callable[[Iterable[Request]], Results]) -> dict[str, int]:
        """Write what is missing, all in one stream; return how many rows each augmentation changed."""
        ahead: deque[Block] = deque()

        def requests() -> Iterator[Request]:
            for number, block_rows in enumerate(chunks_of(rows, SHARD_SENTENCES)):
                missing = tuple(name for name in self.wanted if not self._is_kept(number, name))
                if missing:
                    ahead.append(Block(number, block_rows, missing))
                    # A blank row is not text: nothing is asked of it, and it passes unchanged.
                    yield from (Request(row, sentence, missing if sentence else ()) for row, sentence, _ in block_rows)
                else:
                    self.progress(len(block_rows))

        with closing(apply(requests())) as applied:
            for _, texts in applied:
                ahead[0].results.append(texts)
                self.progress(1)
                if len(ahead[0].results) == len(ahead[0].rows):
                    self._write(ahead.popleft())
        return {name: self.changed[name] for name in self.wanted}

    def _is_kept(self, block: int, name: str) -> bool:
        """Tell whether a whole shard is there; what it has changed is counted."""
        path = self._path(block, name)
        if not path.exists():
            return False
        origin = read_whole(path)
        if origin is None or origin.made_from != self._made_from(block, name):
            self.warn(f"{path} is damaged or not ours; it is written again")
            return False
        self.changed[name] += origin.changed
        return True

    def _write(self, block: Block) -> None:
        for index, name in enumerate(block.missing):
            augmented = block.column(index)
            records = _records(block.rows, augmented, block.column(len(block.missing) + index)) if self.record else {}
            table = _table(block.rows, name, augmented, records, self.types)
            changed = sum(text is not None for text in augmented)
            if self.changed_only:
                table = table.filter(table["changed"])
            write_shard(self._path(block.number, name), table, ShardOrigin(self._made_from(block.number, name), table.num_rows, changed))
            self.changed[name] += changed

    def _path(self, block: int, name: str) -> Path:
        return shard_path(self.output, block, name, self.format)

    def _made_from(self, block: int, name: str) -> dict[str, Any]:
        return {**self.wanted[name], "block": block}


def _records(rows: Sequence[Row], augmented: Sequence[str | None], made_by: Sequence[str | None]) -> dict[str, TypedList]:
    made = zip(rows, augmented, made_by, strict=True)
    return record_columns(None if new is None else (old, new, json.loads(steps or "[]")) for (_, old, _), new, steps in made)


def _table(
    rows: Sequence[Row], name: str, augmented: Sequence[str | None], records: Mapping[str, TypedList], types: Mapping[str, pa.DataType]
) -> pa.Table:
    import pyarrow as pa

    own = {
        "row": pa.array([row for row, _, _ in rows], pa.int64()),
        "sentence": pa.array([sentence for _, sentence, _ in rows], pa.string()),
        "augmentation": pa.array([name] * len(rows), pa.string()),
        "augmented": pa.array([new or old for (_, old, _), new in zip(rows, augmented, strict=True)], pa.string()),
        "changed": pa.array([new is not None for new in augmented], pa.bool_()),
        **records,
    }
    cells = [cells for _, _, cells in rows]
    others = {new: column_of(old, types[old], cells) for old, new in output_names(types, own).items()}
    return pa.table(own | others)
