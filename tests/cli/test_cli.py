"""The command line: one JSON document on stdout, one line on stderr for what is wrong, the promised exit codes."""

from __future__ import annotations

import errno
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from augcse import __version__
from augcse.cli import app as app_module
from augcse.cli.app import app
from augcse.errors import FailedWorkError, UserError


def _run(*arguments: object) -> Result:
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def _json(*arguments: object) -> object:
    result = _run(*arguments, "--json")
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def _process(*arguments: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "augcse", *map(str, arguments)], capture_output=True, text=True, timeout=120, env=dict(os.environ)
    )


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("augmentations", {"name", "family", "meaning", "needs", "languages", "source", "description", "example"}),
        ("objectives", {"name", "paper", "equation", "options"}),
        ("tasks", {"name", "suites", "pairs"}),
        ("recipes", {"name", "description", "objective", "backbone"}),
    ],
)
def test_list_as_json_and_as_a_table(kind: str, keys: set[str]) -> None:
    cards = _json("list", kind)
    assert isinstance(cards, list)
    assert all(keys <= set(card) for card in cards)
    table = _run("list", kind)
    assert table.exit_code == 0
    assert len(table.stdout.splitlines()) > len(cards)


def test_version() -> None:
    assert _run("--version").stdout.strip() == __version__


def test_preview_gives_every_augmentation_and_keeps_the_text_where_none_applies() -> None:
    text = "She didn't buy 3 old cars."
    document = _json("preview", text)
    assert isinstance(document, list)
    by_name = {entry["name"]: entry for entry in document}
    assert by_name["ContractionExpansions"] == {
        "name": "ContractionExpansions",
        "augmented": "She did not buy 3 old cars.",
        "changed": True,
        "left_alone": [],
        "why_unchanged": None,
    }
    unchanged = by_name["DiscourseMarkerSubstitution"]
    assert unchanged.pop("why_unchanged").startswith("needs ")
    assert unchanged == {"name": "DiscourseMarkerSubstitution", "augmented": text, "changed": False, "left_alone": []}


def test_preview_in_colour_shows_old_and_new() -> None:
    result = _run("preview", "It isn't hot.", "--with", "ContractionExpansions,NumericToWord")
    assert "does not apply" in result.stdout
    assert "not" in result.stdout


def test_augment_writes_shards_and_a_table(corpus: Path, tmp_path: Path) -> None:
    result = _run("augment", corpus, "--with", "RandomSwap,NumericToWord", "--output", tmp_path / "out")
    assert result.exit_code == 0, result.output
    assert "RandomSwap" in result.stdout
    assert (tmp_path / "out" / "part-00000~RandomSwap.parquet").exists()


def test_augment_prints_one_document_and_nothing_else(corpus: Path, tmp_path: Path) -> None:
    result = _run("augment", corpus, "--with", "RandomSwap", "--output", tmp_path / "out", "--json", "--quiet")
    document = json.loads(result.stdout)
    assert (document["output"], document["rows"], result.stderr) == (str(tmp_path / "out"), 400, "")
    assert 0 < document["augmentations"]["RandomSwap"]["changed"] <= 400


