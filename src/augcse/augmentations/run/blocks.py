"""Writing shards, one block of rows after the other: intact shards are kept, missing and damaged ones are written."""

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
# Number, sentence, and the other cells of its row in a table.
Row = tuple[int, str, Cells]


@dataclass(frozen=True)
class Block:
    """A block of rows and the augmentations still to apply; `results` gets one list per row, in order, an empty one for a blank row."""

    number: int
    rows: list[Row]
    missing: tuple[str, ...]
    results: list[list[str | None]] = field(default_factory=list)

    def column(self, index: int) -> list[str | None]:
        """Return one entry of every row's results; None for a blank row."""
        return [texts[index] if texts else None for texts in self.results]


@dataclass(frozen=True)
class ShardTask:
    """Writes all shards: block by block, those of the augmentations that a block lacks."""

    output: Path
    # Spec -> what its shards are made from.
    wanted: dict[str, dict[str, Any]]
    format: Format
    changed_only: bool
    # Whether to write also what made a text, and which spans of characters changed.
    record: bool
    # The types of the corpus's other columns.
    types: Mapping[str, pa.DataType]
    progress: Progress
    warn: Warn
    changed: Counter[str] = field(default_factory=Counter)

    def run(self, rows: Iterator[Row], apply: Callable[[Iterable[Request]], Results]) -> dict[str, int]:
        """Write the missing shards, all in one stream of requests; return how many rows each augmentation changed."""
        unfinished: deque[Block] = deque()

        def requests() -> Iterator[Request]:
            for number, block_rows in enumerate(chunks_of(rows, SHARD_SENTENCES)):
                missing = tuple(name for name in self.wanted if not self._is_kept(number, name))
                if missing:
                    unfinished.append(Block(number, block_rows, missing))
                    # A blank row has no text: no augmentation is applied, and it stays unchanged.
                    yield from (Request(row, sentence, missing if sentence else ()) for row, sentence, _ in block_rows)
                else:
                    self.progress(len(block_rows))

        with closing(apply(requests())) as applied:
            for _, texts in applied:
                unfinished[0].results.append(texts)
                self.progress(1)
                if len(unfinished[0].results) == len(unfinished[0].rows):
                    self._write_shards(unfinished.popleft())
        return {name: self.changed[name] for name in self.wanted}

    def _is_kept(self, block: int, name: str) -> bool:
        """Return whether an intact shard is there already, and if so count what it changed."""
        path = self._path(block, name)
        if not path.exists():
            return False
        origin = read_whole(path)
        if origin is None or origin.made_from != self._made_from(block, name):
            self.warn(f"{path} is damaged or not ours; it is written again")
            return False
        self.changed[name] += origin.changed
        return True

    def _write_shards(self, block: Block) -> None:
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

    ours = {
        "row": pa.array([row for row, _, _ in rows], pa.int64()),
        "sentence": pa.array([sentence for _, sentence, _ in rows], pa.string()),
        "augmentation": pa.array([name] * len(rows), pa.string()),
        "augmented": pa.array([new or old for (_, old, _), new in zip(rows, augmented, strict=True)], pa.string()),
        "changed": pa.array([new is not None for new in augmented], pa.bool_()),
        **records,
    }
    cells = [cells for _, _, cells in rows]
    others = {new: column_of(old, types[old], cells) for old, new in output_names(types, ours).items()}
    return pa.table(ours | others)
