"""The language of conditions in tables of words and phrases, and its one reader.

A condition is written as tests with spaces between them, all of which must hold: names ("start"), and signs with a list. A list has commas;
a name in capitals means the words of its class, "*ed" an ending, and "-need" takes a word out of a class again.

    +to,NOUN    the next word is one of these        -to     the next word is not one of these
    <+why       the word before is one of these      <-as    the word before is not one of these

A sign means the same in every table. The other signs and the names are defined where the tables of a kind are read: text/around.py for
phrases in plain text, english/conditions.py for the words of a parse.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Generic, ParamSpec

Classes = Mapping[str, Sequence[str]]
# What a condition is about: the arguments that make up a place in a text.
Place = ParamSpec("Place")


@dataclass(frozen=True, slots=True)
class Tests(Generic[Place]):
    """The tests of a kind of tables: names, and the signs with the words of which one has to be, or none may be, in the list."""

    named: Mapping[str, Callable[Place, bool]]
    one_of: Mapping[str, Callable[Place, Iterable[str]]]
    none_of: Mapping[str, Callable[Place, Iterable[str]]]

    def read(self, text: str, classes: Classes) -> Callable[Place, bool]:
        """Return the condition that a cell of a table writes; raises `ValueError` for a test that does not exist."""
        tests = [self._test(part, classes) for part in text.split()]

        def holds(*place: Place.args, **options: Place.kwargs) -> bool:
            return all(test(*place, **options) for test in tests)

        return holds

    def _test(self, part: str, classes: Classes) -> Callable[Place, bool]:
        """Return the condition that one test of a cell writes."""
        if part in self.named:
            return self.named[part]
        # The longest sign that it begins with: "<-" is not "<<-".
        sign = max(filter(part.startswith, (*self.one_of, *self.none_of)), key=len, default=None)
        if sign is None:
            raise ValueError(f"unknown condition: {part}")
        is_wanted, words_at = sign in self.one_of, self.one_of.get(sign) or self.none_of[sign]
        contains = word_class(part.removeprefix(sign), classes)
        return lambda *place, **options: any(map(contains, words_at(*place, **options))) is is_wanted


def word_class(names: str, classes: Classes) -> Callable[[str], bool]:
    """Return whether a word is in the list that a test writes.

    >>> contains = word_class("MODAL,*ed,-need", {"MODAL": ["can", "need"]})
    >>> contains("can"), contains("walked"), contains("need")
    (True, True, False)
    """
    members = frozenset(member for name in names.split(",") for member in classes.get(name, [name]))
    endings = tuple(member[1:] for member in members if member.startswith("*"))
    excluded = {member[1:] for member in members if member.startswith("-")} - {""}
    return lambda word: (word in members or word.endswith(endings)) and word not in excluded
