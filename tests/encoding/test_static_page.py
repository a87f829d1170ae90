"""docs/static.md names the settings with the defaults that they have."""

from __future__ import annotations

import re
from dataclasses import asdict, fields
from pathlib import Path

import pytest

from augcse.encoding.static.options import MIN_WHITENING, StaticOptions

PAGE = (Path(__file__).resolve().parents[2] / "docs" / "static.md").read_text("utf-8")
ROWS = dict(re.findall(r"^\| `(\w+)` \| ([\d.]+) \|", PAGE, re.MULTILINE))


@pytest.mark.parametrize("name", ROWS)
def test_a_default_is_that_of_the_options(name: str) -> None:
    assert float(ROWS[name]) == asdict(StaticOptions())[name]


def test_every_setting_is_described() -> None:
    assert len(ROWS) >= 5
    documented = StaticOptions.__doc__ or ""
    for field in fields(StaticOptions):
        assert f"        {field.name}: " in documented
        assert f"`{field.name}`" in PAGE or f"--{field.name.replace('_', '-')}" in PAGE


def test_the_page_states_the_bounds() -> None:
    assert f"fewer than {MIN_WHITENING} distinct sentences" in PAGE
    assert f"U S^{StaticOptions().value_exponent:g}`" in PAGE
