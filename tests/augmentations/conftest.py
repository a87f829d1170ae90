"""The bundled parser, loaded once for all tests of parser-bound rules."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from augcse.annotation import pipeline
from augcse.annotation.parse import Parse


@pytest.fixture(scope="session")
def parse_sentence() -> Callable[[str], Parse]:
    """Parse a sentence with the bundled pipeline, the same sentence once."""
    return functools.lru_cache(maxsize=None)(pipeline.parse_sentence)
