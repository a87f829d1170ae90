"""Randomness as an argument: one independent stream per (seed, purpose, row, epoch).

Every random decision about text is drawn from `stream(seed, *path)`. The stream depends on nothing but its arguments, so
results are the same for any number of workers, any order of rows and any engine, and the process-wide generators stay untouched.
"""

from __future__ import annotations

import hashlib
import random


def derive_seed(seed: int, *path: str | int) -> int:
    """Return a 64-bit integer that depends on `seed` and every element of `path`, and on nothing else.

    >>> derive_seed(0, "RandomSwap", 7) == derive_seed(0, "RandomSwap", 7)
    True
    >>> derive_seed(0, "RandomSwap", 7) == derive_seed(0, "RandomSwap", 8)
    False
    """
    key = "\x1f".join([str(seed), *map(str, path)])
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")


def stream(seed: int, *path: str | int) -> random.Random:
    """Return a fresh generator for this path, e.g. `stream(seed, "RandomSwap", row, epoch)`."""
    return random.Random(derive_seed(seed, *path))
