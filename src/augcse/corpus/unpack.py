"""The bytes of a corpus file in chunks, decompressed by its suffix; other file types are recognised by their signature and refused."""

from __future__ import annotations

import bz2
import gzip
import lzma
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, cast

from augcse.errors import UserError

PIECE_BYTES = 1 << 18
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"
# UTF-32 first: its little-endian byte order mark begins with that of UTF-16.
_OTHER_ENCODINGS = {b"\xff\xfe\0\0": "UTF-32", b"\0\0\xfe\xff": "UTF-32", b"\xff\xfe": "UTF-16", b"\xfe\xff": "UTF-16"}
# Each with the command that unpacks it.
_COMPRESSED = {
    b"\x1f\x8b": ("gzip data", ".gz", "zcat"),
    b"\xfd7zXZ\0": ("xz data", ".xz", "xzcat"),
    b"\x28\xb5\x2f\xfd": ("zstd data", ".zst", "zstdcat"),
    b"BZh": ("bzip2 data", ".bz2", "bzcat"),
}
_SIGNATURES = {
    **{mark: (kind, f"unpack it, or end its name in {suffix}") for mark, (kind, suffix, _) in _COMPRESSED.items()},
    b"PK\x03\x04": ("a zip archive or an office document", "unpack it, or save its text as .txt or .csv"),
    b"7z\xbc\xaf\x27\x1c": ("a 7z archive", "unpack it"),
    b"Rar!": ("a rar archive", "unpack it"),
    b"PAR1": ("a Parquet file", "end its name in .parquet"),
    b"ARROW1": ("an Arrow file", "write it as .parquet"),
    b"%PDF-": ("a PDF", "extract its text"),
    b"{\\rtf": ("a rich-text document", "save it as plain text"),
    b"SQLite format 3\0": ("a database", "export a table as .csv"),
}
# UTF-16 and UTF-32 without a byte order mark, recognised by which of every four bytes are often NUL.
_HEAD_BYTES, _MIN_NUL_SHARE = 4096, 0.05
_NUL_PATTERNS: dict[tuple[int, ...], str] = {
    (0, 1, 0, 1): "utf-16le",
    (1, 0, 1, 0): "utf-16be",
    (0, 1, 1, 1): "utf-32le",
    (1, 1, 1, 0): "utf-32be",
}
_HTML = (b"<!doctype html", b"<html")
_TAR = (257, b"ustar")


def _open_plain(path: Path) -> BinaryIO:
    return path.open("rb")


def _open_zstd(path: Path) -> BinaryIO:
    import pyarrow as pa

    return cast(BinaryIO, pa.input_stream(str(path), compression="zstd"))


_OPENERS = {".gz": gzip.open, ".xz": lzma.open, ".bz2": bz2.open, ".zst": _open_zstd}
COMPRESSIONS = tuple(_OPENERS)


def refuse_compressed_pipe(name: str, path: Path) -> None:
    """Raise `UserError` if the copy of a pipe is compressed, which no suffix announces; `name` is that of the pipe."""
    with path.open("rb") as file:
        head = file.read(max(map(len, _COMPRESSED)))
    for mark, (kind, _, command) in _COMPRESSED.items():
        if head.startswith(mark):
            raise UserError(f"{name} is {kind}; unpack it first, e.g. {command} FILE | augcse ...")


def unpacked_pieces(path: Path) -> Iterator[bytes]:
    """Yield the content of a text file in chunks of at most `PIECE_BYTES`, decompressed, without a byte order mark.

    Raises:
        UserError: a file that cannot be read or decompressed, is in UTF-16 or UTF-32, or has the signature of another file type.
    """
    opener = cast(Callable[[Path], BinaryIO], _OPENERS.get(path.suffix.lower(), _open_plain))
    try:
        with opener(path) as stream:
            first_piece = stream.read(PIECE_BYTES)
            _refuse_other_types(path, first_piece)
            yield first_piece.removeprefix(_BYTE_ORDER_MARK)
            while piece := stream.read(PIECE_BYTES):
                yield piece
    except (OSError, EOFError, lzma.LZMAError, zlib.error) as error:
        raise UserError(f"cannot read {path}: {error}; give a complete file whose format matches its name") from error


def _refuse_other_types(path: Path, content: bytes) -> None:
    """Raise `UserError` if a file begins like one of another encoding or type."""
    for mark, encoding in _OTHER_ENCODINGS.items():
        if content.startswith(mark):
            raise UserError(f"{path} is {encoding}; convert it first: iconv -f {encoding.lower()} -t utf-8")
    unmarked = _NUL_PATTERNS.get(_nul_pattern(content[:_HEAD_BYTES]))
    if unmarked is not None:
        raise UserError(f"{path} is {unmarked.upper()} without a byte order mark; convert it first: iconv -f {unmarked} -t utf-8")
    for signature, (file_type, remedy) in _SIGNATURES.items():
        if content.startswith(signature):
            raise UserError(f"{path} is {file_type}, not text; {remedy}")
    if content[:1000].removeprefix(_BYTE_ORDER_MARK).lstrip().lower().startswith(_HTML):
        raise UserError(f"{path} is a web page, not text; extract its text, or download the file that the page leads to")
    offset, mark = _TAR
    if content[offset : offset + len(mark)] == mark:
        raise UserError(f"{path} is a tar archive, not text; unpack it")


def _nul_pattern(head: bytes) -> tuple[int, ...]:
    """Return, for each of the four byte positions, 1 if many bytes there are NUL (in non-Latin scripts those of spaces and line ends)."""
    shares = [head[first::4].count(0) / max(1, len(head[first::4])) for first in range(4)]
    return tuple(int(share > _MIN_NUL_SHARE) for share in shares)
