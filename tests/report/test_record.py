"""`augcse report` on damaged records: exit code 2, one line that names file and key, nothing written; on whole ones: escaped HTML."""

from __future__ import annotations

import copy
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from augcse.cli.app import app
from augcse.errors import UserError
from augcse.report.page import Further, runs_page
from augcse.report.record import load_record, load_records
from augcse.report.runs import ReportedRun
from augcse.report.scores import scored_rows

RESULTS = Path(__file__).resolve().parents[2] / "docs" / "results"
RECORD: dict[str, Any] = {
    "recipe": {"name": "augcse-mini", "objective": {"name": "augcse", "alpha": -1.0}, "training": {"seed": 1, "batch_size": 64}},
    "scores": {"STSB": 60.0, "avg": 50.0},
    "curves": [{"step": step, "discriminator_accuracy": step / 10, "contrastive": 1 / step} for step in range(1, 6)],
    "steps": 5,
    "precision": "fp32",
    "wall_time_s": 1.0,
    "peak_memory_mb": 2.0,
    "hardware": {"processor": "one"},
    "before": {"step": 0, "dev": {"mine": 40.0}, "test": {"STSB": 55.0}},
    "best": {"step": 3, "dev": {"mine": 45.0}, "test": {"STSB": 60.0}},
    "last": {"step": 5, "dev": {"mine": 44.0}, "test": {}},
}
ABSENT = object()
KEYS = [
    *(key for key in RECORD if key not in ("before", "best", "last")),
    "recipe.name",
    "recipe.objective",
    "recipe.training",
    "recipe.training.seed",
    "hardware.processor",
    "curves.0.step",
]
VALUES = {
    "scores": [None, [], "high", 3, {"STSB": None}, {"STSB": "60"}, {"STSB": float("nan")}, {"STSB": [60]}, {"": 60.0}],
    "curves": [None, {}, "x", 1, [None], [[]], [1], ["step"]],
    "curves.0.step": [None, "1", 1.5, -1, float("nan"), [], True, 10**30],
    "before": [[], "high", {"step": "0"}, {"step": 0, "dev": "high"}],
    "best.dev.mine": [None, "high", float("nan")],
    "last.test.STSB": [[], float("inf")],
    "kept_step": ["3", -1, 1.5],
    "corpus": ["text", {}, [3], [{"path": "a", "sha256": 3}], [{"path": 3, "sha256": "a"}]],
    "prepared": ["text", {"distinct": -1}, {"label_counts": {"a": "b"}}],
    "data": ["text", {"folder": 3}],
    "test": ["STSB", [3]],
    "files": [[], {"mine": [{"path": "a", "sha256": 3}]}],
    "gain": [3, [], "high"],
    "recipe.model": ["mini-bert", {"backbone": 3}],
    "recipe.augmentation": [None, "names"],
    "curves.0.contrastive": ["low", [], {}, float("nan"), float("inf"), 1e300, -1e300, False],
    "recipe": [None, [], "augcse-mini", 1],
    "recipe.name": [None, 1, [], {}, "", "n" * 300, "\ud800"],
    "recipe.objective": [None, [], "augcse"],
    "recipe.training": [None, [], 1],
    "recipe.training.seed": [None, "1", 1.5, [], True, 10**400],
    "intervals": [None, [], "wide", {"STSB": None}, {"STSB": [1, 2]}, {"STSB": {"low": "1", "high": 2.0}}],
    "steps": [None, "5", 1.5, -1, float("inf"), {}],
    "precision": [None, 1, []],
    "wall_time_s": [None, "1", float("nan"), float("-inf"), 1e300, []],
    "resumed_from_steps": [None, "3", 3, ["3"], [-1]],
    "peak_memory_mb": [None, "2", float("nan"), True],
    "hardware": [None, [], "a machine"],
    "hardware.processor": [None, 1, ["one"]],
}
DAMAGES = [(key, ABSENT) for key in KEYS] + [(key, value) for key, values in VALUES.items() for value in values]
FILES: dict[str, tuple[bytes, str]] = {
    "empty": (b"", "not a run record"),
    "cut short": (json.dumps(RECORD).encode()[:100], "not a run record"),
    "not UTF-8": (json.dumps(RECORD).encode().replace(b"one", b"\xff\xfe"), "not UTF-8 (byte"),
    "UTF-16": (json.dumps(RECORD).encode("utf-16"), "not UTF-8 (byte 0)"),
    "not JSON": (b"recipe = 1\n", "not a run record"),
    "two documents": (b"{}\n{}\n", "not a run record"),
    "nested too deeply": (b"[" * 100_000, "not a run record"),
    "a number of thousands of digits": (b'{"steps": ' + b"9" * 5000 + b"}", "not a run record"),
    "a list": (b"[]", "the document is []"),
    "a list of records": (json.dumps([RECORD]).encode(), "the document is [{"),
    "null": (b"null", "the document is None"),
    "a text": (b'"run"', "the document is 'run'"),
    "a number": (b"3", "the document is 3"),
    "another program's": (b'{"name": "web", "version": "1.0.0"}', "recipe is missing"),
    "NUL bytes": (b"\0" * 64, "not a run record"),
}


