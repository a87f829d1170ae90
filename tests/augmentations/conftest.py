"""The bundled parser, loaded once for all tests of parser-bound rules."""

from __future__ import annotations

import functools
from collections.abc import Callable

import pytest

from augcse.annotation import pipeline
from augcse.annotation.parse import Parse, parse_of_rows


@pytest.fixture(scope="session")
def parse_sentence() -> Callable[[str], Parse]:
    """Parse a sentence with the bundled pipeline, the same sentence once."""
    return functools.lru_cache(maxsize=None)(pipeline.parse_sentence)


@pytest.fixture(scope="session")
def copula_as_root() -> Parse:
    """The parse of "He was old." in ClearNLP's labels, where the copula is the root and the adjective hangs on it."""
    rows = [
        ("He", 0, "he", "PRON", "PRP", 1, "nsubj"),
        ("was", 3, "be", "AUX", "VBD", 1, "ROOT"),
        ("old", 7, "old", "ADJ", "JJ", 1, "acomp"),
        (".", 10, ".", "PUNCT", ".", 1, "punct"),
    ]
    return parse_of_rows("He was old.", rows)
