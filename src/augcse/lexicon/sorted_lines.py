"""A sorted text file as a lookup table: memory-mapped and searched by bisection, so that opening it reads nothing."""

from __future__ import annotations

import mmap
from pathlib import Path

from augcse.errors import UserError


class SortedLines:
    """Lines of tab-separated fields, the first of which is the key; UTF-8, sorted by the key's bytes, a newline after every line.

    Args:
        path: the file.

    Raises:
        UserError: the file cannot be read, or is empty.
    """

    def __init__(self, path: Path) -> None:
        try:
            with path.open("rb") as file:
                self._content = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        except (OSError, ValueError) as error:
            raise UserError(f"cannot read {path}: {error}; install augcse again") from error

    def find(self, key: str) -> list[str] | None:
        """Return the fields after the key, or None if no line has it."""
        key_bytes = key.encode("utf-8", "surrogatepass")
        low, high = 0, len(self._content)
        while low < high:
            start = self._content.rfind(b"\n", low, (low + high) // 2) + 1 or low
            end = self._content.find(b"\n", start)
            line_key, _, fields = self._content[start:end].partition(b"\t")
            if line_key == key_bytes:
                return fields.decode().split("\t")
            low, high = (end + 1, high) if line_key < key_bytes else (low, start)
        return None
