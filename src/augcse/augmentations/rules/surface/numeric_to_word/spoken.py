"""Numbers in words: functions from digits to English, on top of num2words, and the words for the signs of units.tsv."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from augcse.augmentations.text.edits import capitalise
from augcse.augmentations.text.tables import data_rows

_MONTHS = tuple("January February March April May June July August September October November December".split())
_LONGEST = 15  # digits; longer numbers are codes


@lru_cache(maxsize=4096)
def _convert(number: int, to: str) -> str:
    # Imported here: the library loads 40 languages, and `import augcse` must stay fast.
    from num2words import num2words

    words: str = num2words(number, to=to)
    return words.replace(",", "").replace("oh-", "oh ")


def digits(text: str) -> str:
    """Read the digits one by one, with a comma between groups.

    >>> digits("007"), digits("555-1234")
    ('zero zero seven', 'five five five, one two three four')
    """
    return ", ".join(" ".join(_convert(int(digit), "cardinal") for digit in group) for group in re.findall("[0-9]+", text))


def cardinal(text: str) -> str:
    """Read a number with thousands commas and decimals; a code with leading zeros digit by digit.

    >>> cardinal("1,234"), cardinal("3.14"), cardinal("007")
    ('one thousand two hundred and thirty-four', 'three point one four', 'zero zero seven')
    """
    integer, _, decimals = text.replace(",", "").replace(" ", "").partition(".")
    is_code = (len(integer) > 1 and integer[0] == "0") or len(integer) > _LONGEST
    spoken = digits(integer) if is_code else _convert(int(integer or 0), "cardinal")
    return f"{spoken} point {' '.join(map(digits, decimals))}" if decimals else spoken


def ordinal(text: str) -> str:
    """Read an ordinal.

    >>> ordinal("21"), ordinal("1,000")
    ('twenty-first', 'one thousandth')
    """
    return _convert(int(text.replace(",", "")), "ordinal")


def year(text: str) -> str:
    """Read a year.

    >>> year("1998"), year("1905"), year("2004"), year("2010"), year("534")
    ('nineteen ninety-eight', 'nineteen oh five', 'two thousand and four', 'twenty ten', 'five thirty-four')
    """
    return _convert(int(text), "year")


def decade(text: str) -> str:
    """Read a decade, with or without its century.

    >>> decade("1990"), decade("90"), decade("1900"), decade("2000")
    ('nineteen nineties', 'nineties', 'nineteen hundreds', 'two thousands')
    """
    words = year(text)
    return words[:-1] + "ies" if words.endswith("y") else words + "s"


def part(text: str) -> str:
    """Read a denominator.

    >>> part("2"), part("4"), part("3")
    ('half', 'quarter', 'third')
    """
    return {"2": "half", "4": "quarter"}.get(text) or ordinal(text)


def signs() -> dict[str, dict[str, str]]:
    """Return the words for signs by their reading in a field of numerals.tsv: "unit", "units", "currency", ...

    >>> signs()["units"]["km/h"], signs()["coin"]["£"]
    ('kilometers per hour', 'penny')
    """
    words_of: dict[str, dict[str, str]] = {}
    readings: list[str] = []
    for first, second, *symbols in data_rows(Path(__file__).with_name("units.tsv")):
        if first.startswith("="):
            readings = [first[1:], second]
        else:
            for reading, words in zip(readings, (first, second), strict=True):
                words_of.setdefault(reading, {}).update(dict.fromkeys(symbols, words))
    return words_of


READINGS: dict[str, Callable[[str], str]] = {
    "cardinal": cardinal,
    "ordinal": ordinal,
    "Ordinal": lambda text: capitalise(ordinal(text)),
    "count": lambda text: cardinal(str(int(text))),
    "digits": digits,
    "year": year,
    "decade": decade,
    "month": lambda text: _MONTHS[int(text) - 1],
    "part": part,
    "unsaid": lambda text: "",
    **{name: words.__getitem__ for name, words in signs().items()},
}
