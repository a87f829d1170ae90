"""How each kind of numeral is read aloud: from the match of its pattern to words, or None where it is no such numeral after all."""

from __future__ import annotations

import re
from pathlib import Path

from augcse.augmentations.rules.surface.numeric_to_word import number_words as words
from augcse.augmentations.text.edits import capitalise
from augcse.augmentations.text.tables import word_sets

YEAR = r"(?:1[0-9]{3}|20[0-9]{2})"
VULGAR = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3)}
OPERATORS = {
    "+": "plus", "−": "minus", "-": "minus", "×": "times", "*": "times", "÷": "divided by", "/": "divided by",
    "=": "equals", "<": "is less than", ">": "is greater than", "≤": "is at most", "≥": "is at least",
    "≠": "does not equal", "±": "plus or minus", "≈": "is about",
}  # fmt: skip
# After a number that counts: "in London 25 were hurt", "beat Denver 9 to 6".
_COUNTED = frozenset("are had have per to were".split())
_WEEKDAYS = frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
_OPENERS = frozenset("After Around At Before By From Since The Until".split())
_NEIGHBOURS = word_sets(Path(__file__).with_name("neighbours.txt"))


def _previous(found: re.Match[str]) -> str:
    before = re.search(r"([^\s\"“(\[]+)[\s\"“]+\Z", found.string[max(0, found.start() - 30) : found.start()])
    return before[1] if before else ""


def _next(found: re.Match[str]) -> str:
    after = re.compile(r"[\s-]([A-Za-z]+)").match(found.string, found.end())
    return after[1] if after else ""


def _is_attributive(found: re.Match[str]) -> bool:
    """Tell whether the quantity describes the noun after it: "a 5 km race"."""
    after = _next(found)
    joined = found.string[found.end() : found.end() + 1] == "-"
    return joined or (_previous(found).lower() in _NEIGHBOURS["DETERMINER"] and after.islower() and after not in _NEIGHBOURS["NO_NOUN"])


def leave(found: re.Match[str]) -> str:
    """Keep a code, an address or a version as it is."""
    return found[0]


def phone(found: re.Match[str]) -> str:
    """Read a telephone number, a pause between its groups."""
    groups = [words.digits(group) for group in re.findall(r"[0-9]+", found[0])]
    return ("plus " if found[0].startswith("+") else "") + ", ".join(groups)


def numeric_date(found: re.Match[str]) -> str | None:
    """Read "12/05/2021" and "2021-05-12"."""
    month, day, year = (int(found[name]) for name in ("month", "day", "year"))
    if month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return f"{words.MONTHS[month - 1]} {words.ordinal(day)}, {words.year(year)}"


def two_days_month(found: re.Match[str]) -> str:
    """Read "5 to 9 August" and "27 and 28 May"."""
    article = "" if _previous(found).lower() in ("the", "a", "this", "that") else "the "
    year = f" {words.year(int(found['year']))}" if found["year"] else ""
    first, second = words.ordinal(int(found["first"])), words.ordinal(int(found["day"]))
    return f"{article}{first}{found['joint']}the {second} of {found['month']}{year}"


def month_two_days(found: re.Match[str]) -> str:
    """Read "May 5 and 12"."""
    return f"{found['month']} {words.ordinal(int(found['day']))}{found['joint']}{words.ordinal(int(found['last']))}"


def day_month(found: re.Match[str]) -> str:
    """Read "5 May 2021" and "3–5 June"."""
    article = "" if _previous(found).lower() in ("the", "a", "this", "that") else "the "
    days = words.ordinal(int(found["day"]))
    if found["last"]:
        days += f" to {article}{words.ordinal(int(found['last']))}"
    year = f" {words.year(int(found['year']))}" if found["year"] else ""
    return f"{article}{days} of {found['month']}{year}"


def month_day(found: re.Match[str]) -> str:
    """Read "May 5, 2021"."""
    days = words.ordinal(int(found["day"]))
    if found["last"]:
        days += f" to {words.ordinal(int(found['last']))}"
    year = f", {words.year(int(found['year']))}" if found["year"] else ""
    return f"{found['month']} {days}{year}"


def month_year(found: re.Match[str]) -> str:
    """Read "May 2021"."""
    return f"{found['month']}{found['comma'] or ''} {words.year(int(found['year']))}"


def decade(found: re.Match[str]) -> str | None:
    """Read "the 1990s"."""
    number = int(found["decade"])
    return words.decade(number) if number >= 20 and number % 10 == 0 and number not in range(100, 1000) else None


def time(found: re.Match[str]) -> str | None:
    """Read "7:30 am" and "18:00"."""
    parts = found.groupdict()
    hour, minute, period = int(parts["hour"]), int(parts.get("minute") or 0), parts.get("period")
    before = _previous(found)
    verse = not period and before[:1].isupper() and before.isalpha() and before not in _OPENERS  # "John 3:16"
    if hour > 24 or verse:
        return None
    return words.clock(hour, minute, bool(period)) + (f" {period}" if period else "")


def hours(found: re.Match[str]) -> str:
    """Read "7-8pm"."""
    return f"{words.spoken_range(found['low'], found['high'])} {found['period']}"


def ratio(found: re.Match[str]) -> str | None:
    """Read "2:1"."""
    if _previous(found)[:1].isupper():
        return None
    return f"{words.cardinal(found['low'])} to {words.cardinal(found['high'])}"


def money(found: re.Match[str]) -> str:
    """Read an amount or a range of them."""
    return words.money(
        found["sign"],
        found["country"] or "",
        found["low"],
        found["high"],
        found["scale"] or "",
        not _is_attributive(found),
    )


