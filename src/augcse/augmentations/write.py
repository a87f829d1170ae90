"""`augcse augment`: a corpus to sharded Parquet, resumable, the same bytes for any number of workers and either engine."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from augcse import __version__
from augcse.annotation.pipeline import BUNDLED_PARSER, parser_identity
from augcse.augmentations.apply import Job, Request, fit_all
from augcse.augmentations.engines import Engine, Results, apply_stream
from augcse.augmentations.spec import Spec, parse_specs
from augcse.corpus.lines import EncodingErrors
from augcse.corpus.read import CorpusReport, check_corpus_paths, file_sha256, read_sentences
from augcse.errors import UserError
from augcse.files import whole_file, write_json

SHARD_SENTENCES = 50_000
MANIFEST = "manifest.json"
FITTED = "fitted"
Progress = Callable[[int], None]
Warn = Callable[[str], None]


@dataclass(frozen=True)
class Augmented:
    """What `augment_corpus` did: how many rows there were, how many blank, and how many each augmentation changed."""

    sentences: int
    blank: int
    changed: dict[str, int]


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
    progress: Progress | None = None,
    warn: Warn = lambda message: None,
) -> Augmented:
    """Apply every named augmentation to every row and write `row, sentence, augmentation, augmented, changed`.

    `row` counts the rows of the input from 0, blank ones included; each has its rows in the output. A shard holds the rows of
    `SHARD_SENTENCES` sentences and appears under its name only when whole, its checksum beside it; a second call with the same
    arguments goes on behind the last whole shard and writes anew what was damaged.

    Raises:
        UserError: bad input, or an output folder that holds the result of other arguments.
    """
    specs = parse_specs(names)
    wanted = tuple(spec.text for spec in specs)
    claim(output, _manifest(corpus, specs, seed, parser, encoding_errors, column))

    def read(keep_blank: bool = False, report: CorpusReport | None = None) -> Iterator[str]:
        return read_sentences(corpus, encoding_errors, report, column, keep_blank)

    job = Job(seed, parser, fit_all(wanted, read, output / FITTED))
    report = CorpusReport()
    rows = enumerate(read(keep_blank=True, report=report))
    counts = [
        _shard(output / f"part-{number:05d}.parquet", shard, wanted, lambda r: apply_stream(r, job, workers, engine), progress, warn)
        for number, shard in enumerate(_shards(rows))
    ]
    if not report.sentences:
        raise UserError(f"{', '.join(map(str, corpus))}: no sentence in it; give a text file with one sentence per line")
    for warning in report.warnings():
        warn(warning)
    changed = {name: sum(count[name] for count in counts) for name in wanted}
    return Augmented(report.sentences + report.blank_lines, report.blank_lines, changed)


def _manifest(
    corpus: Sequence[str | Path], specs: Sequence[Spec], seed: int, parser: str, encoding_errors: EncodingErrors, column: str | None
) -> dict[str, Any]:
    """Return everything that decides the rows: text, augmentations with options and code, version, parser, seed."""
    return {
        "augcse": __version__,
        "corpus": [{"name": path.name, "sha256": file_sha256(path)} for path in check_corpus_paths(corpus)],
        "column": column,
        "encoding_errors": encoding_errors,
        "augmentations": [{"spec": spec.text, "code": spec.member.code_sha256()} for spec in specs],
        "seed": seed,
        "parser": parser_identity(parser) if any(spec.member.needs_parse for spec in specs) else None,
        "shard_sentences": SHARD_SENTENCES,
    }


def claim(output: Path, manifest: dict[str, Any]) -> None:
    """Mark the folder as this job's, or refuse it if it is another's."""
    path = output / MANIFEST
    if path.exists():
        try:
            found = json.loads(path.read_text("utf-8"))
        except ValueError as error:
            raise UserError(f"{path} is damaged; delete {output} or choose another --output") from error
        if found != manifest:
            different = sorted(key for key in manifest if not isinstance(found, dict) or found.get(key) != manifest[key])
            raise UserError(
                f"{output} holds augmentations made with other arguments ({', '.join(different)}); choose another --output or delete it"
            )
        return
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UserError(f"{output} is not empty; choose another --output")
    write_json(path, manifest)


def _shards(sentences: Iterator[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    while shard := list(islice(sentences, SHARD_SENTENCES)):
        yield shard


def _shard(
    path: Path,
    shard: list[tuple[int, str]],
    names: tuple[str, ...],
    apply: Callable[[list[Request]], Results],
    progress: Progress | None,
    warn: Warn,
) -> dict[str, int]:
    """Write one shard unless it lies there whole; return how many rows each augmentation changed."""
    seal = path.with_suffix(".json")
    if path.exists():
        changed = _sealed(path, seal)
        if changed is not None:
            if progress:
                progress(len(shard))
            return changed
        warn(f"{path} is damaged or not ours; it is written anew")
    # A blank row is not text: nothing is asked of it, and it passes unchanged.
    requests = [Request(row, sentence, names if sentence else ()) for row, sentence in shard]
    columns, changed = _columns(apply(requests), names, progress)
    _write_parquet(path, columns)
    write_json(seal, {"sha256": file_sha256(path), "changed": changed})
    return changed


def _sealed(path: Path, seal: Path) -> dict[str, int] | None:
    """Return the counts of a shard that is what was written, else None."""
    try:
        document = json.loads(seal.read_text("utf-8"))
        changed: dict[str, int] = document["changed"]
        return changed if document["sha256"] == file_sha256(path) else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def _columns(results: Results, names: tuple[str, ...], progress: Progress | None) -> tuple[dict[str, list[Any]], dict[str, int]]:
    columns: dict[str, list[Any]] = {name: [] for name in ("row", "sentence", "augmentation", "augmented", "changed")}
    changed = dict.fromkeys(names, 0)
    for request, augmented in results:
        for name, text in zip(names, augmented or [None] * len(names), strict=True):
            values = (request.row, request.sentence, name, text if text is not None else request.sentence, text is not None)
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
            changed[name] += text is not None
        if progress:
            progress(1)
    return columns, changed


def _write_parquet(path: Path, columns: dict[str, list[Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    with whole_file(path) as partial:
        pq.write_table(pa.table(columns), partial, compression="zstd")
