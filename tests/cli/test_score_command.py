"""`augcse score` and `augcse select`: tables for people, one document for programs, a set that other commands read."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from augcse.cli.app import app
from augcse.errors import UserError


def run(*arguments: object) -> Result:
    result = CliRunner().invoke(app, [*map(str, arguments)], catch_exceptions=True)
    if isinstance(result.exception, UserError):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def scores(tiny_backbone: Path, corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("command") / "scores"
    names = "RandomSwap,PigLatin,ColorTransformation"
    done = run("score", corpus, "--with", names, "--model", tiny_backbone, "--lm", "none", "--sample", 60, "--output", folder)
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines[:4]] == ["augmentation", *names.split(",")]
    assert lines[1].split()[1] == "100.0%"
    assert lines[3].split()[2:10] == ["-"] * 8
    assert "perplexity: not measured;" in lines[-2]
    assert f"augcse select {folder}" in lines[-1]
    assert "augmenting: PigLatin" in done.stderr
    return folder


def test_the_document_is_the_file(scores: Path, tiny_backbone: Path, corpus: Path) -> None:
    names = "RandomSwap,PigLatin,ColorTransformation"
    options = ("--model", tiny_backbone, "--lm", "none", "--sample", 60, "--quiet", "--json")
    document = json.loads(run("score", corpus, "--with", names, *options).stdout)
    kept = json.loads((scores / "scores.json").read_text("utf-8"))
    for one in (*document["scores"], *kept["scores"]):
        assert one.pop("sentences_per_s") > 0
    assert document == kept


def test_a_set_is_chosen_and_used(scores: Path, tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    done = run("select", scores, "--output", path)
    assert [line.split()[:2] for line in done.stdout.splitlines()[1:4]] == [
        ["in", "RandomSwap"],
        ["out", "PigLatin"],
        ["out", "ColorTransformation"],
    ]
    assert json.loads(run("select", scores, "--json").stdout)["names"] == ["RandomSwap"]
    assert run("preview", "One two three four.", "--with", path).stdout.startswith("RandomSwap")
    with pytest.raises(UserError, match=r"mine\.toml exists"):
        run("select", scores, "--output", path)
