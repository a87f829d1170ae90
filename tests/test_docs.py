"""Generated pages are fresh; the README keeps its promises."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path
from types import ModuleType

import pytest

from augcse.cli.app import app

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
