"""`augcse augment` as it is typed: formats, what it says of rows without change, what an interruption leaves."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from click.testing import Result
from typer.testing import CliRunner

from augcse.augmentations.run import blocks, write
from augcse.augmentations.run.engines import Results, apply_stream
from augcse.cli import console
from augcse.cli.app import app, run
from augcse.errors import FailedWorkError, Interrupted


def _augment(corpus: Path, output: Path, names: str, *options: object) -> Result:
    return CliRunner().invoke(app, ["augment", str(corpus), "--with", names, "--output", str(output), *map(str, options)])


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "c.txt"
    path.write_text("He isn't here.\nThe bell rang.\n", "utf-8")
    return path


@pytest.mark.parametrize("kind", ["parquet", "jsonl", "csv"])
def test_the_format_is_the_one_asked_for(kind: str, corpus: Path, tmp_path: Path) -> None:
    assert _augment(corpus, tmp_path / "out", "GenderSwap", "--format", kind).exit_code == 0
    assert (tmp_path / "out" / f"part-00000~GenderSwap.{kind}").exists()


def test_rows_without_change_are_left_out_on_demand(corpus: Path, tmp_path: Path) -> None:
    assert _augment(corpus, tmp_path / "out", "GenderSwap", "--format", "csv", "--changed-only").exit_code == 0
    lines = (tmp_path / "out" / "part-00000~GenderSwap.csv").read_text("utf-8").splitlines()
    assert lines == ["row,sentence,augmentation,augmented,changed", "0,He isn't here.,GenderSwap,She isn't here.,true"]


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("NumericToWord", "needs a text with a number; none fits"),
        ("SentenceReordering", "needs a text with several sentences, or an adverbial at one end of its only one; none fits"),
        ("RandomSwap:rate=0", r"no text fits; one that does with the default options: The cat sat on the mat, again. \(with rate=0\.0\)"),
    ],
)
def test_a_row_of_zero_says_why(name: str, reason: str, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    shown = _augment(corpus, tmp_path / "out", name).stdout
    assert re.search(rf"{name} +0 +0.0% +{reason}", shown)


def test_a_language_that_the_rule_does_not_know_is_the_reason(tmp_path: Path) -> None:
    pytest.importorskip("jieba", reason="jieba is not installed (augcse[zh])")
    (tmp_path / "zh.txt").write_text("他不能来。\n", "utf-8")
    shown = _augment(tmp_path / "zh.txt", tmp_path / "out", "ColorTransformation", "--parser", "jieba")
    assert "works on en; the parser reads zh" in shown.stdout


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interruption_says_what_is_kept_and_how_to_go_on(
    number: signal.Signals, code: int, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def interrupted(*arguments: object) -> Results:
        results = apply_stream(*arguments)  # type: ignore[arg-type]
        yield next(results)
        signal.raise_signal(number)

    monkeypatch.setattr(blocks, "SHARD_SENTENCES", 1)
    monkeypatch.setattr(write, "apply_stream", interrupted)
    result = _augment(corpus, tmp_path / "out", "GenderSwap")
    assert result.exit_code == code
    kept = f"1 finished shards are kept in {tmp_path / 'out'}, and the same command continues from there"
    assert result.stderr == f"augcse: stopped by {number.name}; {kept}\n"
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["part-00000~GenderSwap.parquet"]


@pytest.mark.parametrize(
    ("stop", "code"), [(Interrupted("stopped by SIGINT", signal.SIGINT), 130), (FailedWorkError("a worker process was killed"), 1)]
)
def test_what_ends_before_the_first_shard_speaks_of_no_shards(
    stop: BaseException, code: int, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def stopped(*arguments: object) -> None:
        raise stop

    monkeypatch.setattr(write, "apply_stream", stopped)
    assert run(["augment", str(corpus), "--with", "GenderSwap", "--output", str(tmp_path / "out"), "--quiet"]) == code
    assert capsys.readouterr().err.endswith(f"{stop}; no shard was finished, and the same command begins again\n")
    assert not (tmp_path / "out").exists()


def test_progress_knows_the_number_of_rows(corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(console, "_PLAIN_EVERY_S", 0)
    result = _augment(corpus, tmp_path / "out", "GenderSwap")
    assert re.search(r"^augmenting 1/2  [\d,]+ rows/s  0\.0 min left$", result.stderr, re.MULTILINE)
    assert _augment(corpus, tmp_path / "quiet", "GenderSwap", "--quiet").stderr == ""