def _report(*arguments: object) -> str:
    """Run the command, which must refuse, and return its line."""
    result = CliRunner().invoke(app, ["report", *map(str, arguments)])
    assert isinstance(result.exception, UserError), result
    assert result.stdout == ""
    assert "\n" not in str(result.exception)
    return str(result.exception)


def _run(record: dict[str, Any], name: str = "run") -> ReportedRun:
    return ReportedRun(name, Path(name), record, {})


def _damaged(key: str, value: object) -> dict[str, Any]:
    record = copy.deepcopy(RECORD)
    *path, last = [int(part) if part.isdigit() else part for part in key.split(".")]
    target: Any = record
    for part in path:
        target = target[part]
    if value is ABSENT:
        del target[last]
    else:
        target[last] = value
    return record


@pytest.mark.parametrize(("key", "value"), DAMAGES, ids=lambda part: "absent" if part is ABSENT else repr(part)[:20])
def test_a_damaged_key_is_named(key: str, value: object, tmp_path: Path) -> None:
    (tmp_path / "run.json").write_text(json.dumps(_damaged(key, value)), "utf-8")
    line = _report(tmp_path, "--output", tmp_path / "page.html")
    assert line.startswith(f"{tmp_path / 'run.json'}: {key}")
    assert ("is missing" in line) == (value is ABSENT)
    assert not (tmp_path / "page.html").exists()


@pytest.mark.parametrize("name", list(FILES))
def test_a_file_that_is_no_record_is_named(name: str, tmp_path: Path) -> None:
    content, message = FILES[name]
    (tmp_path / "run.json").write_bytes(content)
    line = _report(tmp_path, "--output", tmp_path / "page.html")
    assert line.startswith(f"{tmp_path / 'run.json'}: ")
    assert message in line


@pytest.mark.parametrize("place", ["nowhere", "empty", "fifo/run.json"])
def test_where_there_is_no_record_it_is_said(place: str, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "fifo").mkdir()
    os.mkfifo(tmp_path / "fifo" / "run.json")
    assert f"{tmp_path / place} holds no run.json" in _report(tmp_path / place, "--output", tmp_path / "page.html")


def test_one_damaged_run_among_whole_ones_is_named(tmp_path: Path) -> None:
    for name, record in (("whole", RECORD), ("broken", _damaged("scores", ABSENT))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "run.json").write_text(json.dumps(record), "utf-8")
    assert f"{tmp_path}/broken/run.json: scores is missing" in _report(tmp_path / "whole", tmp_path / "broken", "--output", tmp_path / "x")


@pytest.mark.parametrize("again", ["run", "run/run.json", "link"])
def test_a_run_counts_once(again: str, tmp_path: Path) -> None:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text(json.dumps(RECORD), "utf-8")
    (tmp_path / "link").symlink_to("run")
    with pytest.raises(UserError, match="given twice"):
        load_records([tmp_path / "run", tmp_path / again])


@pytest.mark.parametrize("path", sorted(RESULTS.rglob("run.json")), ids=lambda path: path.parent.name)
def test_committed_records_load(path: Path) -> None:
    assert load_record(path)["steps"] > 0


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("curves", []),
        ("scores", {}),
        ("curves.0.contrastive", ABSENT),
        ("curves.0.contrastive", None),
        ("curves.0.contrastive", 1e-300),
        ("curves.0.contrastive", 1.0 + 1e-15),
        ("curves.0.contrastive", 1e12),
        ("curves.0.loss", float("nan")),
        ("curves", [{"step": 1, "contrastive": 5e-324}, {"step": 2, "contrastive": 0.0}]),
        ("curves", [{"step": 1, "contrastive": 1e12}, {"step": 1, "contrastive": 1e12 - 1}]),
        ("recipe.objective", {}),
        ("recipe.objective", {"name": "\ud800"}),
        ("later_version", {"a": [1]}),
    ],
    ids=lambda part: "absent" if part is ABSENT else ascii(part)[:20],
)
def test_a_page_is_made_of_what_is_there(key: str, value: object, tmp_path: Path) -> None:
    record = _damaged(key, value) if key in RECORD or "." in key else {**RECORD, key: value}
    (tmp_path / "run.json").write_text(json.dumps(record), "utf-8")
    result = CliRunner().invoke(app, ["report", str(tmp_path), "--output", str(tmp_path / "page.html")])
    assert result.exit_code == 0, result
    assert "nan" not in (tmp_path / "page.html").read_text("utf-8").split("</style>")[1]


