"""Augmentations made of others: `chain(a, b)`, `one_of(a, b)`, `some_of(2, a, b, c)`, `maybe(0.5, a)`; they nest.

A composition can be written wherever an augmentation is named, and is one augmentation: its text names it, keys its random streams, and is
its label where augmentations are distinguished. This module reads what is written; `run.composed` applies it.

After nlpaug's Flow and Albumentations' Compose, OneOf and SomeOf. What differs: a rule of grammar leaves most sentences alone, so that one
member drawn blindly would seldom change anything. Here the draw continues with another member until one does.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from augcse.augmentations.constraints import keep_words, largest_change, smallest_similarity
from augcse.errors import UserError, unknown_name
from augcse.options import Count, Option, Share, options_of

# Which members get their turn, by index, and how many of them are to change the text.
Turns = tuple[Sequence[int], int]
_CALL = re.compile(r"\s*([A-Za-z_]\w*)\s*\((.*)\)\s*", re.DOTALL)
_BEGINS_CALL = re.compile(r"\s*[A-Za-z_]\w*\s*\(")
# A quoted value, which may contain commas and parentheses: it fills the place between two separators; a quote inside it is doubled.
_QUOTED = re.compile(r'(?<![^(,])\s*"(?:[^"]|"")*"\s*(?![^,)])')
# Far more than anyone needs, and well below Python's recursion limit.
_MOST_NESTED = 20


@dataclass(frozen=True, slots=True)
class Composition:
    """A way to put augmentations together: who gets a turn for a row, or which results are kept.

    Args:
        name: what is written before the parenthesis.
        function: takes (number of members, the row's random stream) and returns who gets a turn; that of a constraint takes (old texts,
            new texts) and returns whether each new one is kept. Its keyword-only arguments are written before the members.
        most_members: how many members it takes at most; None: any number.
        is_constraint: whether its one member always gets its turn, and the function says which results are kept.
    """

    name: str
    function: Callable[..., Any]
    most_members: int | None = None
    is_constraint: bool = False

    @property
    def parameters(self) -> dict[str, Option]:
        """The options that are written before the members."""
        return options_of(self.function)

    @property
    def leaves_rows(self) -> bool:
        """Whether it may leave a row as it is although its member would change it."""
        return self.is_constraint or "probability" in self.parameters

    def turns_of(self, members: int, rng: Random, options: Mapping[str, Any]) -> Turns:
        """Return which members get a turn for a row, and how many of them are to change the text."""
        turns: Turns = _chain(members, rng) if self.is_constraint else self.function(members, rng, **options)
        return turns

    def accepted(self, old: Sequence[str], new: Sequence[str], options: Mapping[str, Any]) -> list[bool]:
        """Return which new texts are kept."""
        return self.function(old, new, **options) if self.is_constraint else [True] * len(new)

    @property
    def form(self) -> str:
        """How it is written: "some_of(number, a, b, ...)"."""
        members = ("a", "b", "...")[: self.most_members]
        return f"{self.name}({', '.join([*self.parameters, *members])})"

    def check(self, text: str, members: int, options: Mapping[str, Any]) -> None:
        """Raise `UserError` for too many members, or fewer than are to change the text."""
        if self.most_members is not None and members > self.most_members:
            raise UserError(f"{text!r} has {members} members, {self.name} takes {self.most_members}; write chain(a, b) in their place")
        if options.get("number", 0) > members:
            raise UserError(f"{text!r} has {members} members and wants {options['number']}; give a number of {members} or less")

    def card(self) -> dict[str, Any]:
        """Return what `augcse list compositions --json` prints."""
        description = " ".join((inspect.getdoc(self.function) or "").split())
        return {"name": self.name, "form": self.form, "description": description, "options": [o.card() for o in self.parameters.values()]}


@dataclass(frozen=True, slots=True)
class Call:
    """A composition and what it is given: the values before its members, as texts without quotes, and the texts of the members."""

    composition: Composition
    values: tuple[str, ...]
    members: tuple[str, ...]

    def text(self, members: Sequence[str]) -> str:
        """Return how it is written with these members: one space after each comma, and quotes where a value needs them."""
        return f"{self.composition.name}({', '.join([*map(_written, self.values), *members])})"


def read_call(text: str) -> Call | None:
    """Return the composition that a text writes, None for the name of an augmentation; raises `UserError` for a malformed composition.

    >>> read_call(" some_of( 2,RandomSwap, chain(RandomCrop,RandomDeletion:rate=0.1), )").members
    ('RandomSwap', 'chain(RandomCrop,RandomDeletion:rate=0.1)')
    >>> read_call('keep_words("names, places.txt", RandomSwap)').values
    ('names, places.txt',)
    >>> read_call("RandomSwap:rate=0.1")
    """
    if not _BEGINS_CALL.match(text):
        return None
    split_names(text)
    call = _CALL.fullmatch(text)
    if call is None:
        raise UserError(f"{text.strip()!r}: something follows the last parenthesis; give options to a member: chain(RandomSwap:rate=0.1)")
    name, listed = call.groups()
    if name not in COMPOSITIONS:
        error = unknown_name("composition", name, COMPOSITIONS)
        raise UserError(f"{error}; options of an augmentation follow a colon, as in RandomSwap:rate=0.1")
    composition = COMPOSITIONS[name]
    arguments = [argument.strip() for argument in split_names(listed)]
    if not arguments[-1]:  # a comma may follow the last member
        arguments.pop()
    count = len(composition.parameters)
    if len(arguments) <= count or not all(arguments):
        raise UserError(f"{text.strip()!r} lacks an augmentation; write {composition.form}")
    return Call(composition, tuple(map(_without_quotes, arguments[:count])), tuple(arguments[count:]))


def split_names(text: str) -> list[str]:
    """Split a text at the commas outside parentheses and quotes; raises `UserError` where parentheses do not match or nest too deep.

    >>> split_names("RandomSwap,chain(RandomCrop, RandomDeletion)")
    ['RandomSwap', 'chain(RandomCrop, RandomDeletion)']
    """
    parts, depth = [""], 0
    masked = _QUOTED.sub(lambda quoted: "_" * len(quoted[0]), text)
    for character, mark in zip(text, masked, strict=True):
        if mark == "(":
            depth += 1
        elif mark == ")":
            depth -= 1
        if not 0 <= depth <= _MOST_NESTED:
            break
        if mark == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += character
    if depth == 0:
        return parts
    if depth < 0:
        fault = "closes none"
    elif depth <= _MOST_NESTED:
        fault = "is never closed"
    else:
        fault = f"is nested more than {_MOST_NESTED} deep"
    raise UserError(f"{text.strip()[:100]!r}: a parenthesis {fault}; write chain(a, b), in quotes where a shell reads it")


def _written(value: str) -> str:
    """Return a value as it is written in a composition: between quotes where it would not be read back as it is."""
    is_plain = value.strip() == value and not any(mark in value for mark in ',()"')
    return value if is_plain else '"' + value.replace('"', '""') + '"'


def _without_quotes(text: str) -> str:
    return text[1:-1].replace('""', '"') if _QUOTED.fullmatch(text) else text


def _chain(members: int, rng: Random) -> Turns:
    """Apply the members one after the other, each to what the one before gave; one that does not apply is skipped."""
    return range(members), members


def _one_of(members: int, rng: Random) -> Turns:
    """Apply one member, drawn uniformly among those that change the sentence."""
    return rng.sample(range(members), members), 1


def _some_of(members: int, rng: Random, *, number: Count) -> Turns:
    """Apply members in random order, each to what the one before gave, until `number` of them have changed the sentence."""
    return rng.sample(range(members), members), number


def _maybe(members: int, rng: Random, *, probability: Share) -> Turns:
    """Apply the member to a row with this probability, and leave the other rows as they are."""
    return range(members), int(rng.random() < probability)


COMPOSITIONS = {
    composition.name: composition
    for composition in (
        Composition("chain", _chain),
        Composition("one_of", _one_of),
        Composition("some_of", _some_of),
        Composition("maybe", _maybe, most_members=1),
        Composition("largest_change", largest_change, most_members=1, is_constraint=True),
        Composition("keep_words", keep_words, most_members=1, is_constraint=True),
        Composition("smallest_similarity", smallest_similarity, most_members=1, is_constraint=True),
    )
}
