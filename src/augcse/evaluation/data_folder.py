"""The location of evaluation data."""

from __future__ import annotations

import os
from pathlib import Path

from augcse.errors import UserError

DATA_VARIABLE = "AUGCSE_DATA"


def find_data(data: str | Path | None) -> Path | None:
    """Return the data folder given, or that of `AUGCSE_DATA`, or None."""
    value = data if data is not None else os.environ.get(DATA_VARIABLE)
    if not value:
        return None
    folder = Path(value).expanduser()
    if not folder.is_dir():
        raise UserError(f"no data folder {folder}; --data (or {DATA_VARIABLE}) takes a folder with sts/ in it")
    return folder
