"""Progress callbacks of building a static encoder."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Progress:
    """Progress callbacks of building an encoder; all are optional.

    Attributes:
        start: receives a stage's name, and its number of sentences where it is known.
        advance: receives numbers of further sentences.
        warn: receives what the user should know of.
    """

    start: Callable[[str, int | None], None] = lambda stage, total: None
    advance: Callable[[int], None] = lambda count: None
    warn: Callable[[str], None] = lambda message: None
