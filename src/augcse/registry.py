"""Registries that find their members (augmentations, objectives, tasks) in the modules of a package, one file per member."""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
import warnings
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from augcse.errors import ForeignFailure, UserError, unknown_name

Member = TypeVar("Member")
_LAST = "~"
# The module that registers the members of its folder, whose other modules only serve it.
OWNER = "rule"


class Registry(Generic[Member]):
    """Members of one kind, registered by decorators in the modules of one package.

    The modules are searched at the first look-up, not at import. An entry point that gives no member does not affect the others: see
    `failures`.

    Args:
        kind: the kind of member in error messages.
        package: the package whose modules, subpackages included, register members.
        entry_points: the group of entry points through which installed packages add members.
        adopt: creates a member from an entry point.
        visit: registers the members of a module, given its name; the default imports it, which suffices if decorators register them.
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
        # The name of each entry point that gave no member, and the reason.
        self._failures: list[tuple[str, str]] = []
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
        """Return the member called `name`; warn if an entry point of that name gave no member.

        Raises:
            UserError: an unknown name (similar ones are suggested), or an entry point of that name that does not load.
        """
        self._discover()
        failure = next((why for failed, why in self._failures if failed == name), None)
        if name in self._members:
            if failure is not None:
                # Attributed to this line, not to the caller's, so that Python shows it once.
                warnings.warn(failure, stacklevel=1)
            return self._members[name]
        if failure is not None:
            raise UserError(failure)
        raise unknown_name(self.kind, name, {*self._members, *(failed for failed, _ in self._failures)})

    def failures(self) -> list[str]:
        """Return a line for each entry point that gave no member, with the reason."""
        self._discover()
        return [why for _, why in self._failures]

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
        """Register the members of entry points; collect the failures."""
        if self._entry_points is None or self._adopt is None:
            return
        for point in importlib.metadata.entry_points(group=self._entry_points):
            try:
                with ForeignFailure(lambda error: f"{type(error).__name__}: {' '.join(str(error).split())}"):
                    self._add_if_new(point.name, _adopted(point, self._adopt))
            except UserError as error:
                where = f"entry point {point.name} = {point.value} ({self._entry_points})"
                self._failures.append((point.name, f"{where} does not load: {error}"))

    def _add_if_new(self, name: str, member: Member) -> None:
        """Register the member of an entry point, unless its module has done so; raises `UserError` if another member has its name."""
        if self._members.get(name, member) != member:
            raise UserError(f"there is another {self.kind} {name!r}; choose another name")
        if name not in self._members:
            self.add(name, member)


def _adopted(point: importlib.metadata.EntryPoint, adopt: Callable[[importlib.metadata.EntryPoint], Member]) -> Member:
    if not point.attr:
        raise UserError(f"it names a module and nothing in it; write {point.value}:Name")
    return adopt(point)


def check_point_name(point: importlib.metadata.EntryPoint, registered: str) -> None:
    """Raise `UserError` unless an entry point has the name under which its member registers itself."""
    if point.name != registered:
        raise UserError(f"what it gives is registered as {registered!r}; give the entry point that name")


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
