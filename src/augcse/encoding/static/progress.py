"""Progress callbacks of building a static encoder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Progress callbacks of building an encoder; all are optional.

    Attributes:
        start: receives a stage's name, and its number of sentences if known.
        advance: receives the numbers of sentences read since the last call.
        warn: receives warnings for the user.
    """

    start: Callable[[str, int | None], None] = lambda stage, total: None
    advance: Callable[[int], None] = lambda count: None
    warn: Callable[[str], None] = lambda message: None
