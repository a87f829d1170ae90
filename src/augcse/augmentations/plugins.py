"""Augmentations of the user's own: by entry point, or by file, as a decorated rule, a plain function, or a class with `generate`.

Three ways to name one: `path/to/file.py:Name` anywhere a name is taken; an entry point in the group "augcse.augmentations"; or importing
a module that uses `@augmentation` before calling the Python interface.
"""

from __future__ import annotations

import functools
import hashlib
import importlib.util
import inspect
import sys
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

from augcse.augmentations.base import AUGMENTATIONS, Augmentation, Example, Meaning, failure_at
from augcse.augmentations.nl_augmenter import GeneratedRule, nl_augmenter_imports
from augcse.errors import ForeignFailure, UserError, unknown_name

_MEANINGS: dict[str, Meaning] = {
    "highly-meaning-preserving": "highly_preserving",
    "possible-meaning-alteration": "possible_alteration",
    "meaning-alteration": "alteration",
}


def find(name: str) -> Augmentation:
    """Return the augmentation called `name`: a registered one, or `file.py:Name`.

    Raises:
        UserError: no such name, no such file, or nothing in it that could be an augmentation.
    """
    if ".py:" not in name:
        return AUGMENTATIONS.get(name)
    path, _, attribute = name.rpartition(":")
    return _from_file(Path(path).expanduser(), attribute, name)


def adopt(name: str, found: object) -> Augmentation:
    """Make an augmentation of what a file or an entry point gives: a decorated rule, a class with `generate`, or a function.

    A plain function takes (sentence, rng) and returns the new sentence or None. A class is NL-Augmenter's form: its constructor's
    arguments are the options.
    """
    if isinstance(found, Augmentation):
        return found
    registered = next((member for member in AUGMENTATIONS.loaded() if member.rule is found), None)
    if registered is not None:
        return registered
    description = " ".join((inspect.getdoc(found) or name).split("\n\n")[0].split())
    card: dict[str, Any] = {"name": name, "family": "user", "source": f"user's own: {name}", "description": description}
    card |= {"example": Example("", "")}
    if inspect.isclass(found) and callable(getattr(found, "generate", None)):
        rule = GeneratedRule(found)
        languages = tuple(getattr(found, "languages", None) or ("en",))
        return Augmentation(rule=rule, meaning=_meaning(found), languages=languages, batched=True, **card)
    if callable(found) and not inspect.isclass(found):
        return Augmentation(rule=found, meaning="possible_alteration", **card)
    raise UserError(f"{name} is no augmentation: give a function (sentence, rng) or a class with generate(sentence) -> list[str]")


def _meaning(form: type) -> Meaning:
    keywords = getattr(form, "keywords", None) or ()
    return next((_MEANINGS[word] for word in keywords if word in _MEANINGS), "possible_alteration")


@functools.cache
def _from_file(path: Path, attribute: str, name: str) -> Augmentation:
    if not path.is_file():
        raise UserError(f"no file {path} for the augmentation {name}; give path/to/file.py:Name")
    module = _load(path)
    if hasattr(module, attribute):
        return adopt(name, getattr(module, attribute))
    if attribute in AUGMENTATIONS:
        return AUGMENTATIONS.get(attribute)
    offered = [word for word, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
    raise UserError(f"{path}: {unknown_name('name', attribute, offered)}")


def _load(path: Path) -> ModuleType:
    """Run a user's file as a module of its own, once per process."""
    digest = hashlib.blake2b(str(path.resolve()).encode(), digest_size=6).hexdigest()
    name = f"augcse_user_{path.stem}_{digest}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise UserError(f"{path} cannot be imported")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    with (
        ForeignFailure(lambda error: f"{path} cannot be imported: {failure_at(error, spec.origin)}"),
        ExitStack() as unless_imported,
        nl_augmenter_imports(),
    ):
        unless_imported.callback(sys.modules.pop, name, None)
        spec.loader.exec_module(module)
        unless_imported.pop_all()
    return module
