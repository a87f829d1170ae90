"""Corpora that cannot be read as text, or whose column of text is not clear."""

from __future__ import annotations

import gzip
import io
import json
import lzma
import os
import tarfile
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from fault import Fault, Write, crossed, write

# Where a corpus is read. `doctor` looks into what the others refuse: it says how many bytes are no UTF-8.
_STRICT = {
    "train": ("train", "simcse-mini", "--model", "{model}", "--corpus", "CORPUS", "--output", "{work}/out", "--workers", "1"),
    "static": ("static", "CORPUS", "--output", "{work}/out", "--quiet"),
    "augment": ("augment", "CORPUS", "--with", "RandomSwap", "--output", "{work}/out"),
    "postprocess": ("postprocess", "{model}", "CORPUS", "--with", "whiten", "--output", "{work}/out", "--quiet"),
    "word vectors": ("postprocess", "{vectors}", "--words", "CORPUS", "--output", "{work}/out"),
    "probe": ("probe", "{model}", "CORPUS", "--quiet"),
    "adapt": ("adapt", "CORPUS", "--model", "{model}", "--output", "{work}/out", "--quiet", "--workers", "1"),
    "pairs": ("pairs", "CORPUS", "--model", "{model}", "--output", "{work}/out.tsv", "--quiet"),
    "neighbours": ("analyze", "neighbours", "{model}", "--query", "a mill", "--corpus", "CORPUS"),
    "score": ("score", "CORPUS", "--with", "RandomSwap", "--model", "{model}", "--lm", "none", "--quiet"),
    "split": ("split", "CORPUS", "--output", "{work}/out.txt"),
    # Without Gradio it reads no corpus.
    **({"play": ("play", "{model}", "CORPUS")} if find_spec("gradio") else {}),
}
_ALL = _STRICT | {"doctor": ("doctor", "CORPUS")}
_READS_TABLES = ("train", "static", "augment", "doctor", "postprocess", "probe", "score", "split", "adapt", "pairs")
_WITH_COLUMN = {name: _ALL[name] for name in _READS_TABLES}
_TEXT = "One sentence is here.\nAnother one is there.\nA third one stands apart.\n" * 4
_TABLE = "id,sentence\n" + "".join(f"{row},Sentence number {row} is here.\n" for row in range(12))


def _parquet(columns: dict[str, list[object]]) -> bytes:
    buffer = io.BytesIO()
    pq.write_table(pa.table(columns), buffer)
    return buffer.getvalue()


def _zip() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("corpus.txt", _TEXT)
    return buffer.getvalue()


def _tar() -> bytes:
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as archive:
        found = tarfile.TarInfo("corpus.txt")
        found.size = len(_TEXT)
        archive.addfile(found, io.BytesIO(_TEXT.encode()))
    return buffer.getvalue()


def _link_to_itself(work: Path) -> None:
    (work / "loop.txt").symlink_to(work / "loop.txt")


def _pipe(work: Path) -> None:
    os.mkfifo(work / "pipe.txt")


def _folder(work: Path) -> None:
    (work / "folder.txt").mkdir()


