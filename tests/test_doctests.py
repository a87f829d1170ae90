"""The examples in docstrings hold."""

from __future__ import annotations

import doctest
from importlib import import_module
from pathlib import Path

import pytest

import augcse

SOURCE = Path(augcse.__file__).parent
WITH_EXAMPLES = sorted(path for path in SOURCE.rglob("*.py") if "\n    >>> " in path.read_text("utf-8"))


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=lambda path: path.relative_to(SOURCE).as_posix())
def test_the_examples_hold(path: Path) -> None:
    module = import_module(".".join(["augcse", *path.relative_to(SOURCE).with_suffix("").parts]).removesuffix(".__init__"))
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0
