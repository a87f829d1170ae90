"""`augcse augment`: a corpus to shards, resumable, the same bytes for any number of workers, either engine, and in any number of calls."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse import __version__
from augcse.annotation.pipeline import BUNDLED_PARSER, parser_identity, parser_language
from augcse.augmentations.run.apply import Job, Request, apply_requests, fit_all
from augcse.augmentations.run.engines import Engine, Results, apply_stream, check_engine
from augcse.augmentations.run.shards import Format, Origin, check_format, is_shard_name, read_origin, read_whole, shard_path, write_shard
from augcse.augmentations.spec import Spec, parse_specs
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.other_columns import Cells, column_of, other_cells, other_types, output_names
from augcse.corpus.read import CorpusReport, check_corpus_paths, no_sentence, read_sentences
from augcse.errors import UserError
from augcse.files import cannot_write, check_can_be_folder, file_sha256
from augcse.locks import locked_folder

if TYPE_CHECKING:
    import pyarrow as pa

SHARD_SENTENCES = 50_000
FITTED = ".fitted"
Progress = Callable[[int], None]
Warn = Callable[[str], None]
# Number, sentence, and the cells beside it in a table.
Row = tuple[int, str, Cells]


@dataclass(frozen=True)
class Augmented:
    """What `augment_corpus` did: how many rows there were, how many blank, how many each augmentation changed, and why one none."""

    sentences: int
    blank: int
    changed: dict[str, int]
    unchanged: dict[str, str]


@dataclass(frozen=True)
class _Source:
    """The corpus and how it is read."""

    paths: tuple[Path, ...]
    encoding_errors: EncodingErrors
    column: str | None

    def read(self, keep_blank: bool = False, report: CorpusReport | None = None) -> Iterator[str]:
        return read_sentences(self.paths, self.encoding_errors, report, self.column, keep_blank)

    def survey(self) -> CorpusReport:
        """Read all of it once, so that what cannot be read is said before anything is written."""
        report = CorpusReport()
        for _ in self.read(report=report):
            pass
        if not report.sentences:
            raise no_sentence(self.paths)
        return report

    def rows(self) -> Iterator[Row]:
        """Yield every row, blank ones too, with its other cells."""
        others = chain.from_iterable(other_cells(path, self.encoding_errors, self.column) for path in self.paths)
        return ((row, sentence, cells) for row, (sentence, cells) in enumerate(zip(self.read(keep_blank=True), others, strict=True)))

    def types(self) -> dict[str, pa.DataType]:
        return other_types(self.paths, self.encoding_errors, self.column)


def augment_corpus(
    corpus: Sequence[str | Path],
    names: Sequence[str],
    output: Path,
    *,
    seed: int = 0,
    workers: int = 1,
    engine: Engine = "local",
    parser: str = BUNDLED_PARSER,
    encoding_errors: EncodingErrors = "strict",
    column: str | None = None,
    format: Format = "parquet",
    changed_only: bool = False,
    start: Progress = lambda rows: None,
    progress: Progress = lambda rows: None,
    warn: Warn = lambda message: None,
) -> Augmented:
    """Apply every named augmentation to every row and write `row, sentence, augmentation, augmented, changed`, and what else it had.

    The other columns of a table are kept, with their types; one that is called like ours gets "original_" before its name.

    `row` counts the rows of the input from 0, blank ones included; each has its rows in the output, one per augmentation, unless
    `changed_only` leaves out those that an augmentation did not change. A shard holds the rows of one augmentation and
    `SHARD_SENTENCES` sentences, and has its name only when it is whole and checked. What is there is kept, what is missing or damaged
    is written: a second call goes on where a killed one stopped, and one with further names computes those alone. All is checked,
    the corpus to its last line, before anything is written.

    Args:
        corpus: text files or tables.
        names: augmentations, with options, or sets of them.
        output: the folder; held by a lock while it is written.
        seed: of the random streams.
        workers: processes; the result does not depend on it.
        engine: "local" or "ray".
        parser: the spaCy pipeline for augmentations that need a parse.
        encoding_errors: "strict" or "replace", as in `read_sentences`.
        column: of tables, as in `read_sentences`.
        format: "parquet", "jsonl" or "csv".
        changed_only: whether rows that an augmentation left as they were are left out.
        start: called with the number of all rows, when it is known and all is checked.
        progress: called with the number of further sentences that are done.
        warn: called with a line about what the user should know.

    Raises:
        UserError: bad input, an output folder that holds something else or is being written by another process, or a killed worker.
    """
    specs = parse_specs(names)
    check_engine(engine)
    check_format(format)
    source = _Source(tuple(check_corpus_paths(corpus)), encoding_errors, column)
    refuse_foreign(output)
    with locked_folder(output):
        report = source.survey()
        types = source.types()
        common = {**_common(source, seed), "changed_only": changed_only, "format": format}
        wanted = {spec.text: {**common, **_particular(spec, parser)} for spec in specs}
        held = _held(output, common, wanted)
        _try(source, Job(seed, parser), [spec for spec in specs if spec.text not in held])
        for warning in report.warnings():
            warn(warning)
        start(report.sentences + report.blank_lines)
        job = Job(seed, parser, fit_all(list(wanted), source.read, output / _fitted_name(common)))
        task = _Task(output, wanted, format, changed_only, types, progress, warn)
        changed = task.run(source.rows(), lambda requests: apply_stream(requests, job, workers, engine))
        _clean_up(output)
    unchanged = {spec.text: _why_unchanged(spec, parser) for spec in specs if not changed[spec.text]}
    return Augmented(report.sentences + report.blank_lines, report.blank_lines, changed, unchanged)


def finished_shards(output: Path) -> int:
    """Return how many shards a folder holds."""
    return sum(is_shard_name(path.name) for path in output.iterdir()) if output.is_dir() else 0


def refuse_foreign(output: Path) -> None:
    """Raise `UserError` for a folder that holds anything visible but shards."""
    check_can_be_folder(output)
    try:
        free = not output.exists() or all(is_shard_name(path.name) for path in _visible(output))
    except OSError as error:
        raise cannot_write(output, error) from error
    if not free:
        raise UserError(f"{output} is not empty; choose another --output")


def _visible(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.name.startswith(".")]


def _common(source: _Source, seed: int) -> dict[str, Any]:
    """Return what decides the rows of every augmentation."""
    return {
        "augcse": __version__,
        "corpus": [{"name": path.name, "sha256": file_sha256(path)} for path in source.paths],
        "column": source.column,
        "encoding_errors": source.encoding_errors,
        "seed": seed,
        "shard_sentences": SHARD_SENTENCES,
    }


def _particular(spec: Spec, parser: str) -> dict[str, Any]:
    """Return what decides the rows of one augmentation: name, options, a user's code, the parser where it parses."""
    return {
        "augmentation": spec.text,
        "code": spec.member.code_sha256(),
        "parser": parser_identity(parser) if spec.member.needs_parse else None,
    }


