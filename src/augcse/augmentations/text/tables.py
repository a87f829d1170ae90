"""Word lists: facts only, a row a line, fields between tabs, "#" before a comment. Each stands beside the code that reads it."""

from __future__ import annotations

from pathlib import Path


def data_rows(path: Path) -> list[list[str]]:
    """Return the rows of a list."""
    lines = path.read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
