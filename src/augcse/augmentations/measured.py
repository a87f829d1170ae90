"""How often an augmentation changes a sentence, as measured (`scripts/sample_augmentations.py`)."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

MEASURED = Path(__file__).parent / "measured.json"


@cache
def measured_shares() -> dict[str, Any]:
    """Return the corpus, the seed, and the share of its rows that each augmentation changes, except those on published checkpoints."""
    document: dict[str, Any] = json.loads(MEASURED.read_text("utf-8"))
    return document


def change_rate(name: str) -> dict[str, Any] | None:
    """Return the share of rows that an augmentation changed, and of which corpus; None where it was not measured."""
    measured = measured_shares()
    share = measured["changed"].get(name)
    corpus = {"corpus": measured["corpus"]["file"], "rows": measured["corpus"]["rows"], "seed": measured["seed"]}
    return None if share is None else {"share": share, **corpus}
