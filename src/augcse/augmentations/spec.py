"""How an augmentation is named with its options: `RandomDeletion:rate=0.1`, `my_rules.py:Shout:times=2`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from augcse.augmentations.base import Augmentation
from augcse.augmentations.plugins import find
from augcse.augmentations.sets import SETS, expand
from augcse.errors import UserError
from augcse.options import option_texts, read_options


@dataclass(frozen=True, slots=True)
class Spec:
    """A name and the options that differ from the defaults; `text` is what the user wrote and keys the random streams."""

    text: str
    name: str
    options: dict[str, Any] = field(default_factory=dict, compare=False)

    @property
    def member(self) -> Augmentation:
        """The registered augmentation, or the user's."""
        return find(self.name)


def parse_spec(text: str) -> Spec:
    """Read `NAME[:key=value ...]`; values are numbers, true, false, none or text, as the option takes them.

    Raises:
        UserError: an unknown name or option, an option without a value, or a value that is not allowed.

    >>> parse_spec("RandomDeletion:rate=0.1").options
    {'rate': 0.1}
    """
    name, parts = _split(text.strip())
    texts = option_texts(text, name, parts)
    if name.lower() in SETS:
        raise UserError(f"{text!r}: {name} is a set, which takes no options; give them to its members (augcse list sets)")
    return Spec(text.strip(), name, read_options(find(name).options, texts, name))


def parse_specs(texts: Sequence[str]) -> list[Spec]:
    """Read several, sets by name among them (12-aug); raises `UserError` for none at all."""
    specs = [parse_spec(text) for text in expand(texts) if text.strip()]
    if not specs:
        raise UserError("no augmentation named; see: augcse list augmentations")
    return specs


def _split(text: str) -> tuple[str, list[str]]:
    """Part the name from its options; the name of a user's class holds a colon itself: `path/to/file.py:Class`."""
    head, *parts = text.split(":")
    # A Windows drive letter or a path with a colon ends at the part that ends in ".py".
    for index, part in enumerate([head, *parts]):
        if part.endswith(".py") and index < len(parts):
            return ":".join([head, *parts][: index + 2]), parts[index + 1 :]
    return head.strip(), parts
