"""`augcse augment`: from a corpus to shards, resumable; the bytes do not depend on the number of workers, the engine or interruptions."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augcse import __version__
from augcse.annotation.pipeline import BUNDLED_PARSER, parser_identity, parser_language
from augcse.augmentations.run import blocks
from augcse.augmentations.run.apply import Job, Request, apply_requests, fit_all
from augcse.augmentations.run.blocks import Progress, Row, ShardTask, Warn
from augcse.augmentations.run.engines import Engine, apply_stream, check_engine
from augcse.augmentations.run.other_language import other_language_warnings
from augcse.augmentations.run.shards import Format, check_format, is_shard_name, read_origin
from augcse.augmentations.spec import Spec, parse_spec, parse_specs
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.other_columns import other_cells, other_types
from augcse.corpus.read import CorpusReport, no_sentence
from augcse.errors import UserError
from augcse.files import cannot_write, check_can_be_folder
from augcse.locks import locked_folder

FITTED = ".fitted"


@dataclass(frozen=True)
class AugmentationCounts:
    """What `augment_corpus` did: how many rows, how many blank ones, how many each augmentation changed, and why one changed none."""

    sentences: int
    blank: int
    changed: dict[str, int]
    unchanged: dict[str, str]


def augment_corpus(
    corpus: str | Path | Sequence[str | Path],
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
    record: bool = False,
    start: Progress = lambda rows: None,
    progress: Progress = lambda rows: None,
    warn: Warn = lambda message: None,
) -> AugmentationCounts:
    """Apply every named augmentation to every row and write `row, sentence, augmentation, augmented, changed` and the row's other columns.

    The other columns of a table are kept, with their types; one that has the name of ours gets "original_" before its name.

    `row` counts the rows of the input from 0, blank ones included; each has one row per augmentation in the output, unless `changed_only`
    is set. A shard contains one augmentation's results for `SHARD_SENTENCES` rows, and gets its name only when it is complete. Intact
    shards are kept, missing or damaged ones are written: a second call continues where a killed one stopped, and one with further names
    computes only those. Everything is checked, the corpus to its last line, before anything is written.

    Args:
        corpus: text files or tables.
        names: augmentations, with options, or sets of them.
        output: the folder; locked while it is written.
        seed: of the random streams.
        workers: processes; the result does not depend on it.
        engine: "local" or "ray".
        parser: the spaCy pipeline for augmentations that need a parse.
        encoding_errors: "strict" or "replace", as in `read_sentences`.
        column: of tables, as in `read_sentences`.
        format: "parquet", "jsonl" or "csv".
        changed_only: whether rows that an augmentation did not change are left out.
        record: whether two more columns say how a text was made: `applied`, the augmentations that changed it, and `changes`, the spans
            of characters that they changed.
        start: called with the number of all rows, once it is known and everything is checked.
        progress: called with the number of further sentences that are done.
        warn: called with a line about what the user should know.

    Raises:
        UserError: bad input, an output folder that contains something else or is being written by another process.
        FailedWorkError: a full disk or a killed worker.
    """
    specs = parse_specs(names)
    check_engine(engine)
    check_format(format)
    if parser != BUNDLED_PARSER:
        # Raises for one that does not exist, even if no rule parses.
        parser_identity(parser)
    source = Corpus.of(corpus, column, encoding_errors)
    refuse_foreign(output)
    with locked_folder(output):
        report = _survey(source)
        types = other_types(source)
        shared = {**_shared_origin(source, seed), "changed_only": changed_only, "record": record, "format": format}
        wanted = {spec.text: {**shared, **_origin_of(spec, parser)} for spec in specs}
        finished = _finished_specs(output, shared, wanted)
        _check_rules_work(source, Job(seed, parser), [spec for spec in specs if spec.text not in finished])
        for warning in (*report.warnings(), *other_language_warnings(source.sentences(), specs, parser)):
            warn(warning)
        start(report.sentences + report.blank_lines)
        job = Job(seed, parser, fit_all(list(wanted), source.sentences, output / _fitted_name(shared, specs)), record)
        task = ShardTask(output, wanted, format, changed_only, record, types, progress, warn)
        changed = task.run(_rows(source), lambda requests: apply_stream(requests, job, workers, engine))
        _clean_up(output)
    unchanged = {spec.text: _why_unchanged(spec, parser) for spec in specs if not changed[spec.text]}
    return AugmentationCounts(report.sentences + report.blank_lines, report.blank_lines, changed, unchanged)


def finished_shards(output: Path) -> int:
    """Return how many shards a folder contains."""
    return sum(is_shard_name(path.name) for path in output.iterdir()) if output.is_dir() else 0


def refuse_foreign(output: Path) -> None:
    """Raise `UserError` for a folder that contains anything visible but shards."""
    check_can_be_folder(output)
    try:
        is_ours = not output.exists() or all(is_shard_name(path.name) for path in _visible(output))
    except OSError as error:
        raise cannot_write(output, error) from error
    if not is_ours:
        raise UserError(f"{output} is not empty; choose another --output")


def _survey(source: Corpus) -> CorpusReport:
    """Read the whole corpus once, so that what cannot be read is reported before anything is written."""
    report = CorpusReport()
    for _ in source.sentences(report):
        pass
    if not report.sentences:
        raise no_sentence(source.paths)
    return report


def _rows(source: Corpus) -> Iterator[Row]:
    """Yield every row, blank ones too, with its other cells."""
    pairs = zip(source.sentences(keep_blank=True), other_cells(source), strict=True)
    return ((row, sentence, cells) for row, (sentence, cells) in enumerate(pairs))


def _visible(folder: Path) -> list[Path]:
    return [path for path in folder.iterdir() if not path.name.startswith(".")]


def _shared_origin(source: Corpus, seed: int) -> dict[str, Any]:
    """Return what the results of every augmentation depend on."""
    return {
        "augcse": __version__,
        "corpus": source.described(),
        "column": source.column,
        "encoding_errors": source.encoding_errors,
        "seed": seed,
        "shard_sentences": blocks.SHARD_SENTENCES,
    }


def _origin_of(spec: Spec, parser: str) -> dict[str, Any]:
    """Return what the results of one augmentation depend on: its name and options, the user's files, the parser if it parses."""
    return {
        "augmentation": spec.text,
        "code": spec.files_sha256(),
        "parser": parser_identity(parser) if spec.needs_parse else None,
    }