def test_train_prints_one_document_and_nothing_else(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    settings = ["--set", "batch_size=40", "--set", "max_steps=2"]
    run = tmp_path / "run"
    result = _run("train", "simcse-mini", "--corpus", corpus, "--model", tiny_backbone, "--output", run, *settings, "--json", "--quiet")
    document = json.loads(result.stdout)
    assert document.items() >= json.loads((run / "run.json").read_text("utf-8")).items()
    assert (document["folder"], document["model"]) == (str(run), str(run / "model"))
    # In a process of its own the libraries' bars are off too.
    assert [word for word in ("preparing", "training", "steps", "scored") if word in result.stderr] == []


def test_train_evaluate_report(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    from augcse.resources import DEMO_PAIRS

    run = tmp_path / "run"
    settings = ["--set", "batch_size=40", "--set", "max_steps=3", "--set", "log_every_steps=1"]
    result = _run("train", "augcse-mini", "--corpus", corpus, "--model", tiny_backbone, "--output", run, "--seed", 7, *settings)
    assert result.exit_code == 0, result.output
    assert "nothing is scored while training" in result.stderr
    assert "3 steps" in result.stderr
    record = json.loads((run / "run.json").read_text("utf-8"))
    assert record["recipe"]["training"]["seed"] == 7
    page = tmp_path / "page.html"
    assert _run("report", run, "--output", page).exit_code == 0
    assert "Discriminator: balanced accuracy" in page.read_text("utf-8")
    other = tmp_path / "other"
    scored = _run("train", "simcse-mini", "--corpus", corpus, "--model", tiny_backbone, "--output", other, "--dev", DEMO_PAIRS, *settings)
    assert scored.exit_code == 0, scored.output


def test_train_tests_on_what_it_is_told(corpus: Path, tiny_backbone: Path, data_folder: Path, tmp_path: Path) -> None:
    shared = ["simcse-mini", "--corpus", corpus, "--model", tiny_backbone, "--data", data_folder, "--dev", "none"]
    settings = ["--set", "batch_size=40", "--set", "max_steps=2"]
    for test, scored in (("STSB", ["STSB"]), ("none", [])):
        result = _run("train", *shared, *settings, "--output", tmp_path / test, "--test", test)
        assert result.exit_code == 0, result.output
        assert list(json.loads((tmp_path / test / "run.json").read_text("utf-8"))["scores"]) == scored
    refused = _run("train", *shared, *settings, "--output", tmp_path / "unknown", "--test", "STSX")
    assert isinstance(refused.exception, UserError)
    assert not (tmp_path / "unknown").exists()


def test_evaluate_prints_one_document(data_folder: Path, tiny_backbone: Path) -> None:
    document = _json("evaluate", tiny_backbone, "--tasks", "STS16", "--data", data_folder)
    assert isinstance(document, dict)
    assert document["model"] == str(tiny_backbone)
    assert list(document["scores"]) == ["STS16"]
    assert "STS16" in _run("evaluate", tiny_backbone, "--tasks", "STS16", "--data", data_folder).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["evaluate", "/no/model"], "no model folder /no/model"),
        (["train", "augcse-mni", "--corpus", "x.txt"], "did you mean augcse-mini"),
        (["train", "simcse-mini", "--corpus", "/no/corpus.txt", "--output", "/tmp/never-made"], "no corpus file /no/corpus.txt"),
        (["preview", "x", "--with", "RandomSwop"], "did you mean RandomSwap"),
        (["report", "/no/run", "--output", "x.html"], "no run.json"),
    ],
)
def test_bad_input_raises_the_one_line_error(arguments: list[str], message: str) -> None:
    result = _run(*arguments)
    assert isinstance(result.exception, UserError)
    assert message in str(result.exception)
    assert "\n" not in str(result.exception)
    assert not Path("/tmp/never-made").exists()


@pytest.mark.parametrize("arguments", [["lst"], ["list", "augmentation"], ["train", "simcse-mini"], ["augment", "x", "--workers", "0"]])
def test_wrong_usage_exits_with_2(arguments: list[str]) -> None:
    assert _run(*arguments).exit_code == 2


def test_encoding_errors_takes_two_values(corpus: Path, tmp_path: Path) -> None:
    result = _run("augment", corpus, "--with", "RandomSwap", "--output", tmp_path / "o", "--encoding-errors", "ignore")
    assert result.exit_code == 2
    assert _run("augment", corpus, "--with", "RandomSwap", "--output", tmp_path / "o", "--encoding-errors", "replace").exit_code == 0


def test_process_exits_with_2_and_one_line_on_stderr() -> None:
    done = _process("evaluate", "/no/model")
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.startswith("augcse: error: no model folder")
    assert done.stderr.count("\n") == 1


def test_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m augcse list augmentations --json | head -c 1"
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], capture_output=True, text=True, timeout=60)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (UserError("no"), 2),
        (FailedWorkError("no"), 1),
        (OSError(errno.ENOSPC, "No space left on device"), 1),
        (OSError(errno.ENAMETOOLONG, "File name too long", "x"), 2),
        (KeyboardInterrupt(), 130),
    ],
)
def test_main_turns_errors_into_exit_codes(
    error: BaseException, code: int, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    failing = typer.Typer()

    @failing.command()
    def fail() -> None:
        raise error

    monkeypatch.setattr(app_module, "app", failing)
    monkeypatch.setattr(sys, "argv", ["augcse"])
    with pytest.raises(SystemExit) as stop:
        app_module.main()
    assert stop.value.code == code
    assert capsys.readouterr().err.startswith("augcse: ")
