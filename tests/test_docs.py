"""Generated pages are fresh; the README keeps its promises."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from augcse.cli.app import app
from augcse.objectives.base import OBJECTIVES

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "README.md"


def _generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("generate_docs", ROOT / "scripts" / "generate_docs.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize("name", _generator().PAGES)
def test_generated_page_is_fresh(name: str) -> None:
    assert name not in _generator().stale_pages(), "run: make docs"


@pytest.mark.parametrize("name", list(OBJECTIVES))
def test_every_objective_has_a_recipe_a_test_and_a_record(name: str) -> None:
    page = (ROOT / "docs" / "objectives.md").read_text("utf-8")
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in page.splitlines() if line.startswith("|")]
    [row] = [row for row in rows if row[0] == f"[{name}](#{name})"]
    assert "-mini" in row[3]
    assert re.search(r"tests/objectives/test_\w+\.py", row[4])
    after = [row for row in rows if row[1] == name and row[2] == "200"]
    assert after, "no run of 200 steps: scripts/objective_runs.py"


def test_readme_is_short() -> None:
    assert len(README.read_text("utf-8").splitlines()) <= 150


def test_readme_names_only_files_that_exist() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README.read_text("utf-8"))
    assert [link for link in links if "://" not in link and not (ROOT / link).exists()] == []


def test_commands_in_the_readme_exist() -> None:
    verbs = {command.name for command in app.registered_commands}
    lines = [line for line in README.read_text("utf-8").splitlines() if line.startswith("augcse ")]
    assert lines
    assert {shlex.split(line)[1] for line in lines} <= verbs