def _finished_specs(output: Path, shared: dict[str, Any], wanted: dict[str, dict[str, Any]]) -> set[str]:
    """Return the augmentations of which the folder has shards, wanted now or not; raises `UserError` if their origins differ from ours."""
    finished: set[str] = set()
    for path in sorted(_visible(output)):
        origin = read_origin(path)
        if origin is None:
            continue
        name = str(origin.made_from.get("augmentation"))
        expected = wanted.get(name, shared)
        different = sorted(key for key in expected if origin.made_from.get(key) != expected[key])
        if different:
            changed = _changed_files(name, origin.made_from.get("code")) if "code" in different else []
            since = f"; changed since: {', '.join(changed)}" if changed else ""
            raise UserError(
                f"{output} holds augmentations made with other arguments ({', '.join(different)}){since};"
                " choose another --output or delete it"
            )
        finished.add(name)
    return finished


def _changed_files(name: str, old_checksums: str | None) -> list[str]:
    """Return which of the user's files that an augmentation reads have changed since `Spec.files_sha256` gave these checksums."""
    files, checksums = parse_spec(name).files(), (old_checksums or "").split()
    return [path for index, (path, checksum) in enumerate(files) if checksums[index : index + 1] != [checksum]]


def _check_rules_work(source: Corpus, job: Job, specs: Sequence[Spec]) -> None:
    """Apply each rule to one sentence, so that one that cannot work (no model, wrong options) fails before anything is written."""
    names = tuple(spec.text for spec in specs if not spec.is_fitted)
    apply_requests([Request(0, next(source.sentences()), names)], job)


def _why_unchanged(spec: Spec, parser: str) -> str:
    reason = spec.why_unchanged(parser_language(parser) if spec.needs_parse else None)
    options = ", ".join(f"{name}={value}" for name, value in spec.options.items())
    return f"{reason} (with {options})" if options else reason


def _fitted_name(shared: dict[str, Any], specs: Sequence[Spec]) -> str:
    """Return the hidden folder of what is learnt from the corpus; its name depends on the corpus, how it is read, and the user's files."""
    learnt_by = {spec.text: spec.files_sha256() for spec in specs if spec.is_fitted}
    return f"{FITTED}-{hashlib.sha256(json.dumps([shared, learnt_by]).encode()).hexdigest()[:12]}"


def _clean_up(output: Path) -> None:
    """Remove temporary files, also those that killed runs left."""
    for path in output.glob(f"{FITTED}-*"):
        shutil.rmtree(path, ignore_errors=True)
    for path in output.glob(".*.partial"):
        path.unlink(missing_ok=True)
