"""Bytes to lines of text, plain or compressed, at any size; what is not UTF-8 text is refused with file and line."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Literal, cast

from augcse.errors import UserError

EncodingErrors = Literal["strict", "replace"]
COMPRESSIONS = (".gz", ".xz")
_UTF16_MARKS = (b"\xff\xfe", b"\xfe\xff")


def decoded_lines(path: Path, encoding_errors: EncodingErrors) -> Iterator[tuple[int, str]]:
    """Yield (number from 1, line with its end) of a text file.

    Raises:
        UserError: bytes that are not UTF-8, a NUL, UTF-16, or a file that cannot be read.
    """
    for number, line in enumerate(_lines(path), start=1):
        yield number, _decode(line, path, number, encoding_errors)


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
