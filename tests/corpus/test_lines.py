"""What a line is, what is no text, and how files are unpacked."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import zipfile
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from augcse.corpus.read import read_sentences
from augcse.corpus.unpack import PIECE_BYTES
from augcse.errors import UserError


def _file(folder: Path, content: bytes, name: str = "c.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def _zip() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("c.txt", "one\n")
    return packed.getvalue()


def _parquet() -> bytes:
    sink = io.BytesIO()
    pq.write_table(pa.table({"text": ["one"]}), sink)
    return sink.getvalue()


def _zstd(content: bytes) -> bytes:
    return bytes(pa.compress(content, codec="zstd", asbytes=True))


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_ends_with(end: str, tmp_path: Path) -> None:
    path = _file(tmp_path, end.join(["one", "", "two", "three"]).encode())
    assert list(read_sentences([path], keep_blank=True)) == ["one", "", "two", "three"]


def test_line_ends_may_be_mixed(tmp_path: Path) -> None:
    assert list(read_sentences([_file(tmp_path, b"one\ntwo\r\nthree\rfour")])) == ["one", "two", "three", "four"]


@pytest.mark.parametrize("sign", ["\u2028", "\u2029", "\x85", "\f", "\v", "\x1c"])
def test_other_separators_are_characters(sign: str, tmp_path: Path) -> None:
    path = _file(tmp_path, f"one{sign}two\nthree\n".encode())
    assert list(read_sentences([path])) == [f"one{sign}two", "three"]


@pytest.mark.parametrize("length", [PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1])
@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_a_line_may_end_anywhere_in_what_is_read_at_once(length: int, end: str, tmp_path: Path) -> None:
    path = _file(tmp_path, (" " * (length - 4) + "on\u00e9" + end + "two" + end).encode())
    assert list(read_sentences([path], keep_blank=True)) == ["on\u00e9", "two"]


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [
        (".gz", gzip.compress),
        (".xz", lzma.compress),
        (".bz2", bz2.compress),
        (".zst", _zstd),
        (".GZ", gzip.compress),
        (".Xz", lzma.compress),
    ],
)
@pytest.mark.parametrize("name", ["c.txt", "c.csv"])
def test_compressed_files_are_unpacked_by_their_suffix(name: str, suffix: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    path = _file(tmp_path, pack(b"text\none\n"), name + suffix)
    assert list(read_sentences([path]))[-1] == "one"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (gzip.compress(b"one\n", mtime=0), "gzip data, not text; unpack it, or end its name in .gz"),
        (lzma.compress(b"one\n"), "xz data, not text; unpack it, or end its name in .xz"),
        (bz2.compress(b"one\n"), "bzip2 data, not text; unpack it, or end its name in .bz2"),
        (_zstd(b"one\n"), "zstd data, not text; unpack it, or end its name in .zst"),
        (_zip(), "a zip archive or an office document, not text; unpack it"),
        (_parquet(), "a Parquet file, not text; end its name in .parquet"),
        (b"%PDF-1.7\n", "a PDF, not text; extract its text"),
        (b"\n <!DOCTYPE html>\n<html>", "a web page, not text"),
        (b"c.txt" + b"\0" * 252 + b"ustar  \0", "a tar archive, not text; unpack it"),
        ("one\n".encode("utf-16"), "UTF-16; convert it first: iconv -f utf-16 -t utf-8"),
        ("The mill, été.\n".encode("utf-16-le"), "UTF-16LE without a byte order mark; convert it first: iconv -f utf-16le -t utf-8"),
        ("The mill, été.\n".encode("utf-16-be"), "UTF-16BE without a byte order mark; convert it first: iconv -f utf-16be -t utf-8"),
        ("The mill, été.\n".encode("utf-32-le"), "UTF-32LE without a byte order mark; convert it first: iconv -f utf-32le -t utf-8"),
        ("Мельница построена давно.\n".encode("utf-16-le"), "UTF-16LE without a byte order mark"),
        ("水车 小屋\n".encode("utf-32-le"), "UTF-32LE without a byte order mark"),
        ("The mill, été.\n".encode("utf-32-be"), "UTF-32BE without a byte order mark; convert it first: iconv -f utf-32be -t utf-8"),
        ("one\n".encode("utf-32"), "UTF-32; convert it first: iconv -f utf-32 -t utf-8"),
    ],
)
@pytest.mark.parametrize("name", ["c.txt", "c.csv", "c.json"])
# `doctor` reads with "replace": it must not take such a file for text either.
@pytest.mark.parametrize("encoding_errors", ["strict", "replace"])
def test_what_is_no_text_is_refused(content: bytes, message: str, name: str, encoding_errors: str, tmp_path: Path) -> None:
    path = _file(tmp_path, content, name)
    with pytest.raises(UserError, match=f"{name} is {message}"):
        list(read_sentences([path], encoding_errors))  # type: ignore[arg-type]


@pytest.mark.parametrize(("suffix", "pack"), [(".gz", gzip.compress), (".xz", lzma.compress), (".bz2", bz2.compress), (".zst", _zstd)])
@pytest.mark.parametrize("damage", ["truncated", "overwritten"])
def test_a_damaged_archive_is_one_line(suffix: str, pack: Callable[[bytes], bytes], damage: str, tmp_path: Path) -> None:
    content = bytearray(pack(bytes(range(1, 256)) * 400))
    if damage == "truncated":
        del content[len(content) // 2 :]
    else:
        content[len(content) // 2 :] = bytes(len(content) - len(content) // 2)
    with pytest.raises(UserError, match=r"cannot read .*c\.txt") as caught:
        list(read_sentences([_file(tmp_path, bytes(content), "c.txt" + suffix)], "replace"))
    assert "\n" not in str(caught.value)


def test_a_column_of_plain_text_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"c\.txt is plain text and has no column text; leave --column out"):
        list(read_sentences([_file(tmp_path, b"one\n")], column="text"))
