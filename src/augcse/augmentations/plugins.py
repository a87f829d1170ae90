"""The user's own augmentations: decorated rules, plain functions, or classes with `generate`.

Three ways to name one: `path/to/file.py:Name` wherever a name is taken; an entry point in the group "augcse.augmentations"; or importing
a module that uses `@augmentation` before calling the Python interface.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Iterable
from typing import Any

from augcse.augmentations.base import AUGMENTATIONS, Augmentation, Example, Meaning
from augcse.augmentations.nl_augmenter import GeneratedRule, nl_augmenter_imports
from augcse.errors import UserError, unknown_name
from augcse.own_files import names_file, run_file, split_name

_MEANINGS: dict[str, Meaning] = {
    "highly-meaning-preserving": "highly_preserving",
    "possible-meaning-alteration": "possible_alteration",
    "meaning-alteration": "alteration",
}


def find(name: str) -> Augmentation:
    """Return the augmentation called `name`, a registered one or `file.py:Name`; raises `UserError` where there is none."""
    return _from_file(name) if names_file(name) else AUGMENTATIONS.get(name)


def adopt(name: str, offered: object) -> Augmentation:
    """Make an augmentation of what a file or an entry point gives: a decorated rule, a class with `generate`, or a function.

    A plain function takes (sentence, rng) and returns the new sentence or None. A class has NL-Augmenter's form: its constructor's
    arguments are the options.
    """
    if isinstance(offered, Augmentation):
        return offered
    registered = next((member for member in AUGMENTATIONS.loaded() if member.rule is offered), None)
    if registered is not None:
        return registered
    description = " ".join((inspect.getdoc(offered) or name).split("\n\n")[0].split())
    source, example = f"user's own: {name}", Example("", "")
    card: dict[str, Any] = {"name": name, "family": "user", "source": source, "description": description, "example": example}
    if inspect.isclass(offered) and callable(getattr(offered, "generate", None)):
        rule = GeneratedRule(offered)
        languages = _listed_texts(name, offered, "languages") or ("en",)
        meanings: list[Meaning] = [_MEANINGS[word] for word in _listed_texts(name, offered, "keywords") if word in _MEANINGS]
        meaning = meanings[0] if meanings else "possible_alteration"
        return Augmentation(rule=rule, meaning=meaning, languages=languages, batched=True, **card)
    if callable(offered) and not inspect.isclass(offered):
        return Augmentation(rule=offered, meaning="possible_alteration", **card)
    raise UserError(f"{name} is not an augmentation: give a function (sentence, rng) or a class with generate(sentence) -> list[str]")


def _listed_texts(name: str, form: type, attribute: str) -> tuple[str, ...]:
    """Return the texts that a class lists in an attribute, which may be one text; raises `UserError` for anything else."""
    value = getattr(form, attribute, None) or ()
    is_list = isinstance(value, Iterable) and not isinstance(value, str)
    texts = tuple(value) if is_list else (value,)
    if not all(isinstance(text, str) for text in texts):
        raise UserError(f"{name}: {attribute} is {value!r:.40}; give a list of texts")
    return texts


@functools.cache
def _from_file(name: str) -> Augmentation:
    path, attribute = split_name(name, "augmentation")
    module = run_file(path, nl_augmenter_imports())
    if hasattr(module, attribute):
        return adopt(name, getattr(module, attribute))
    if attribute in AUGMENTATIONS:
        return AUGMENTATIONS.get(attribute)
    offered = [word for word, value in vars(module).items() if getattr(value, "__module__", None) == module.__name__]
    raise UserError(f"{path}: {unknown_name('name', attribute, offered)}")
