"""Stream sentences from text files, one per line, plain or compressed, at any size."""

from __future__ import annotations

import gzip
import hashlib
import lzma
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Literal, cast

from augcse.errors import UserError

EncodingErrors = Literal["strict", "replace"]
MAX_SENTENCE_CHARACTERS = 10_000
_CHUNK_BYTES = 1 << 20
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


@dataclass
class CorpusReport:
    """What was noticed while reading; filled as the stream is consumed."""

    sentences: int = 0
    blank_lines: int = 0
    cut_lines: list[str] = field(default_factory=list)

    def warnings(self) -> list[str]:
        """Return one line per kind of finding that the user should know of."""
        found = []
        if self.cut_lines:
            first = self.cut_lines[0]
            found.append(
                f"{len(self.cut_lines)} lines are longer than {MAX_SENTENCE_CHARACTERS:,} characters (first: {first});"
                " only their beginning is used; one sentence per line is expected"
            )
        return found


def check_corpus_paths(paths: Sequence[str | Path]) -> list[Path]:
    """Return the paths as files, or raise `UserError` for one that is missing, a folder or a URL."""
    if not paths:
        raise UserError("no corpus given; name a text file with one sentence per line, e.g. --corpus sentences.txt")
    return [_check_path(path) for path in paths]


def read_sentences(
    paths: Sequence[str | Path], encoding_errors: EncodingErrors = "strict", report: CorpusReport | None = None
) -> Iterator[str]:
    """Yield the sentences of all files in order: one per line, outer white space removed, blank lines left out.

    Plain text, .gz and .xz. Memory does not grow with the file. A line over `MAX_SENTENCE_CHARACTERS` is cut and reported.

    Args:
        paths: the files.
        encoding_errors: "strict" raises on bytes that are not UTF-8 and on NUL; "replace" puts U+FFFD in their place.
        report: filled along the way.

    Raises:
        UserError: a missing path, a folder, or bytes that are not UTF-8 text, with file and line.
    """
    report = report if report is not None else CorpusReport()
    for path in check_corpus_paths(paths):
        for number, line in enumerate(_lines(path), start=1):
            sentence = _decode(line, path, number, encoding_errors).strip()
            if not sentence:
                report.blank_lines += 1
                continue
            if len(sentence) > MAX_SENTENCE_CHARACTERS:
                report.cut_lines.append(f"{path}, line {number}: {len(sentence):,} characters")
                sentence = sentence[:MAX_SENTENCE_CHARACTERS]
            report.sentences += 1
            yield sentence


def file_sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes as they lie on disk."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def _check_path(path: str | Path) -> Path:
    text = str(path)
    if "://" in text:
        raise UserError(f"{text} is a URL; download it first and give the file")
    file = Path(text).expanduser()
    if file.is_dir():
        raise UserError(f"{file} is a folder; give its files, e.g. {file}/*.txt")
    if not file.exists():
        raise UserError(f"no corpus file {file}")
    return file


def _lines(path: Path) -> Iterator[bytes]:
    opener = cast(Callable[[Path], BinaryIO], {".gz": gzip.open, ".xz": lzma.open}.get(path.suffix, _open_plain))
    try:
        with opener(path) as file:
            for number, line in enumerate(file):
                if number == 0:
                    if line.startswith(_UTF16_MARKS):
                        raise UserError(f"{path} is UTF-16; convert it first: iconv -f utf-16 -t utf-8 {path}")
                    line = line.removeprefix(b"\xef\xbb\xbf")
                yield line
    except (OSError, EOFError, lzma.LZMAError) as error:
        raise UserError(f"cannot read {path}: {error}") from error


def _open_plain(path: Path) -> BinaryIO:
    return path.open("rb")


def _decode(line: bytes, path: Path, number: int, encoding_errors: EncodingErrors) -> str:
    try:
        text = line.decode("utf-8", errors=encoding_errors)
    except UnicodeDecodeError as error:
        raise UserError(
            f"{path}, line {number}: byte {error.start + 1} (0x{line[error.start]:02x}) is not UTF-8;"
            " convert the file, or go on with --encoding-errors replace"
        ) from error
    if "\0" not in text:
        return text
    if encoding_errors == "strict":
        raise UserError(f"{path}, line {number}: NUL byte; is this a binary file? Clean it, or go on with --encoding-errors replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")
