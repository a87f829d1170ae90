"""Registries that find their members (augmentations, objectives, tasks) in the modules of a package, one file per member."""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
from collections.abc import Callable, Iterator
from functools import partial
from typing import Generic, TypeVar

from augcse.errors import ForeignFailure, unknown_name

Member = TypeVar("Member")
_LAST = "~"
# The module that registers, in a folder whose other modules serve it alone.
OWNER = "rule"


class Registry(Generic[Member]):
    """Members of one kind, registered by decorators in the modules of one package.

    The modules are searched at the first look-up, not at import.

    Args:
        kind: the kind of member in error messages.
        package: the package whose modules, subpackages included, register members.
        entry_points: the group of entry points through which installed packages add members.
        adopt: creates a member from an entry point.
        visit: registers the members of a module, given its name; the default, importing it, suffices if decorators register them.
    """

    def __init__(
        self,
        kind: str,
        package: str,
        entry_points: str | None = None,
        adopt: Callable[[importlib.metadata.EntryPoint], Member] | None = None,
        visit: Callable[[str], object] = importlib.import_module,
    ) -> None:
        self.kind = kind
        self._package = package
        self._entry_points = entry_points
        self._adopt = adopt
        self._visit = visit
        self._members: dict[str, Member] = {}
        self._modules: dict[str, str] = {}
        self._discovered = False

    def add(self, name: str, member: Member, module: str = _LAST) -> None:
        """Register `member`, defined in `module`, by whose file or folder name members are listed.

        Raises:
            ValueError: the name is taken (a programming error, not a user's).
        """
        if name in self._members:
            raise ValueError(f"{self.kind} {name!r} is registered twice")
        self._members[name] = member
        self._modules[name] = module

    def get(self, name: str) -> Member:
        """Return the member called `name`; raises `UserError` with near matches when there is none."""
        self._discover()
        if name not in self._members:
            raise unknown_name(self.kind, name, self._members)
        return self._members[name]

    def names(self) -> list[str]:
        """Return all names, sorted by file name regardless of the folder; members of one file in their order there."""
        self._discover()
        return sorted(self._members, key=lambda name: self._sort_key(self._modules[name]))

    def _sort_key(self, module: str) -> tuple[str, str]:
        """Return the sort key of a module: for those of the package its name without the subpackages."""
        if not module.startswith(f"{self._package}."):
            return module, module
        return f"{self._package}.{module.removesuffix(f'.{OWNER}').rpartition('.')[2]}", module

    def __iter__(self) -> Iterator[Member]:
        return (self._members[name] for name in self.names())

    def __contains__(self, name: object) -> bool:
        self._discover()
        return name in self._members

    def _discover(self) -> None:
        if self._discovered:
            return
        self._discovered = True
        for module in _modules(self._package):
            self._visit(module)
        self._load_entry_points()

    def loaded(self) -> list[Member]:
        """Return the members registered so far, without searching the modules."""
        return list(self._members.values())

    def _load_entry_points(self) -> None:
        if self._entry_points is None or self._adopt is None:
            return
        for point in importlib.metadata.entry_points(group=self._entry_points):
            with ForeignFailure(partial(_load_failure, f"entry point {point.name} = {point.value} ({self._entry_points})")):
                member = self._adopt(point)
            if point.name not in self._members and member not in self._members.values():
                self.add(point.name, member)


def _modules(package: str) -> Iterator[str]:
    """Yield the modules that may register members, recursively; of a subpackage with a module `rule` only that one."""
    modules = sorted(pkgutil.iter_modules(importlib.import_module(package).__path__), key=lambda module: module.name)
    if any(module.name == OWNER for module in modules):
        yield f"{package}.{OWNER}"
        return
    for module in modules:
        name = f"{package}.{module.name}"
        if module.ispkg:
            yield from _modules(name)
        else:
            yield name


def _load_failure(where: str, error: BaseException) -> str:
    return f"{where} does not load: {type(error).__name__}: {' '.join(str(error).split())}"
