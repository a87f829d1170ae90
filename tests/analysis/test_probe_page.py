"""docs/probe.md: its commands run, its figures are the record's, and the record's correlations are those of its models."""

from __future__ import annotations

import json
import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from scipy import stats
from typer.testing import CliRunner

import augcse
import probe_correlation
from augcse.analysis.probe.checks import CHECKS
from augcse.analysis.probe.edits import FEWEST_EDITS
from augcse.analysis.sample import SMALLEST_SAMPLE
from augcse.cli.app import app
from augcse.encoding.model import load_encoder

PAGES = Path(__file__).resolve().parents[2] / "docs"
PAGE = (PAGES / "probe.md").read_text("utf-8")
[BLOCK] = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)
COMMANDS = [shlex.split(line)[1:] for line in BLOCK.splitlines()]
[PROGRAM] = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
RECORD: dict[str, Any] = json.loads(probe_correlation.RECORD.read_text("utf-8"))


@pytest.fixture
def _here(tiny_backbone: Path, corpus: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The page's files; its models are tiny ones here, a name of the bundled one too."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(corpus, "sentences.txt")
    shutil.copy(corpus, "more.txt")
    for folder in ("whitened", "my-run/model", "mini"):
        load_encoder(str(tiny_backbone), "mean", "cpu").save_pretrained(folder, create_model_card=False)
    monkeypatch.setitem(augcse.model_folder.BUNDLED_BACKBONES, "mini-bert", tmp_path / "mini")


@pytest.mark.usefixtures("_here")
@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_of_the_page_runs(command: list[str]) -> None:
    done = CliRunner().invoke(app, [*command, "--sample", "60", "--resamples", "5"])
    assert (done.exit_code, done.exception) == (0, None), done.output


@pytest.mark.usefixtures("_here")
def test_the_program_of_the_page_runs(capsys: pytest.CaptureFixture[str]) -> None:
    exec(compile(PROGRAM.replace("sample=500", "sample=60, resamples=5"), "probe.md", "exec"), {})
    assert "mini-bert" in capsys.readouterr().out


def test_the_page_says_the_limits() -> None:
    words = " ".join(PAGE.split())
    assert f"change fewer than {FEWEST_EDITS} sentences are left out" in words
    assert f"`--sample`; at least {SMALLEST_SAMPLE}" in words
    assert all(f"| {check.name} |" in PAGE for check in CHECKS)


def test_the_record_is_of_enough_models_and_no_test_split() -> None:
    assert len({model["model"] for model in RECORD["models"]}) == len(RECORD["models"]) >= 15
    assert set(RECORD["correlations"]) == {"STSB-dev", "SICKR-trial"}


def test_changelog_and_page_give_the_recorded_figures() -> None:
    found = RECORD["correlations"]["STSB-dev"]["summary"]
    low, high = found["interval"]
    words = " ".join((PAGES.parent / "CHANGELOG.md").read_text("utf-8").split())
    models, best = len(RECORD["models"]), f"{found['within']['best quarter']:.0f}"
    figures = f"{found['spearman']:.0f} ({low:.0f} to {high:.0f})"
    assert (
        f"Over {models} models its summary and STS-B dev have a rank correlation of {figures}, in the best quarter of them of {best} "
        in words
    )
    assert f"The summary's {best} in the best quarter is from {models // 4} models" in " ".join(PAGE.split())


@pytest.mark.parametrize("task", list(RECORD["correlations"]))
def test_the_recorded_correlations_are_scipys(task: str) -> None:
    scores = [model["scores"][task] for model in RECORD["models"]]
    for check, found in RECORD["correlations"][task].items():
        figures = [model["figures"][check] for model in RECORD["models"]]
        if len(set(figures)) > 1:
            assert found["spearman"] == pytest.approx(100 * stats.spearmanr(figures, scores).statistic, abs=0.01)
            assert found["interval"][0] <= found["spearman"] <= found["interval"][1]


def test_texts_of_two_columns_are_encoded_once() -> None:
    assert probe_correlation._without_repeats([["a", "b", "a"], ["b", "c"], ["a"]]) == [["a", "b"], ["c"], []]
