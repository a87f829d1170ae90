"""Records as they are kept in docs/results: what was run, without where on this machine it lay."""

from __future__ import annotations

from pathlib import Path
from typing import Any


def without_folders(record: dict[str, Any]) -> dict[str, Any]:
    """Return the record with a file's name in place of every absolute path; the hashes beside them say which files they were."""
    return {key: _without(value) for key, value in record.items()}


def _without(value: Any) -> Any:
    if isinstance(value, dict):
        return without_folders(value)
    if isinstance(value, list):
        return [_without(entry) for entry in value]
    return Path(value).name if isinstance(value, str) and value.startswith("/") else value