_BROKEN_PARQUET = _parquet({"sentence": ["A sentence."] * 8})
# Damage to bytes: no command can take these. A name, and what the line names beside it.
_UNREADABLE: list[tuple[str, str, str | bytes]] = [
    ("empty", "empty.txt", ""),
    ("blank lines", "blank.txt", "\n \n\t\n"),
    ("gzip cut short", "cut.txt.gz", gzip.compress(_TEXT.encode() * 50)[:-20]),
    ("no gzip", "plain.txt.gz", _TEXT),
    ("gzip damaged", "damaged.txt.gz", gzip.compress(os.urandom(4) + _TEXT.encode() * 50)[:40] + b"\xff" * 40),
    ("empty gzip", "empty.txt.gz", gzip.compress(b"")),
    ("xz cut short", "cut.txt.xz", lzma.compress(_TEXT.encode() * 50)[:-20]),
    ("no xz", "plain.txt.xz", _TEXT),
    ("parquet cut short", "cut.parquet", _BROKEN_PARQUET[:-30]),
    ("no parquet", "plain.parquet", _TEXT),
    ("parquet of numbers", "numbers.parquet", _parquet({"sentence": [1, 2, 3]})),
    ("parquet without rows", "rowless.parquet", _parquet({"sentence": []})),
    ("two columns of a parquet", "two.parquet", _parquet({"one": ["a b", "c d"], "two": ["e f", "g h"]})),
    ("two columns of a csv", "two.csv", "one,two\na b,c d\ne f,g h\n"),
    ("a csv row too long", "long.csv", "id,sentence\n1,one two\n2,three, four\n"),
    ("a csv row too short", "short.csv", "id,sentence\n1,one two\n2\n"),
    ("a csv quote that never ends", "quote.csv", 'id,sentence\n1,"one two\n2,three\n'),
    ("an empty csv", "empty.csv", ""),
    ("a csv of a header", "header.csv", "id,sentence\n"),
    ("a column twice", "twice.csv", "sentence,sentence\na b,c d\n"),
    ("a tsv parted by commas", "commas.tsv", "id,sentence\n1,one two\n2,three four\n"),
    ("jsonl cut short", "cut.jsonl", '{"sentence": "one two"}\n{"sentence": "thr'),
    ("jsonl of no JSON", "plain.jsonl", "one two three\nfour five six\n"),
    ("jsonl of numbers", "numbers.jsonl", '{"sentence": 1}\n{"sentence": 2}\n'),
    ("jsonl nested deeply", "deep.jsonl", '{"sentence": ' + "[" * 20_000 + "]" * 20_000 + "}\n"),
    ("jsonl without the column", "without.jsonl", '{"sentence": "one two"}\n{"id": 3}\n'),
    ("jsonl of arrays", "arrays.jsonl", "[1, 2]\n[3, 4]\n"),
    ("a JSON array cut short", "cut.json", '["one two", "three four"'),
    ("a zip archive", "corpus.zip", _zip()),
    ("a zip archive called text", "zip.txt", _zip()),
    ("a tar archive called text", "tar.txt", _tar()),
    ("a web page", "page.txt", "<!DOCTYPE html>\n<html><body>no</body></html>\n"),
]
# Bytes that are no UTF-8 text: refused unless they are to be replaced.
_WRONG_TEXT: list[tuple[str, str, str | bytes]] = [
    ("latin-1", "latin.txt", "Caf\xe9 au lait.\nEs gab K\xe4se.\n".encode("latin-1")),
    ("utf-16", "utf16.txt", _TEXT.encode("utf-16")),
    ("binary", "binary.txt", bytes(range(256)) * 20),
    ("a character cut in two", "half.txt", "Plain text.\nAnd caf\xe9".encode()[:-1]),
    ("latin-1 in a csv", "latin.csv", _TABLE.encode() + "99,Caf\xe9\n".encode("latin-1")),
    ("latin-1 in a jsonl", "latin.jsonl", b'{"sentence": "Caf\xe9"}\n'),
    ("latin-1 in a gzip", "latin.txt.gz", gzip.compress("Caf\xe9 au lait.\n".encode("latin-1"))),
    ("a lone surrogate in a jsonl", "surrogate.jsonl", '{"sentence": "one \\ud800 two"}\n'),
    ("NUL", "nul.txt", b"One sentence.\nAnother\x00 one.\n"),
]
# Not made by writing bytes.
_NO_FILE: list[tuple[str, str, Write]] = [
    ("absent", "absent.txt", lambda work: None),
    ("a folder", "folder.txt", _folder),
    ("a link to itself", "loop.txt", _link_to_itself),
    ("a pipe", "pipe.txt", _pipe),
    ("a name that is too long", "x" * 300 + ".txt", lambda work: None),
    ("a file below a file", "file.txt/corpus.txt", write("file.txt", _TEXT)),
]
_COLUMNS: list[tuple[str, str, str | bytes, str]] = [
    ("a column that is not there", "table.csv", _TABLE, "sentense"),
    ("a column number past the last", "table.csv", _TABLE, "7"),
    ("column 0", "table.csv", _TABLE, "0"),
    ("a column of plain text", "plain.txt", _TEXT, "sentence"),
    ("a column of a jsonl that is not there", "table.jsonl", json.dumps({"sentence": "one two"}) + "\n", "text"),
    ("a column of a parquet that is not there", "table.parquet", _BROKEN_PARQUET, "text"),
    ("a column of numbers", "numbers.parquet", _parquet({"sentence": ["a b"], "id": [1]}), "id"),
]


def _on(commands: dict[str, tuple[str, ...]], file: str, *options: str) -> dict[str, tuple[str, ...]]:
    path = "{work}/" + file
    return {name: (*(path if word == "CORPUS" else word for word in command), *options) for name, command in commands.items()}


CORPORA: list[Fault] = [
    fault for kind, file, content in [*_UNREADABLE] for fault in crossed("corpus", _on(_ALL, file), [(kind, (file,), write(file, content))])
]
CORPORA += [
    fault for kind, file, content in _WRONG_TEXT for fault in crossed("corpus", _on(_STRICT, file), [(kind, (file,), write(file, content))])
]
CORPORA += [fault for kind, file, prepare in _NO_FILE for fault in crossed("corpus", _on(_ALL, file), [(kind, (file[:40],), prepare)])]
CORPORA += [
    fault
    for kind, file, content, column in _COLUMNS
    for fault in crossed("column", _on(_WITH_COLUMN, file, "--column", column), [(kind, (file,), write(file, content))])
]
