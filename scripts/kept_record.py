"""Run records for docs/results, without local paths."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def without_folders(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record with absolute paths reduced to file names; their hashes identify the files."""
    return {key: _without(value) for key, value in record.items()}


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return without_folders(value)
    if isinstance(value, list):
        return [_without(entry) for entry in value]
    return Path(value).name if isinstance(value, str) and value.startswith("/") else value
