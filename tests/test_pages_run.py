"""The commands and programs of the pages run as they stand, in order, in one folder per page.

A block of a page is run if `<!-- runs -->` stands on the line above it. `<!-- runs given sentences.txt -->` puts files of `GIVEN` into the
folder first. To make them quick, `ADDED` is put after each command of a kind: nothing else differs from what a reader types.
"""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from augcse.cli.app import run
from augcse.resources import DEMO_CORPUS, DEMO_PAIRS

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"^<!-- runs(?: given ([^>]+?))? -->\n```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
MARKED = [page for page in PAGES if BLOCK.search(page.read_text("utf-8"))]
SENTENCES = DEMO_CORPUS.read_text("utf-8").splitlines()[:300]
GIVEN = {
    "documents.txt": "\n".join(" ".join(SENTENCES[first : first + 4]) for first in range(0, len(SENTENCES), 4)),
    "sentences.txt": "\n".join(SENTENCES),
    "pairs.tsv": DEMO_PAIRS.read_text("utf-8"),
}
ADDED = {
    "train": ["--set", "training.max_steps=2", "--workers", "1", "--quiet"],
    "probe": ["--sample", "60", "--resamples", "5", "--quiet"],
    "pretrain": ["--quiet"],
    "score": ["--sample", "60", "--quiet"],
    "static": ["--quiet"],
    "augment": ["--workers", "1"],
}


def commands(block: str) -> list[list[str]]:
    """The words of each command of a block; a line that ends with a backslash goes on."""
    lines = [shlex.split(line, comments=True) for line in re.sub(r"\\\n\s*", " ", block).splitlines()]
    return [words for words in lines if words]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("page", MARKED, ids=lambda page: page.name)
def test_the_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for given, language, block in BLOCK.findall(page.read_text("utf-8")):
        for name in given.split():
            Path(name).write_text(GIVEN[name], "utf-8")
        if language == "python":
            exec(compile(block, str(page), "exec"), names)
            continue
        for program, command, *words in commands(block):
            assert program == "augcse", "only augcse and Python are run"
            code = run([command, *words, *ADDED.get(command, [])])
            assert code == 0, f"{shlex.join([command, *words])}: {capsys.readouterr().err}"


@pytest.mark.parametrize("page", MARKED, ids=lambda page: page.name)
def test_every_mark_stands_above_a_block_that_can_be_run(page: Path) -> None:
    text = page.read_text("utf-8")
    found = BLOCK.findall(text)
    assert len(found) == text.count("<!-- runs")
    assert {language for _, language, _ in found} <= {"bash", "python"}
    assert {name for given, _, _ in found for name in given.split()} <= set(GIVEN)


def test_the_pages_that_promise_it_are_run() -> None:
    assert {page.name for page in PAGES if "`tests/test_pages_run.py` runs" in page.read_text("utf-8")} == {"tutorial.md"}
    assert {"tutorial.md", "splitting.md", "choosing.md", "cost.md"} <= {page.name for page in MARKED}


def test_every_block_of_the_tour_is_run() -> None:
    text = (ROOT / "docs" / "tutorial.md").read_text("utf-8")
    assert len(BLOCK.findall(text)) == len(re.findall(r"^```\w", text, re.MULTILINE)) > 5