def percent(found: re.Match[str]) -> str:
    """Read "10-15%"."""
    return f"{_signed(found)} percent"


def _signed(found: re.Match[str]) -> str:
    return ("minus " if found["minus"] else "") + words.spoken_range(found["low"], found["high"])


def fraction(found: re.Match[str]) -> str | None:
    """Read "2 1/2"."""
    numerator, denominator = int(found["over"]), int(found["under"])
    if _next(found) == "time" and not found["whole"]:
        return f"{words.cardinal(found['over'])} {words.cardinal(found['under'])}"
    if not 0 < numerator < denominator or (denominator > 10 and denominator not in (12, 16, 32, 64, 100, 1000)):
        return None
    return words.mixed(found["whole"], numerator, denominator) if found["whole"] else words.fraction(numerator, denominator)


def vulgar(found: re.Match[str]) -> str:
    """Read "2½"."""
    numerator, denominator = VULGAR[found["sign"]]
    return words.mixed(found["whole"], numerator, denominator) if found["whole"] else words.fraction(numerator, denominator)


def ordinal(found: re.Match[str]) -> str:
    """Read "21st"."""
    spoken = words.ordinal(int(found["number"].replace(",", "")))
    return capitalise(spoken) if _next(found) in _NEIGHBOURS["NAMED_BY_ORDINAL"] else spoken


def numbered(found: re.Match[str]) -> str:
    """Read "No. 5"."""
    return f"number {words.cardinal(found['number'])}"


def unit(found: re.Match[str]) -> str | None:
    """Read "5 km"."""
    single = not found["high"] and found["low"] == "1"
    joined = found["gap"] == "-"
    spoken = words.unit(found["unit"], plural=not (single or joined or _is_attributive(found)))
    return f"{_signed(found)}{'-' if joined else ' '}{spoken}"


def years(found: re.Match[str]) -> str | None:
    """Read "1998–99" and "1998/99"."""
    return words.year_range(int(found["low"]), found["high"] or found["next"])


def number(found: re.Match[str]) -> str | None:
    """Read any other number or range, a year as one."""
    low, high = found["low"], found["high"]
    if not high and not found["minus"] and low.isdigit() and low[0] != "0":
        if len(low) == 4 and re.fullmatch(YEAR, low) and _is_year(found):
            return words.year(int(low))
        if len(low) > 2 and _is_name(found, low):
            return None
    ends_name = not high and not found["minus"] and len(low) <= 3 and low[0] != "0" and _is_name(found, low) and _closes_name(found)
    if ends_name and not low.isdigit():
        return None  # "Renault 2.0"
    return capitalise(_signed(found)) if ends_name else _signed(found)


def _closes_name(found: re.Match[str]) -> bool:
    """Tell whether a short number ends the name before it, "Service Pack 2", and does not count what follows: "in London 25 people"."""
    after = _next(found)
    if _previous(found) in _WEEKDAYS or found.string[found.end() : found.end() + 1] == "-":
        return False
    return (
        not after
        or after[0].isupper()
        or after in _NEIGHBOURS["SINGULAR_IN_S"]
        or (after in _NEIGHBOURS["NO_NOUN"] and after not in _COUNTED)
    )


def feet_and_inches(found: re.Match[str]) -> str:
    """Read "5 ft 3 in"."""
    foot, inch = ("foot", "inch") if _is_attributive(found) else ("feet", "inches")
    feet, inches = found["feet"], found["inches"]
    return f"{words.cardinal(feet)} {'foot' if feet == '1' else foot} {words.cardinal(inches)} {'inch' if inches == '1' else inch}"


def _is_year(found: re.Match[str]) -> bool:
    before, after = _previous(found).lower().strip(",;"), _next(found)
    plural = after in _NEIGHBOURS["PLURAL"] or (
        after.endswith("s") and not after.endswith("ss") and after.islower() and after not in _NEIGHBOURS["SINGULAR_IN_S"]
    )
    if before in _NEIGHBOURS["QUANTITY_FOLLOWS"] or (
        int(found["low"]) < 1100 and before not in ("in", "since", "until", "by", "of", "from")
    ):
        return False
    # "the 1960 elections", "in 1998 sales rose"; but "of 1200 men".
    if before in ("these", "those"):
        return int(found["low"]) >= 1900
    return not plural or (before in ("the", "in", "since", "his", "her", "its", "their") and after not in _NEIGHBOURS["PLURAL"])


def _is_name(found: re.Match[str], number: str) -> bool:
    """Tell whether the number is part of a name, read in ways of its own: "Boeing 747", "the 8086"."""
    before = _previous(found)
    first = not found.string[: found.start()].strip().strip("\"'“‘(").removeprefix(before).strip()
    if before in ("AD", "BC", "CE") or not before[-1:].isalnum():
        return False
    acronym = len(before) > 1 and before.isupper() and not found.string.isupper()
    return acronym or (before[:1].isupper() and not first) or (len(number) == 4 and before.lower() in ("the", "a", "an"))


def operator(found: re.Match[str]) -> str | None:
    """Read a sign between two operands, numbers or single letters, at least one of them a number."""
    sign, text = found["sign"], found.string
    numbers = text[found.start() - 1].isdigit() + bool(re.match(r"[-−]?\.?[0-9]", text[found.end() :]))
    if numbers == 0 or (sign in "-−/" and not (numbers == 2 and found["gap"] and "=" in text)):
        return None
    return " by " if sign == "×" and "=" not in text else f" {OPERATORS[sign]} "
