"""Where a run reports to; apart from the run, so that who only watches does not import torch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Watcher:
    """Where a run reports to. Every member may be left out."""

    start: Callable[[str, int | None], None] = lambda stage, total: None
    advance: Callable[[int, Mapping[str, float]], None] = lambda done, figures: None
    warn: Callable[[str], None] = lambda message: None
    note: Callable[[str], None] = lambda message: None


# Of who does not watch.
NOBODY = Watcher()
