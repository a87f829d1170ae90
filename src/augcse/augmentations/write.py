"""`augcse augment`: a corpus to sharded Parquet, resumable, the same bytes for any number of workers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from augcse import __version__
from augcse.annotation.pipeline import BUNDLED_PARSER
from augcse.augmentations.apply import Job, Request, apply_stream, fit_all
from augcse.augmentations.spec import parse_specs
from augcse.corpus.read import EncodingErrors, check_corpus_paths, file_sha256, read_sentences
from augcse.errors import UserError
from augcse.files import PARTIAL_SUFFIX, cannot_write, write_json

SHARD_SENTENCES = 50_000
MANIFEST = "manifest.json"
FITTED = "fitted"
Progress = Callable[[int], None]


def augment_corpus(
    corpus: Sequence[str | Path],
    names: Sequence[str],
    output: Path,
    *,
    seed: int = 0,
    workers: int = 1,
    parser: str = BUNDLED_PARSER,
    encoding_errors: EncodingErrors = "strict",
    progress: Progress | None = None,
) -> dict[str, int]:
    """Apply every named augmentation to every sentence and write `row, sentence, augmentation, augmented, changed`.

    A shard holds the rows of `SHARD_SENTENCES` sentences and appears under its name only when whole; a second call with the same
    arguments goes on behind the last whole shard.

    Returns:
        rows: per augmentation, how many sentences it changed; and "sentences", how many there were.

    Raises:
        UserError: bad input, or an output folder that holds the result of other arguments.
    """
    names = [spec.text for spec in parse_specs(names)]
    _claim(output, _manifest(corpus, names, seed, parser))
    fitted = fit_all(names, lambda: read_sentences(corpus, encoding_errors), output / FITTED)
    job = Job(seed, parser, fitted)
    sentences = enumerate(read_sentences(corpus, encoding_errors))
    changed = dict.fromkeys(["sentences", *names], 0)
    for number, shard in enumerate(_shards(sentences)):
        path = output / f"part-{number:05d}.parquet"
        if not path.exists():
            requests = [Request(row, sentence, tuple(names)) for row, sentence in shard]
            _write_shard(path, _rows(apply_stream(requests, job, workers), progress))
        _count(path, changed, len(shard))
    if not changed["sentences"]:
        raise UserError(f"{', '.join(map(str, corpus))}: no sentence in it; give a text file with one sentence per line")
    return changed


def _manifest(corpus: Sequence[str | Path], names: Sequence[str], seed: int, parser: str) -> dict[str, Any]:
    return {
        "augcse": __version__,
        "corpus": [{"name": path.name, "sha256": file_sha256(path)} for path in check_corpus_paths(corpus)],
        "augmentations": list(names),
        "seed": seed,
        "parser": parser,
        "shard_sentences": SHARD_SENTENCES,
    }


def _claim(output: Path, manifest: dict[str, Any]) -> None:
    """Mark the folder as this job's, or refuse it if it is another's."""
    path = output / MANIFEST
    if path.exists():
        if json.loads(path.read_text("utf-8")) != manifest:
            raise UserError(f"{output} holds augmentations made with other arguments; choose another --output or delete it")
        return
    if output.exists() and (not output.is_dir() or any(output.iterdir())):
        raise UserError(f"{output} is not empty; choose another --output")
    write_json(path, manifest)


def _shards(sentences: Iterator[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    while shard := list(islice(sentences, SHARD_SENTENCES)):
        yield shard


def _rows(results: Iterator[tuple[Request, list[str | None]]], progress: Progress | None) -> dict[str, list[Any]]:
    columns: dict[str, list[Any]] = {name: [] for name in ("row", "sentence", "augmentation", "augmented", "changed")}
    for request, augmented in results:
        for name, text in zip(request.names, augmented, strict=True):
            values = (request.row, request.sentence, name, text if text is not None else request.sentence, text is not None)
            for column, value in zip(columns.values(), values, strict=True):
                column.append(value)
        if progress:
            progress(1)
    return columns


def _write_shard(path: Path, columns: dict[str, list[Any]]) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    partial = path.with_name(path.name + PARTIAL_SUFFIX)
    try:
        pq.write_table(pa.table(columns), partial, compression="zstd")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise cannot_write(path, error) from error


def _count(path: Path, changed: dict[str, int], sentences: int) -> None:
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    table = pq.read_table(path, columns=["augmentation", "changed"])
    for name in changed:
        mask = pc.and_(pc.equal(table["augmentation"], name), table["changed"])
        changed[name] += pc.sum(mask).as_py() or 0
    changed["sentences"] += sentences