def test_names_are_text_on_the_page() -> None:
    hostile = "<script>alert(1)</script>\"'><img src=x onerror=y>&amp;"
    record = _damaged("recipe.name", hostile)
    record["hardware"]["processor"] = record["precision"] = hostile
    record["recipe"]["objective"] = {"name": "augcse", hostile: hostile}
    record["recipe"]["model"] = {"backbone": hostile}
    record["corpus"] = [{"path": hostile, "sha256": hostile}]
    record["prepared"] = {"label_counts": {hostile: 3}}
    for scores in (record["scores"], record["before"]["test"], record["before"]["dev"], record["best"]["dev"]):
        scores[hostile] = 50.0
    record["intervals"] = {hostile: {"low": 40.0, "high": 60.0}}
    record["curves"][0][f"eval_{hostile}"] = 50.0
    runs = [_run(record, hostile), _run(_damaged("recipe.name", hostile), f"{hostile} too")]
    scored = scored_rows(runs, [(f"{hostile} beside", {"model": hostile, "scores": {hostile: 1.0}})], f"{hostile} beside")
    page = runs_page(runs, hostile, scored, Further(left_out=[hostile]))
    assert "<script" not in page
    assert "<img" not in page
    assert "&lt;script&gt;" in page


def test_two_runs_of_one_seed_are_two_lines() -> None:
    page = runs_page([_run(RECORD), _run(copy.deepcopy(RECORD), "again")])
    assert page.count("<polyline") == 4


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "run.json").write_text(json.dumps(RECORD), "utf-8")
    return tmp_path / "run"


@pytest.mark.parametrize("target", [lambda run: run / "run.json", lambda run: run, lambda run: run.parent / "thesis.html"])
def test_what_is_no_report_is_not_replaced(target: Callable[[Path], Path], run_folder: Path) -> None:
    (run_folder.parent / "thesis.html").write_text("<html>", "utf-8")
    assert "--output" in _report(run_folder, "--output", target(run_folder))
    assert load_record(run_folder) == RECORD
    assert (run_folder.parent / "thesis.html").read_text("utf-8") == "<html>"


def test_a_page_that_cannot_be_written_is_refused_before_the_runs_are_read(run_folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("augcse.cli.report._read_arguments", lambda paths: pytest.fail("the runs were read"))
    monkeypatch.setattr("os.access", lambda path, mode, **how: mode == os.R_OK)
    said = _report(run_folder, "--output", run_folder / "new" / "page.html")
    assert "cannot be written: permission denied for" in said
    assert said.endswith("choose another --output")


def test_a_report_replaces_a_report_and_force_replaces_anything(run_folder: Path) -> None:
    page = run_folder / "page.html"
    arguments = ["report", str(run_folder), "--output", str(page)]
    assert CliRunner().invoke(app, arguments).exit_code == 0
    assert CliRunner().invoke(app, [*arguments, "--title", "again"]).exit_code == 0
    assert "again" in page.read_text("utf-8")
    page.write_text("mine", "utf-8")
    assert CliRunner().invoke(app, [*arguments, "--force"]).exit_code == 0
    assert "augcse runs" in page.read_text("utf-8")


def test_json_is_one_document(run_folder: Path) -> None:
    result = CliRunner().invoke(app, ["report", str(run_folder), "--output", str(run_folder / "page.html"), "--json"])
    document = json.loads(result.stdout)
    moments = {moment: RECORD[moment] for moment in ("before", "best", "last")}
    assert document["runs"] == [{"run": str(run_folder), "name": "run", "seed": 1, "scores": {"STSB": 60.0, "avg": 50.0}, **moments}]
    assert document["report"] == str(run_folder / "page.html")
