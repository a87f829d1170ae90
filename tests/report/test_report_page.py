"""The commands of docs/report.md do what the page says."""

from __future__ import annotations

import re
import shlex
import shutil
from pathlib import Path

import pytest
from typer.testing import CliRunner

from augcse.cli.app import app

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "report.md").read_text("utf-8")
BLOCKS = re.findall(r"```bash\n(.*?)```", PAGE, re.DOTALL)


@pytest.fixture
def home(trained_at: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with what the page's commands name."""
    for name in ("my-run", "other-run"):
        (tmp_path / name).mkdir()
        for part in ("run.json", "inputs.json"):
            shutil.copy(trained_at / "run" / part, tmp_path / name / part)
        (tmp_path / name / "model").symlink_to(trained_at / "run" / "model")
    (tmp_path / "sentences.txt").symlink_to(trained_at / "corpus.txt")
    for pairs in ("pairs.tsv", "mine.tsv"):
        (tmp_path / pairs).symlink_to(trained_at / "mine.tsv")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("block", BLOCKS, ids=lambda block: block.strip().splitlines()[-1][:50])
def test_the_commands_work(block: str, home: Path) -> None:
    for line in block.strip().splitlines():
        command, _, target = line.partition(" > ")
        if target:
            # As a shell does before the command begins.
            Path(target).touch()
        result = CliRunner().invoke(app, shlex.split(command)[1:])
        assert result.exit_code == 0, (line, result.exception)
        if target:
            Path(target).write_text(result.stdout, "utf-8")
    page = Path("runs.html").read_text("utf-8")
    assert "my-run" in page
    assert ("my-static" in page) == ("my-static" in block)


def test_the_page_has_commands() -> None:
    assert len(BLOCKS) == 3


@pytest.mark.parametrize("part", re.findall(r"^\| ([a-z][\w ,]+) \| .* \| (?:`run.json`|models.*|) ?\|$", PAGE, re.MULTILINE))
def test_the_parts_are_the_pages(part: str) -> None:
    sources = "".join(file.read_text("utf-8") for file in Path(__file__).resolve().parents[2].glob("src/augcse/report/*.py"))
    assert part == "summary" or f'"{part[0].upper()}{part[1:]}"' in sources or f"<h3>{part[0].upper()}{part[1:]}</h3>" in sources
