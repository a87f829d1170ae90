"""Exchange two paths atomically, on Linux and macOS."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

_AT_FDCWD = -100
# The flag of renameat2 on Linux, and of renamex_np on macOS.
_EXCHANGE = 2


def exchange(one: Path, other: Path) -> bool:
    """Exchange two files or folders of one file system; both must exist.

    Returns:
        False if nothing was done because the operating system, or the file system, does not support it.
    """
    call = _system_call()
    return call is not None and call(os.fsencode(one), os.fsencode(other)) == 0


@cache
def _system_call() -> Callable[[bytes, bytes], int] | None:
    """Return a function that exchanges two paths, and returns 0 on success; None if the system has none."""
    if sys.platform == "win32":
        return None
    library = ctypes.CDLL(None)
    if hasattr(library, "renameat2"):
        renameat2 = library.renameat2
        return lambda one, other: int(renameat2(_AT_FDCWD, one, _AT_FDCWD, other, _EXCHANGE))
    if hasattr(library, "renamex_np"):
        renamex_np = library.renamex_np
        return lambda one, other: int(renamex_np(one, other, _EXCHANGE))
    return None
