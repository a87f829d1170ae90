"""Numbers in words: pure functions from digits to English, on top of num2words."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from augcse.augmentations.text.tables import data_rows

_DIGITS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_SCALES = {
    "k": "thousand",
    "m": "million",
    "mn": "million",
    "bn": "billion",
    "b": "billion",
    "tn": "trillion",
    "trn": "trillion",
}
_DENOMINATORS = {2: "half", 4: "quarter"}

_UNITS = {sign: words for words, *signs in data_rows(Path(__file__).with_name("units.tsv")) for sign in signs}
UNIT_SIGNS = tuple(sorted(_UNITS, key=lambda sign: -len(sign)))


def unit(sign: str, plural: bool) -> str:
    """Read the sign of a unit.

    >>> unit("km/h", plural=True), unit("ft", plural=True), unit("°C", plural=False)
    ('kilometers per hour', 'feet', 'degree Celsius')
    """
    words = _UNITS[sign]
    if not plural or words.endswith("hertz"):
        return words
    head, *rest = words.split()
    if head in ("square", "cubic"):
        return f"{head} {_plural(rest[0])}"
    return f"{head} hours" if rest == ["hour"] else " ".join([_plural(head), *rest])


def _plural(noun: str) -> str:
    return "feet" if noun == "foot" else noun + "s"


MONTHS = tuple("January February March April May June July August September October November December".split())

_MONEY = {
    "$": ("dollar", "cent"),
    "£": ("pound", "penny"),
    "€": ("euro", "cent"),
    "¥": ("yen", "sen"),
    "₹": ("rupee", "paisa"),
}
_COUNTRIES = {
    "US": "US",
    "A": "Australian",
    "AU": "Australian",
    "C": "Canadian",
    "CA": "Canadian",
    "NZ": "New Zealand",
    "HK": "Hong Kong",
    "S": "Singapore",
}


@lru_cache(maxsize=1)
def _engine() -> Callable[..., str]:
    # Imported here: the library loads 40 languages, and `import augcse` must stay quick.
    from num2words import num2words

    converted: Callable[..., str] = num2words
    return converted


@lru_cache(maxsize=4096)
def _convert(number: int, to: str) -> str:
    return _engine()(number, to=to).replace(",", "").replace("oh-", "oh ")


def digits(text: str) -> str:
    """Read the digits of `text` one by one.

    >>> digits("007")
    'zero zero seven'
    """
    return " ".join(_DIGITS[int(character)] for character in text if character.isdecimal())


def cardinal(text: str) -> str:
    """Read a number with optional sign, thousands commas and decimals; a code with leading zeros digit by digit.

    >>> cardinal("1,234"), cardinal("-3.14"), cardinal("007")
    ('one thousand two hundred and thirty-four', 'minus three point one four', 'zero zero seven')
    """
    sign = "minus " if text[:1] in "-−" else ""
    whole, _, decimals = text.lstrip("-−").replace(",", "").replace(" ", "").partition(".")
    coded = (len(whole) > 1 and whole[0] == "0") or len(whole) > 15
    spoken = digits(whole) if coded else _convert(int(whole or 0), "cardinal")
    return f"{sign}{spoken} point {digits(decimals)}" if decimals else sign + spoken


def ordinal(number: int) -> str:
    """Read an ordinal.

    >>> ordinal(21)
    'twenty-first'
    """
    return _convert(number, "ordinal")


def year(number: int) -> str:
    """Read a year.

    >>> year(1998), year(1905), year(2004), year(2010)
    ('nineteen ninety-eight', 'nineteen oh five', 'two thousand and four', 'twenty ten')
    """
    return _convert(number, "year") if 1000 <= number < 2100 else _convert(number, "cardinal")


def decade(number: int) -> str:
    """Read a decade, with or without its century.

    >>> decade(1990), decade(90), decade(1900), decade(2000)
    ('nineteen nineties', 'nineties', 'nineteen hundreds', 'two thousands')
    """
    words = year(number) if number > 99 else cardinal(str(number))
    return words[:-1] + "ies" if words.endswith("y") else words + "s"


def scaled(number: str, scale: str) -> str:
    """Read a number with the word or letter for its scale.

    >>> scaled("1.2", "m"), scaled("3", "billion")
    ('one point two million', 'three billion')
    """
    return " ".join(filter(None, (cardinal(number), _SCALES.get(scale.lower(), scale))))


def spoken_range(low: str, high: str | None, scale: str = "") -> str:
    """Read one number or two, the last with its scale.

    >>> spoken_range("10", "15"), spoken_range("5", None, "m")
    ('ten to fifteen', 'five million')
    """
    tail = scaled(high or low, scale)
    return f"{cardinal(low)} to {tail}" if high else tail


def year_range(first: int, last: str) -> str | None:
    """Read a span of years; None when the two digits of the second make no later year.

    >>> year_range(1998, "99"), year_range(2004, "05")
    ('nineteen ninety-eight to ninety-nine', 'two thousand and four to two thousand and five')
    """
    if len(last) > 2:
        return f"{year(first)} to {year(int(last))}"
    turn = first % 100 == 99
    if int(last) <= first % 100 and not turn:
        return None
    end = (first // 100 + turn) * 100 + int(last)
    return f"{year(first)} to {year(end) if int(last) < 10 else cardinal(last)}"


def money(sign: str, country: str, low: str, high: str | None, scale: str, plural: bool) -> str:
    """Read an amount or a range of amounts; two decimals are coins.

    >>> money("$", "", "4.50", None, "", plural=True), money("$", "US", "5", None, "", plural=False)
    ('four dollars and fifty cents', 'five US dollar')
    """
    name, small = _MONEY[sign]
    country = _COUNTRIES.get(country, "")
    whole, _, cents = low.replace(",", "").replace(" ", "").partition(".")
    if len(cents) == 2 and not scale and not high and name != "yen":
        return _coins(whole or "0", cents, f"{country} {name}".strip(), small)
    singular = not plural or name == "yen" or (low == "1" and not high and not scale)
    return " ".join(filter(None, (spoken_range(low, high, scale), country, name if singular else name + "s")))


def _coins(whole: str, cents: str, name: str, small: str) -> str:
    coin = small if cents == "01" else {"penny": "pence"}.get(small, small + "s")
    notes = f"{cardinal(whole)} {name if whole == '1' else name + 's'}"
    if cents == "00":
        return notes
    change = f"{cardinal(str(int(cents)))} {coin}"
    return change if whole == "0" else f"{notes} and {change}"


def fraction(numerator: int, denominator: int) -> str:
    """Read a fraction.

    >>> fraction(1, 2), fraction(3, 4), fraction(2, 3)
    ('one half', 'three quarters', 'two thirds')
    """
    part = _DENOMINATORS.get(denominator) or ordinal(denominator)
    plural = part if numerator == 1 else "halves" if part == "half" else part + "s"
    return f"{cardinal(str(numerator))} {plural}"


def mixed(whole: str, numerator: int, denominator: int) -> str:
    """Read a whole number and a fraction.

    >>> mixed("2", 1, 2), mixed("1", 3, 4)
    ('two and a half', 'one and three quarters')
    """
    words = fraction(numerator, denominator)
    return f"{cardinal(whole)} and {'a' + words[3:] if numerator == 1 and denominator != 8 else words}"


def clock(hour: int, minute: int, has_period: bool) -> str:
    """Read a time of day; `has_period` tells that am or pm follows.

    >>> clock(7, 30, True), clock(18, 0, False), clock(7, 5, False), clock(7, 0, True)
    ('seven thirty', "eighteen o'clock", 'seven oh five', 'seven')
    """
    words = cardinal(str(hour))
    if minute == 0:
        return words if has_period else f"{words} o'clock"
    return f"{words} {'oh ' if minute < 10 else ''}{cardinal(str(minute))}"
