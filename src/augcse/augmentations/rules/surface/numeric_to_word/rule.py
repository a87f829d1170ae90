"""Numerals written out in words, by a table of patterns and their readings (numerals.tsv)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.surface.numeric_to_word.spoken import READINGS, signs
from augcse.augmentations.text.edits import Edit, capitalise, edited, is_all_capitals, opens_sentence
from augcse.augmentations.text.tables import data_rows

_DIGIT = re.compile(r"[0-9½¼¾]")
_PART = re.compile(r"\{([A-Z_]+)\}")
_FIELD = re.compile(r"\{(\w+)(?::(\w+))?\}")
_OPTIONAL = re.compile(r"\[([^\]]*)\]")
_COMPOUND = re.compile(r"-[a-z]")


@dataclass(frozen=True, slots=True)
class _Row:
    """A kind of numeral: its pattern, its reading, and marks: if there are any, the sentence must contain one of them."""

    kind: str
    pattern: re.Pattern[str]
    reading: str
    marks: str = ""

    def spoken(self, numeral: re.Match[str]) -> str:
        """Return the reading of a match; a part in brackets is read only if all of its groups matched."""

        def spoken_field(field: re.Match[str]) -> str:
            text, reading = numeral[field[1]] or "", field[2]
            return READINGS[reading](text) if reading else text

        def spoken_option(part: re.Match[str]) -> str:
            is_complete = all(numeral[name] for name, _ in _FIELD.findall(part[1]))
            return _FIELD.sub(spoken_field, part[1]) if is_complete else ""

        return _FIELD.sub(spoken_field, _OPTIONAL.sub(spoken_option, self.reading))


@lru_cache(maxsize=1)
def _table() -> tuple[_Row, ...]:
    """Read numerals.tsv; a row "=NAME" defines a part of patterns, which later rows write as {NAME}."""
    parts = {"UNIT": "|".join(re.escape(sign) for sign in sorted(signs()["unit"], key=len, reverse=True))}
    rows: list[_Row] = []
    for first, *cells in data_rows(Path(__file__).with_name("numerals.tsv")):
        pattern, *reading = (_PART.sub(lambda name: parts[name[1]], cell) for cell in cells)
        if first.startswith("="):
            parts[first[1:]] = pattern
        else:
            rows.append(_Row(first, re.compile(pattern), *reading))
    return tuple(rows)


# The kind of numerals because of which the whole sentence stays.
_UNREAD = "numeral that is not read"
_EXAMPLES = {
    "code or address": "He saw COVID-19 spread at http://a.com/12.",
    "number in a name": "It is a Boeing 747.",
    "short number after a name": "They saw Explorer 1.",
    _UNREAD: "In c.1250, 3 men came.",
}


def _is_kind(kind: str) -> Callable[[_Row], bool]:
    return lambda row: row.kind == kind


REFUSALS = tuple(Refusal(kind, example, _is_kind(kind)) for kind, example in _EXAMPLES.items())


@augmentation(
    "NumericToWord",
    family="surface",
    meaning="highly_preserving",
    condition="a number",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter numeric_to_word",
    example=Example(
        "On May 5, 2021, 12% of 1,234 people paid $4.50.",
        "On May fifth, twenty twenty-one, twelve percent of one thousand two hundred and thirty-four people paid "
        "four dollars and fifty cents.",
    ),
    refusals=REFUSALS,
)
def numeric_to_word(sentence: str, rng: Random) -> str | None:
    """Write numbers, years, dates, times, money, units, fractions, phone numbers and formulas out in words.

    Every numeral of the sentence is written as it is spoken, or none if one cannot be. A four-digit number is a year unless a plural
    noun, a unit or a word such as "about" makes it a quantity. Slashed dates are month first unless the first number exceeds 12. Codes,
    names with their numbers, versions, addresses and coordinates stay ("B52", "COVID-19", "Halo 2", "1.2.3"). Nothing is drawn from `rng`.

    Deviations from NL-Augmenter: spacing and the rest of the text stay as they are; times are read as written ("5:10"
    is "five ten", not "ten past five am"); `%` and the signs of formulas are read too; years are read as years.
    """
    del rng
    if not _DIGIT.search(sentence):
        return None
    edits = []
    for row, numeral in _numerals(sentence):
        if not refused(REFUSALS, row):
            edits.append(_edit(sentence, row, numeral))
        elif row.kind == _UNREAD:
            return None
    written = edited(sentence, edits)
    return written.upper() if written and is_all_capitals(sentence) else written


def _numerals(sentence: str) -> Iterator[tuple[_Row, re.Match[str]]]:
    """Yield the numerals of a sentence, kind by kind; no part of one that matched an earlier kind can match a later one."""
    taken = bytearray(len(sentence))
    for row in (row for row in _table() if not row.marks or any(mark in sentence for mark in row.marks)):
        for numeral in row.pattern.finditer(sentence):
            start, end = numeral.span()
            if not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                yield row, numeral


def _edit(sentence: str, row: _Row, numeral: re.Match[str]) -> Edit:
    start, end = numeral.span()
    spoken = row.spoken(numeral)
    # A lower-case word that was matched with the numeral stays lower case.
    opens = not sentence[start].islower() and opens_sentence(sentence, start)
    if _COMPOUND.match(sentence, end):  # hyphens throughout: "a one-hundred-yard dash"
        spoken = spoken.replace(" ", "-")
    return Edit(start, end, capitalise(spoken) if opens else spoken)
