"""What stands around the numerals of a text: a glance that spares the many patterns of NumericToWord a sentence they cannot match.

A test here must hold wherever its pattern matches (and the reader gives something); it may hold elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from augcse.augmentations.rules.surface.numeric_to_word import number_words as words

_RUN = re.compile("[0-9]+")
_UNIT = re.compile(rf"[ -]?(?:{'|'.join(map(re.escape, words.UNIT_SIGNS))})(?!\w)")
_HOST = re.compile(r"\.(?:com|org|net|edu|gov|co|uk|de|html?)")
_LETTERS = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz")
_SIGNS = frozenset("+−-×*÷/=<>≤≥≠±≈")
_ORDINAL_ENDINGS = frozenset("st nd rd th ST ND RD TH".split())
_PERIODS = frozenset("am pm AM PM a. p. A. P.".split())
_MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")


class Surroundings:
    """The characters around the runs of digits of `text`."""

    __slots__ = ("after", "before", "behind", "next", "signed", "text", "unit")

    def __init__(self, text: str) -> None:
        self.text = text
        self.before: set[str] = set()
        self.after: set[str] = set()  # "." only where a digit follows it
        self.behind: set[str] = set()  # the two characters after the run, one blank skipped
        self.signed = False  # a sign of arithmetic shortly before a run
        self.unit = False
        for run in _RUN.finditer(text):
            start, end = run.span()
            after = text[end : end + 3]
            if start:
                head = text[max(0, start - 4) : start]
                self.before.add(head[-1])
                self.signed = self.signed or not _SIGNS.isdisjoint(head)
            if after and (after[0] != "." or _RUN.match(after, 1)):
                self.after.add(after[0])
                self.behind.add(after[1:] if after[0] == " " else after[:2])
                self.unit = self.unit or _UNIT.match(text, end) is not None
        self.next = self.after | {pair[0] for pair in self.behind if pair}

    def has(self, *parts: str) -> bool:
        """Tell whether any of `parts` is in the text."""
        return any(part in self.text for part in parts)


Test = Callable[[Surroundings], bool]


def always(_: Surroundings) -> bool:
    """Hold for every text."""
    return True


def followed_by(characters: str) -> Test:
    """Hold where one of `characters` stands right after a numeral."""
    found = frozenset(characters)
    return lambda around: not found.isdisjoint(around.after)


def followed_across_a_blank_by(characters: str) -> Test:
    """Hold where one of `characters` stands after a numeral, with a blank between them or none."""
    found = frozenset(characters)
    return lambda around: not found.isdisjoint(around.next)


def holding(*parts: str) -> Test:
    """Hold where one of `parts` is anywhere in the text."""
    return lambda around: around.has(*parts)


def may_be_phone(around: Surroundings) -> bool:
    """Hold for "+49 30 ..." and "555-0123"."""
    return "+" in around.before or "-" in around.after


def may_be_address(around: Surroundings) -> bool:
    """Hold for addresses of the web and of mail."""
    return around.has("@", "//", "www.") or _HOST.search(around.text) is not None


def may_be_code(around: Surroundings) -> bool:
    """Hold for "B52" and "COVID-19"."""
    return not around.before.isdisjoint(_LETTERS | {"_", "-", "–"})


def may_be_model(around: Surroundings) -> bool:
    """Hold for "747-B" and "4x4"."""
    return not around.after.isdisjoint(_LETTERS | {"-"})


def may_be_version(around: Surroundings) -> bool:
    """Hold for "1.2.3", "3-4-3" and coordinates."""
    return not around.after.isdisjoint(".-–:′″⁄^") or "°" in around.text


def may_be_dated(around: Surroundings) -> bool:
    """Hold for texts that name a month."""
    return any(month in around.text for month in _MONTHS)


def may_be_hour(around: Surroundings) -> bool:
    """Hold for "5 pm"."""
    return not around.behind.isdisjoint(_PERIODS)


def may_be_ordinal(around: Surroundings) -> bool:
    """Hold for "5th"."""
    return not around.behind.isdisjoint(_ORDINAL_ENDINGS)


def may_be_measured(around: Surroundings) -> bool:
    """Hold for "5 km"."""
    return around.unit


def may_be_formula(around: Surroundings) -> bool:
    """Hold for "2 + 2": the reader gives nothing where no digit stands by the sign."""
    return around.signed or not around.next.isdisjoint(_SIGNS)
