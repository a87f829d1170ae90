"""Randomness as an argument: one independent stream per (seed, purpose, row, epoch).

Every random decision about text is drawn from `stream(seed, *path)`. The stream depends on nothing but its arguments, so
results are the same for any number of workers, any order of rows and any engine, and the process-wide generators stay untouched.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable
from typing import Any


def derive_seed(seed: int, *path: str | int) -> int:
    """Return a 64-bit integer that depends on `seed` and every element of `path`, and on nothing else.

    >>> derive_seed(0, "RandomSwap", 7) == derive_seed(0, "RandomSwap", 7)
    True
    >>> derive_seed(0, "RandomSwap", 7) == derive_seed(0, "RandomSwap", 8)
    False
    """
    key = "\x1f".join(map(str, (seed, *path)))
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")


def stream(seed: int, *path: str | int) -> random.Random:
    """Return a fresh generator for this path, e.g. `stream(seed, "RandomSwap", row, epoch)`.

    It gives what `random.Random(derive_seed(seed, *path))` gives, and is seeded on its first use: seeding costs ten times what making
    one does, and most rules draw for the few sentences only that they apply to.
    """
    return _LazyRandom((seed, *path))


class _LazyRandom(random.Random):
    """A generator that becomes a plain seeded `random.Random` the first time anything is asked of it."""

    gauss_next = None

    def __new__(cls, path: tuple[str | int, ...]) -> _LazyRandom:
        # Not through `Random.__new__(cls, path)`: some Pythons seed from that argument.
        return super().__new__(cls)

    def __init__(self, path: tuple[str | int, ...]) -> None:
        self._path = path


def _seed_now(generator: random.Random) -> None:
    path = generator.__dict__.pop("_path", None)
    # A bound method taken before the first draw ("draw = rng.random") comes here every time it is called.
    if path is not None:
        generator.__class__ = random.Random
        # What `Random.seed` does for a whole number, without its tests for other types.
        super(random.Random, generator).seed(derive_seed(*path))
        generator.__dict__["gauss_next"] = None


def _seeding_method(name: str) -> Callable[..., Any]:
    """Return a method that seeds the generator and then is `Random`'s own method."""
    method = getattr(random.Random, name)

    def seed_and_call(self: random.Random, *arguments: Any, **named: Any) -> Any:
        _seed_now(self)
        return method(self, *arguments, **named)

    return seed_and_call


# All draws of `Random` go through the first two.
for _name in ("random", "getrandbits", "seed", "getstate", "setstate", "__reduce__"):
    setattr(_LazyRandom, _name, _seeding_method(_name))
