"""Reading text: every kind of bad input is one line that names file and line."""

from __future__ import annotations

import gzip
import lzma
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from augcse.corpus.files import Corpus
from augcse.corpus.read import MAX_SENTENCE_CHARACTERS, CorpusReport, read_sentences
from augcse.errors import UserError
from augcse.files import file_sha256


def _file(folder: Path, content: bytes, name: str = "c.txt") -> Path:
    path = folder / name
    path.write_bytes(content)
    return path


def test_blank_lines_and_outer_blanks_are_left_out(tmp_path: Path) -> None:
    report = CorpusReport()
    path = _file(tmp_path, b"  one two \r\n\n\t\nthree\nNA\nnull")
    assert list(read_sentences([path], report=report)) == ["one two", "three", "NA", "null"]
    assert (report.sentences, report.blank_lines) == (4, 2)


@pytest.mark.parametrize(("opener", "name"), [(gzip.open, "c.txt.gz"), (lzma.open, "c.txt.xz")])
def test_compressed_files(opener: object, name: str, tmp_path: Path) -> None:
    with opener(tmp_path / name, "wb") as file:  # type: ignore[operator]
        file.write("é one\ntwo\n".encode())
    assert list(read_sentences([tmp_path / name])) == ["é one", "two"]


def test_several_files_in_order(tmp_path: Path) -> None:
    paths = [_file(tmp_path, b"a\n", "1.txt"), _file(tmp_path, b"b\n", "2.txt")]
    assert list(read_sentences(paths)) == ["a", "b"]


def test_a_blank_line_and_the_end_of_a_file_end_a_document(tmp_path: Path) -> None:
    report = CorpusReport()
    corpus = Corpus.of([_file(tmp_path, b"a\n\nb\n", "1.txt"), _file(tmp_path, b"c\nd", "2.txt")])
    assert list(corpus.sentences_by_document(report)) == ["a", "", "b", "", "c", "d"]
    assert (report.sentences, report.blank_lines) == (4, 1)


def test_a_corpus_without_a_sentence_is_refused(tmp_path: Path) -> None:
    corpus = Corpus.of([_file(tmp_path, b"\n \n", "1.txt"), _file(tmp_path, b"", "2.txt")])
    with pytest.raises(UserError, match=r"1\.txt, .*2\.txt: no sentence in it"):
        corpus.check_has_sentence()


def test_byte_order_mark_is_not_text(tmp_path: Path) -> None:
    assert list(read_sentences([_file(tmp_path, b"\xef\xbb\xbfone\ntwo\n")])) == ["one", "two"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"good\nbad \xff here\n", r"c.txt, line 2: byte 5 \(0xff\) is not UTF-8.*--encoding-errors replace"),
        (b"good\nnul \x00 here\n", r"c.txt, line 2: NUL byte"),
        ("\ufeffone\n".encode("utf-16-le"), r"UTF-16; convert it first"),
    ],
)
def test_bytes_that_are_not_text_are_refused_with_their_line(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=message) as caught:
        list(read_sentences([_file(tmp_path, content)]))
    assert "\n" not in str(caught.value)


def test_replace_goes_on(tmp_path: Path) -> None:
    path = _file(tmp_path, b"bad \xff here\nnul \x00 here\n")
    assert list(read_sentences([path], "replace")) == ["bad \ufffd here", "nul \ufffd here"]


def test_a_megabyte_line_is_cut_with_a_warning(tmp_path: Path) -> None:
    report = CorpusReport()
    path = _file(tmp_path, b"x" * 1_048_576 + b"\nshort\n")
    lines = list(read_sentences([path], report=report))
    assert [len(line) for line in lines] == [MAX_SENTENCE_CHARACTERS, 5]
    [warning] = report.warnings()
    assert "line 1: 1,048,576 characters" in warning


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("https://example.org/x.txt", "is a URL"),
        (Path("http://a.org/x.txt"), "is a URL"),
        ("/nowhere/x.txt", "no corpus file"),
        ("/", "is a folder"),
    ],
)
def test_paths_that_are_no_files(path: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        list(read_sentences([path]))


@pytest.mark.parametrize(
    ("given", "kind"), [(np.array(["a.txt", "b.txt"]), "ndarray"), ({"text": "a.txt"}, "dict"), (5, "int"), ([5], "int")]
)
def test_what_is_no_path_is_named_by_its_type(given: Any, kind: str) -> None:
    with pytest.raises(UserError, match=f"the corpus is of type {kind}; give files: .*write sentences to a file first"):
        Corpus.of(given)


@pytest.mark.parametrize("length", [1, 100])
def test_sentences_in_place_of_paths_are_to_be_written_to_a_file(length: int) -> None:
    with pytest.raises(UserError, match=r"The mill was old\..*; give .* \(write sentences to a file first\)") as refused:
        Corpus.of(["The mill was old. " * length])
    assert len(str(refused.value)) < 400


@pytest.mark.parametrize(
    ("name", "content", "column", "said"),
    [
        ("a.csv", b"He isn't here.\nShe is.\n", None, ['"He isn\'t here." is taken as the header; --column 1 if it is a sentence']),
        ("a.tsv.gz", gzip.compress(b"review\ngood\n"), None, ["'review' is taken as the header; --column 1 if it is a sentence"]),
        ("a.csv", b"review\ngood\n", "review", []),
        ("a.csv", b"He isn't here.\nShe is.\n", "1", []),
        ("a.csv", b"Sentence\nShe is.\n", None, []),
        ("a.csv", b"id,text\n1,She is.\n", None, []),
        ("a.txt", b"He isn't here.\nShe is.\n", None, []),
    ],
)
def test_the_header_of_an_only_column_may_be_a_sentence(
    name: str, content: bytes, column: str | None, said: list[str], tmp_path: Path
) -> None:
    report = CorpusReport()
    list(read_sentences([_file(tmp_path, content, name)], report=report, column=column))
    assert report.warnings() == [f"{tmp_path / name}: {line}" for line in said]


def test_many_files_without_a_header_are_one_warning(tmp_path: Path) -> None:
    report = CorpusReport()
    list(read_sentences([_file(tmp_path, b"One.\nTwo.\n", f"{number}.csv") for number in range(3)], report=report))
    assert report.warnings() == [
        f"{tmp_path / '0.csv'}: 'One.' is taken as the header, and so in 2 more files; --column 1 if it is a sentence"
    ]


def test_no_path_at_all() -> None:
    with pytest.raises(UserError, match="no corpus given"):
        list(read_sentences([]))


def test_a_broken_archive_is_named(tmp_path: Path) -> None:
    path = _file(tmp_path, b"not xz at all", "c.txt.xz")
    with pytest.raises(UserError, match="cannot read"):
        list(read_sentences([path]))


def test_sha256_of_the_bytes(tmp_path: Path) -> None:
    path = _file(tmp_path, b"abc")
    assert file_sha256(path) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