def _held(output: Path, common: dict[str, Any], wanted: dict[str, dict[str, Any]]) -> set[str]:
    """Return which augmentations the folder has shards of, wanted now or not; raise where they were made from something else."""
    held: set[str] = set()
    for path in sorted(_visible(output)):
        origin = read_origin(path)
        if origin is None:
            continue
        name = str(origin.made_from.get("augmentation"))
        expected = wanted.get(name, common)
        different = sorted(key for key in expected if origin.made_from.get(key) != expected[key])
        if different:
            raise UserError(
                f"{output} holds augmentations made with other arguments ({', '.join(different)}); choose another --output or delete it"
            )
        held.add(name)
    return held


def _try(source: _Source, job: Job, specs: Sequence[Spec]) -> None:
    """Apply to one sentence, so that a rule that cannot work (no model, an option out of range) says so before anything is written."""
    names = tuple(spec.text for spec in specs if spec.member.fitted is None)
    apply_requests([Request(0, next(source.read()), names)], job)


def _why_unchanged(spec: Spec, parser: str) -> str:
    reason = spec.member.why_unchanged(parser_language(parser) if spec.member.needs_parse else None)
    options = ", ".join(f"{name}={value}" for name, value in spec.options.items())
    return f"{reason} (with {options})" if options else reason


def _fitted_name(common: dict[str, Any]) -> str:
    """Return the folder of what is learnt from the corpus: a hidden one, of this corpus and this way to read it."""
    return f"{FITTED}-{hashlib.sha256(json.dumps(common).encode()).hexdigest()[:12]}"


