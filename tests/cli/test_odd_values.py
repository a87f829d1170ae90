"""Values that no command can do anything with: one line, exit code 2, no traceback, nothing left in the folder."""

from __future__ import annotations

from pathlib import Path

import pytest

from augcse.cli.app import run

LONG = "l" * 300
REFUSED = {
    "augment to a long name": (["augment", "corpus.txt", "--with", "RandomSwap", "--output", LONG], "File name too long"),
    "evaluate a long name": (["evaluate", LONG], "File name too long"),
    "report on a long name": (["report", LONG, "--output", "runs.html"], "File name too long"),
    "evaluate no name": (["evaluate", ""], "no model named"),
    "evaluate a blank name": (["evaluate", "  "], "no model named"),
    "preview nothing": (["preview", " "], "no sentence"),
    "list nothing": (["list"], "Choose from: augmentations, sets"),
    "a set with options": (["preview", "One.", "--with", "8-aug:rate=0.1"], "8-aug is a set"),
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An own working folder with a corpus."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "corpus.txt").write_text("The cat sat on the mat.\nShe bought three cars.\n", "utf-8")
    return tmp_path


@pytest.mark.parametrize("name", REFUSED)
def test_an_odd_value_is_refused_in_one_line(name: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    arguments, message = REFUSED[name]
    assert run(arguments) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert message in said.err
    assert said.err.count("\n") == 1
    assert [path.name for path in folder.iterdir()] == ["corpus.txt"]


@pytest.mark.parametrize("format", ["parquet", "jsonl", "csv"])
def test_names_that_are_not_utf8_are_written_and_taken_up_again(format: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    corpus = folder / "latin-\udce4.txt"
    (folder / "corpus.txt").rename(corpus)
    command = ["augment", str(corpus), "--with", "RandomSwap", "--output", "out-\udce4", "--format", format]
    assert run(command) == 0
    written = (folder / "out-\udce4" / f"part-00000~RandomSwap.{format}").stat()
    assert run(command) == 0
    assert (folder / "out-\udce4" / f"part-00000~RandomSwap.{format}").stat().st_mtime_ns == written.st_mtime_ns
    assert "damaged" not in capsys.readouterr().err
