"""Named members found by importing a package: an augmentation, an objective or a task is added in exactly one file."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator
from typing import Generic, TypeVar

from augcse.errors import unknown_name

Member = TypeVar("Member")


class Registry(Generic[Member]):
    """Members of one kind, registered by decorators in the modules of one package.

    The package is imported on the first look-up, so that registering costs nothing to those who never look.
    """

    def __init__(self, kind: str, package: str) -> None:
        self.kind = kind
        self._package = package
        self._members: dict[str, Member] = {}
        self._discovered = False

    def add(self, name: str, member: Member) -> None:
        """Register `member`; a name that is taken raises `ValueError` (a programming error, not a user's)."""
        if name in self._members:
            raise ValueError(f"{self.kind} {name!r} is registered twice")
        self._members[name] = member

    def get(self, name: str) -> Member:
        """Return the member called `name`; raises `UserError` with near matches when there is none."""
        self._discover()
        if name not in self._members:
            raise unknown_name(self.kind, name, self._members)
        return self._members[name]

    def names(self) -> list[str]:
        """Return all names: modules in alphabetical order, members as they stand in their file."""
        self._discover()
        return list(self._members)

    def __iter__(self) -> Iterator[Member]:
        return (self._members[name] for name in self.names())

    def __contains__(self, name: object) -> bool:
        self._discover()
        return name in self._members

    def _discover(self) -> None:
        if self._discovered:
            return
        self._discovered = True
        package = importlib.import_module(self._package)
        for module in sorted(pkgutil.iter_modules(package.__path__), key=lambda found: found.name):
            importlib.import_module(f"{self._package}.{module.name}")