def _clean_up(output: Path) -> None:
    """Remove what only the work needed, and what killed runs left of it."""
    for path in output.glob(f"{FITTED}-*"):
        shutil.rmtree(path, ignore_errors=True)
    for path in output.glob(".*.partial"):
        path.unlink(missing_ok=True)


@dataclass(frozen=True)
class _Block:
    """A stretch of rows and what is still to be made of it; one result per sentence comes in, in order."""

    number: int
    rows: list[Row]
    missing: tuple[str, ...]
    results: list[list[str | None]] = field(default_factory=list)

    def requests(self) -> Iterator[Request]:
        # A blank row is not text: nothing is asked of it, and it passes unchanged.
        return (Request(row, sentence, self.missing if sentence else ()) for row, sentence, _ in self.rows)

    def add(self, texts: list[str | None]) -> bool:
        """Take the results of the next row; tell whether it was the last one."""
        self.results.append(texts or [None] * len(self.missing))
        return len(self.results) == len(self.rows)


@dataclass(frozen=True)
class _Task:
    """The writing of all shards: block of rows by block of rows, in each the augmentations that it lacks."""

    output: Path
    # Spec -> what its shards are made from.
    wanted: dict[str, dict[str, Any]]
    format: Format
    changed_only: bool
    # Of the corpus's other columns.
    types: Mapping[str, pa.DataType]
    progress: Progress
    warn: Warn
    changed: Counter[str] = field(default_factory=Counter)

    def run(self, rows: Iterator[Row], apply: Callable[[Iterable[Request]], Results]) -> dict[str, int]:
        """Write what is missing, all in one stream; return how many rows each augmentation changed."""
        ahead: deque[_Block] = deque()

        def requests() -> Iterator[Request]:
            for number, block_rows in enumerate(_blocks(rows)):
                block = _Block(number, block_rows, self._missing(number))
                if block.missing:
                    ahead.append(block)
                    yield from block.requests()
                else:
                    self.progress(len(block_rows))

        with closing(apply(requests())) as applied:
            for _, texts in applied:
                whole = ahead[0].add(texts)
                self.progress(1)
                if whole:
                    self._write(ahead.popleft())
        return {name: self.changed[name] for name in self.wanted}

    def _missing(self, block: int) -> tuple[str, ...]:
        """Return the augmentations without a whole shard for a block; what the others have changed is counted."""
        return tuple(name for name in self.wanted if not self._is_kept(block, name))

    def _is_kept(self, block: int, name: str) -> bool:
        path = self._path(block, name)
        if not path.exists():
            return False
        origin = read_whole(path)
        if origin is None or origin.made_from != self._made_from(block, name):
            self.warn(f"{path} is damaged or not ours; it is written again")
            return False
        self.changed[name] += origin.changed
        return True

    def _write(self, block: _Block) -> None:
        for name, *augmented in zip(block.missing, *block.results, strict=True):
            table = _table(block.rows, name, augmented, self.types)
            changed = sum(text is not None for text in augmented)
            if self.changed_only:
                table = table.filter(table["changed"])
            write_shard(self._path(block.number, name), table, Origin(self._made_from(block.number, name), table.num_rows, changed))
            self.changed[name] += changed

    def _path(self, block: int, name: str) -> Path:
        return shard_path(self.output, block, name, self.format)

    def _made_from(self, block: int, name: str) -> dict[str, Any]:
        return {**self.wanted[name], "block": block}


def _blocks(rows: Iterator[Row]) -> Iterator[list[Row]]:
    while block := list(islice(rows, SHARD_SENTENCES)):
        yield block


def _table(rows: Sequence[Row], name: str, augmented: Sequence[str | None], types: Mapping[str, pa.DataType]) -> pa.Table:
    import pyarrow as pa

    own = {
        "row": pa.array([row for row, _, _ in rows], pa.int64()),
        "sentence": pa.array([sentence for _, sentence, _ in rows], pa.string()),
        "augmentation": pa.array([name] * len(rows), pa.string()),
        "augmented": pa.array([new or old for (_, old, _), new in zip(rows, augmented, strict=True)], pa.string()),
        "changed": pa.array([new is not None for new in augmented], pa.bool_()),
    }
    cells = [cells for _, _, cells in rows]
    others = {new: column_of(old, types[old], cells) for old, new in output_names(types, own).items()}
    return pa.table(own | others)
