"""Standard input and process substitution: read where a corpus is read for one result, refused elsewhere, never waited for for ever."""

from __future__ import annotations

import bz2
import gzip
import io
import json
import lzma
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from typer.testing import CliRunner

from augcse.cli.app import app
from augcse.corpus.pipes import corpus_files
from augcse.corpus.read import check_corpus_paths, read_sentences
from augcse.errors import UserError


@pytest.fixture
def descriptor() -> Iterator[str]:
    """The path that a shell gives for `<(printf 'one\\ntwo\\n')`."""
    reading, writing = os.pipe()
    os.write(writing, b"one\ntwo\n")
    os.close(writing)
    yield f"/dev/fd/{reading}"
    os.close(reading)


class _Terminal(io.TextIOWrapper):
    def isatty(self) -> bool:
        return True


def test_process_substitution_can_be_read_again(descriptor: str) -> None:
    with corpus_files([descriptor]) as files:
        check_corpus_paths(files)
        assert list(read_sentences(files)) == ["one", "two"]
        assert list(read_sentences(files)) == ["one", "two"]
    assert not files[0].exists()


def test_files_stay_what_they_are(tmp_path: Path) -> None:
    with corpus_files([tmp_path / "c.txt", str(tmp_path / "d.txt")]) as files:
        assert files == [tmp_path / "c.txt", tmp_path / "d.txt"]


def test_doctor_reads_standard_input() -> None:
    found = CliRunner().invoke(app, ["doctor", "-", "--json"], input="One is here.\nTwo is here.\nOne is here.\n")
    assert found.exit_code == 0, found.output
    assert json.loads(found.stdout)["sentences"] == 3


def test_augment_reads_standard_input_and_goes_on_with_the_same(tmp_path: Path) -> None:
    command = ["augment", "-", "--with", "RandomSwap", "--output", str(tmp_path / "out")]
    assert CliRunner().invoke(app, command, input="One is here.\n").exit_code == 0
    assert CliRunner().invoke(app, command, input="One is here.\n").exit_code == 0
    assert isinstance(CliRunner().invoke(app, command, input="Another is here.\n").exception, (UserError, SystemExit))


def test_errors_name_the_pipe_and_not_its_copy(descriptor: str) -> None:
    with pytest.raises(UserError, match=f"^{descriptor}, line 2: bad, line 3$"), corpus_files([descriptor]) as files:
        raise UserError(f"{files[0]}, line 2: bad, line 3")
    refused = CliRunner().invoke(app, ["split", "-", "--output", "never.txt"], input=b"One.\nTwo \xff.\n").exception
    assert str(refused).startswith("standard input, line 2: byte 5 (0xff) is not UTF-8")


def test_an_error_about_something_else_stays_as_it_is() -> None:
    error = UserError("no such model")
    with pytest.raises(UserError) as raised, corpus_files(["c.txt"]):
        raise error
    assert raised.value is error


@pytest.mark.parametrize("command", [["augment", "-", "--with", "RandomSwap"], ["pairs", "-", "--model", "mini-bert", "--number", "4"]])
def test_warnings_name_the_pipe(command: list[str], tmp_path: Path, sentences: list[str]) -> None:
    text = "\n".join(["x" * 10_001, *sentences[:100]])
    done = CliRunner().invoke(app, [*command, "--output", str(tmp_path / "out.tsv")], input=text)
    assert "(first: standard input, line 1: 10,001 characters)" in done.stderr, done


@pytest.mark.parametrize(
    ("packed", "kind", "unpacking"),
    [(gzip.compress(b"One.\n"), "gzip", "zcat"), (lzma.compress(b"One.\n"), "xz", "xzcat"), (bz2.compress(b"One.\n"), "bzip2", "bzcat")],
)
def test_a_compressed_pipe_is_to_be_unpacked_first(packed: bytes, kind: str, unpacking: str) -> None:
    refused = CliRunner().invoke(app, ["doctor", "-"], input=packed).exception
    assert str(refused) == f"standard input is {kind} data; unpack it first, e.g. {unpacking} FILE | augcse ..."


def test_a_terminal_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", _Terminal(io.BytesIO(b"one\n")))
    with pytest.raises(UserError, match="- reads standard input, which is a terminal; pipe text into it"), corpus_files(["-"]):
        pass


def test_closed_standard_input_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UserError, match="- reads standard input, which is closed"), corpus_files(["-"]):
        pass


def test_a_pipe_named_twice_is_refused() -> None:
    with pytest.raises(UserError, match="- is named twice; a pipe can be read once"), corpus_files(["-", "-"]):
        pass


def test_a_fifo_without_a_writer_is_refused_and_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with corpus_files([tmp_path / "fifo"]) as files, pytest.raises(UserError, match="fifo is a pipe or a device, and a corpus is read"):
        check_corpus_paths(files)


@pytest.mark.parametrize("path", ["-", "/dev/null"])
def test_what_can_be_read_once_is_refused_where_a_corpus_is_read_again(path: str) -> None:
    with pytest.raises(UserError, match=f"{path} is a pipe or a device, .* write it to a file first"):
        check_corpus_paths([path])


def test_process_substitution_is_refused_there_too(descriptor: str) -> None:
    with pytest.raises(UserError, match="is a pipe or a device"):
        check_corpus_paths([descriptor])


@pytest.mark.parametrize(
    ("path", "message"), [("~nobody-of-that-name/c.txt", "cannot read"), ("c" * 5_000, "cannot read"), ("a\0b", "cannot read")]
)
def test_names_that_no_file_can_have_are_one_line(path: str, message: str) -> None:
    with pytest.raises(UserError, match=message):
        check_corpus_paths([path])
