"""Randomness as an argument: one independent stream per seed and path, e.g. purpose and row.

Every random decision about text is drawn from `stream(seed, *path)`. The stream depends only on its arguments, so
results are the same for any number of workers, order of rows and engine, and the global generators are not used.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any


def derive_seed(seed: int, *path: str | int) -> int:
    """Return a 64-bit integer that depends only on `seed` and every element of `path`.

    >>> derive_seed(0, "RandomSwap", 7) == derive_seed(0, "RandomSwap", 7)
    True
    >>> derive_seed(0, "RandomSwap", 7) == derive_seed(0, "RandomSwap", 8)
    False
    """
    key = "\x1f".join(map(str, (seed, *path)))
    return int.from_bytes(hashlib.blake2b(key.encode(), digest_size=8).digest(), "little")


@contextmanager
def kept_python_generator() -> Iterator[None]:
    """Restore the state of Python's global generator after the block."""
    state = random.getstate()
    try:
        yield
    finally:
        random.setstate(state)


def stream(seed: int, *path: str | int) -> random.Random:
    """Return a fresh generator for this path, e.g. `stream(seed, "RandomSwap", row)`.

    Equivalent to `random.Random(derive_seed(seed, *path))`, but seeded on first use: seeding takes ten times as long as creating the
    object, and most rules draw only for the few sentences that they apply to.
    """
    return _LazyRandom((seed, *path))


class _LazyRandom(random.Random):
    """A generator that becomes a seeded `random.Random` on first use."""

    gauss_next = None

    def __new__(cls, path: tuple[str | int, ...]) -> _LazyRandom:
        # Not `Random.__new__(cls, path)`: some Python versions seed from that argument.
        return super().__new__(cls)

    def __init__(self, path: tuple[str | int, ...]) -> None:
        self._path = path


def _seed_now(generator: random.Random) -> None:
    path = generator.__dict__.pop("_path", None)
    # None if a bound method from before the first draw ("draw = rng.random") is called again.
    if path is not None:
        generator.__class__ = random.Random
        # As `Random.seed` does for an integer, without its checks for other types.
        super(random.Random, generator).seed(derive_seed(*path))
        generator.__dict__["gauss_next"] = None


def _seeding_method(name: str) -> Callable[..., Any]:
    """Return a method that seeds the generator and then calls `Random`'s own method."""
    method = getattr(random.Random, name)

    def seed_and_call(self: random.Random, *arguments: Any, **named: Any) -> Any:
        _seed_now(self)
        return method(self, *arguments, **named)

    return seed_and_call


# All draws of `Random` go through the first two.
for _name in ("random", "getrandbits", "seed", "getstate", "setstate", "__reduce__"):
    setattr(_LazyRandom, _name, _seeding_method(_name))
