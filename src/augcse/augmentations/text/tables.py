"""The word lists under data/: facts only, a row a line, fields between tabs, "#" before a comment."""

from __future__ import annotations

from pathlib import Path

_DATA = Path(__file__).parents[1] / "data"


def data_rows(name: str) -> list[list[str]]:
    """Return the rows of a list."""
    lines = (_DATA / name).read_text(encoding="utf-8").splitlines()
    return [line.split("\t") for line in lines if line and not line.startswith("#")]
