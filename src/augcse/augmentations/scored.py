"""The scores of augmentations that `augcse score` wrote, read without numpy or torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from augcse.errors import UserError
from augcse.files import reported_read

TABLE = "scores.json"


def read_scores(folder: Path) -> dict[str, dict[str, Any]]:
    """Return the figures of each augmentation by its name; raises `UserError` for a folder that `augcse score` did not write."""
    path = folder / TABLE
    if not path.is_file():
        raise UserError(f"{folder} holds no {TABLE}; make it with: augcse score CORPUS --with NAME,... --output {folder}")
    with reported_read():
        text = path.read_bytes()
    try:
        scores = json.loads(text)["scores"]
        return {score["name"]: dict(score) for score in scores}
    except (ValueError, KeyError, TypeError, RecursionError) as error:
        raise not_scores(folder) from error


def not_scores(folder: Path) -> UserError:
    """Return the error of a table that is not what `augcse score` writes."""
    return UserError(f"{folder / TABLE} is not what augcse score writes; write it again with that command")
