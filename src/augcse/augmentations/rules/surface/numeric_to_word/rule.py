"""Numerals written out in words: numbers, years, dates, times, money, units, fractions, phone numbers, formulas."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.rules.surface.numeric_to_word import number_words as words
from augcse.augmentations.rules.surface.numeric_to_word import numerals
from augcse.augmentations.text.edits import Edit, apply_edits, capitalise

Reader = Callable[[re.Match[str]], str | None]

_DIGIT = re.compile(r"[0-9½¼¾⅓⅔]")
_MONTH = rf"(?P<month>{'|'.join(words.MONTHS)}|Jan\.?|Feb\.?|Mar\.|Apr\.?|Jun\.|Jul\.|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
_UNITS = "|".join(map(re.escape, words.UNIT_SIGNS))
_DAY = r"(?:0[1-9]|[12][0-9]|3[01]|[1-9])"
_YEAR = r"(?:1[0-9]{3}|20[0-9]{2})"
_N = r"(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_DASH = r"(?:-|–|‒| – )"
_BEFORE = r"(?<![\w.,:/\\°#$£€¥₹^%&~'’–-])(?<![A-Za-z_]{2}[=+*])"
_AFTER = r"(?![\w°′″^_\\%]|[.,:/][0-9]|['’]s?[0-9]|[-–][0-9])"
_RANGE = rf"(?P<low>{_N})(?:{_DASH}(?P<high>{_N}))?"
_SCALE = r"hundred|thousand|million|billion|trillion|[kK]|[mM]n?|bn|B|tn"
_VULGAR = {"½": (1, 2), "¼": (1, 4), "¾": (3, 4), "⅓": (1, 3), "⅔": (2, 3)}
_OPERATORS = {
    "+": "plus", "−": "minus", "-": "minus", "×": "times", "*": "times", "÷": "divided by", "/": "divided by",
    "=": "equals", "<": "is less than", ">": "is greater than", "≤": "is at most", "≥": "is at least",
    "≠": "does not equal", "±": "plus or minus", "≈": "is about",
}  # fmt: skip

_QUANTITY = frozenset(
    """about above all almost approximately below exceeding least most nearly only over roughly some than total
    under""".split()
)
_SINGULAR_IN_S = frozenset(
    """across address as census class congress focus has is its miss plus process series species status this thus
    was""".split()
)
_PLURALS = frozenset("cattle children feet fish men people personnel police sheep women".split())
_ATTRIBUTIVE = frozenset("a an another each every her his its my our that the their this your".split())
_NO_NOUN = frozenset(
    """above after ago and are as at away because before below but by down during each east for from had has have he if
    in into is it north of off on or out over per she so south than that the then they through to under until up was
    we were west when where which while who will with within would""".split()
)
_NAMED_AFTER_ORDINAL = frozenset(
    """Amendment Armored Army Avenue Ave Baron Battalion Brigade Cavalry Century Congress Corps District Division Duke
    Earl Fleet Infantry Marquess Regiment Squadron St Street Viscount Wing""".split()
)
# After a number that counts: "in London 25 were hurt", "beat Denver 9 to 6".
_COUNTED = frozenset("are had have per to were".split())
_WEEKDAYS = frozenset("Monday Tuesday Wednesday Thursday Friday Saturday Sunday".split())
_OPENERS = frozenset("After Around At Before By From Since The Until".split())
_ABBREVIATED = re.compile(r"(?:\b(?:[A-Z][a-z]{0,3}|\w|vs|vols?|etc|no|pp|ca|approx|figs?|eds?|art|ch|sec|al)|\.\w)\.\s+\Z")


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
)
def numeric_to_word(sentence: str, rng: Random) -> str | None:
    """Write numbers, years, dates, times, money, units, fractions, phone numbers and formulas out in words.

    Every numeral of the sentence is read aloud. A four-digit number is a year unless a plural noun, a unit or a word
    such as "about" makes it a quantity. Slashed dates are month first unless the first number exceeds 12. Codes,
    names, versions, addresses and coordinates ("B52", "COVID-19", "Boeing 747", "1.2.3") stay; a short number that ends
    a name wears a capital ("Explorer One"). Nothing is drawn from `rng`.

    Deviations from NL-Augmenter: spacing and the rest of the text stay as they are; times are read as written ("5:10"
    is "five ten", not "ten past five am"); `%` and the signs of formulas are read too; years are read as years.
    """
    del rng
    if not _DIGIT.search(sentence):
        return None
    around = numerals.Surroundings(sentence)
    taken = bytearray(len(sentence))
    edits = []
    for pattern, reader, may_match in _readers():
        if not may_match(around):
            continue
        for found in pattern.finditer(sentence):
            start, end = found.span()
            if any(taken[start:end]) or (spoken := reader(found)) is None:
                continue
            taken[start:end] = b"\1" * (end - start)
            if spoken != found[0]:
                edits.append(Edit(start, end, capitalise(spoken) if _opens_sentence(sentence, start) else spoken))
    return apply_edits(sentence, edits) if edits else None


def _opens_sentence(text: str, start: int) -> bool:
    head = text[max(0, start - 12) : start]
    if not head.strip(" \t\"'“‘([—–-"):
        return start < 12
    return re.search(r"[.!?][\"”’)]?\s+[\"“(]?\Z", head) is not None and not _ABBREVIATED.search(head)


def _previous(found: re.Match[str]) -> str:
    before = re.search(r"([^\s\"“(\[]+)[\s\"“(\[]+\Z", found.string[max(0, found.start() - 30) : found.start()])
    return before[1] if before else ""


def _next(found: re.Match[str]) -> str:
    after = re.compile(r"[\s-]([A-Za-z]+)").match(found.string, found.end())
    return after[1] if after else ""


def _is_attributive(found: re.Match[str]) -> bool:
    """Tell whether the quantity describes the noun after it: "a 5 km race"."""
    after = _next(found)
    joined = found.string[found.end() : found.end() + 1] == "-"
    return joined or (_previous(found).lower() in _ATTRIBUTIVE and after.islower() and after not in _NO_NOUN)


def _leave(found: re.Match[str]) -> str:
    return found[0]


def _phone(found: re.Match[str]) -> str:
    groups = [words.digits(group) for group in re.findall(r"[0-9]+", found[0])]
    return ("plus " if found[0].startswith("+") else "") + ", ".join(groups)


def _numeric_date(found: re.Match[str]) -> str | None:
    month, day, year = (int(found[name]) for name in ("month", "day", "year"))
    if month > 12:
        month, day = day, month
    if not (1 <= month <= 12 and 1 <= day <= 31):
        return None
    return f"{words.MONTHS[month - 1]} {words.ordinal(day)}, {words.year(year)}"


def _two_days_month(found: re.Match[str]) -> str:
    """Read "5 to 9 August" and "27 and 28 May"."""
    article = "" if _previous(found).lower() in ("the", "a", "this", "that") else "the "
    year = f" {words.year(int(found['year']))}" if found["year"] else ""
    first, second = words.ordinal(int(found["first"])), words.ordinal(int(found["day"]))
    return f"{article}{first}{found['joint']}the {second} of {found['month']}{year}"


def _month_two_days(found: re.Match[str]) -> str:
    return f"{found['month']} {words.ordinal(int(found['day']))}{found['joint']}{words.ordinal(int(found['last']))}"


def _day_month(found: re.Match[str]) -> str:
    article = "" if _previous(found).lower() in ("the", "a", "this", "that") else "the "
    days = words.ordinal(int(found["day"]))
    if found["last"]:
        days += f" to {article}{words.ordinal(int(found['last']))}"
    year = f" {words.year(int(found['year']))}" if found["year"] else ""
    return f"{article}{days} of {found['month']}{year}"


def _month_day(found: re.Match[str]) -> str:
    days = words.ordinal(int(found["day"]))
    if found["last"]:
        days += f" to {words.ordinal(int(found['last']))}"
    year = f", {words.year(int(found['year']))}" if found["year"] else ""
    return f"{found['month']} {days}{year}"


def _month_year(found: re.Match[str]) -> str:
    return f"{found['month']}{found['comma'] or ''} {words.year(int(found['year']))}"


def _decade(found: re.Match[str]) -> str | None:
    number = int(found["decade"])
    return words.decade(number) if number >= 20 and number % 10 == 0 and number not in range(100, 1000) else None


def _time(found: re.Match[str]) -> str | None:
    parts = found.groupdict()
    hour, minute, period = int(parts["hour"]), int(parts.get("minute") or 0), parts.get("period")
    before = _previous(found)
    verse = not period and before[:1].isupper() and before.isalpha() and before not in _OPENERS  # "John 3:16"
    if hour > 24 or verse:
        return None
    return words.clock(hour, minute, bool(period)) + (f" {period}" if period else "")


def _ratio(found: re.Match[str]) -> str | None:
    if _previous(found)[:1].isupper():
        return None
    return f"{words.cardinal(found['low'])} to {words.cardinal(found['high'])}"


def _money(found: re.Match[str]) -> str:
    return words.money(
        found["sign"],
        found["country"] or "",
        found["low"],
        found["high"],
        found["scale"] or "",
        not _is_attributive(found),
    )


def _percent(found: re.Match[str]) -> str:
    return f"{_signed(found)} percent"


def _signed(found: re.Match[str]) -> str:
    return ("minus " if found["minus"] else "") + words.spoken_range(found["low"], found["high"])


def _fraction(found: re.Match[str]) -> str | None:
    numerator, denominator = int(found["over"]), int(found["under"])
    if _next(found) == "time" and not found["whole"]:
        return f"{words.cardinal(found['over'])} {words.cardinal(found['under'])}"
    if not 0 < numerator < denominator or (denominator > 20 and denominator not in (32, 64, 100, 1000)):
        return None
    return words.mixed(found["whole"], numerator, denominator) if found["whole"] else words.fraction(numerator, denominator)


def _vulgar(found: re.Match[str]) -> str:
    numerator, denominator = _VULGAR[found["sign"]]
    return words.mixed(found["whole"], numerator, denominator) if found["whole"] else words.fraction(numerator, denominator)


def _ordinal(found: re.Match[str]) -> str:
    spoken = words.ordinal(int(found["number"].replace(",", "")))
    return capitalise(spoken) if _next(found) in _NAMED_AFTER_ORDINAL else spoken


def _numbered(found: re.Match[str]) -> str:
    return f"number {words.cardinal(found['number'])}"


def _unit(found: re.Match[str]) -> str | None:
    single = not found["high"] and found["low"] == "1"
    joined = found["gap"] == "-"
    spoken = words.unit(found["unit"], plural=not (single or joined or _is_attributive(found)))
    return f"{_signed(found)}{'-' if joined else ' '}{spoken}"


def _years(found: re.Match[str]) -> str | None:
    return words.year_range(int(found["low"]), found["high"])


def _number(found: re.Match[str]) -> str | None:
    low, high = found["low"], found["high"]
    if not high and not found["minus"] and low.isdigit() and low[0] != "0":
        if len(low) == 4 and re.fullmatch(_YEAR, low) and _is_year(found):
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
    return not after or after[0].isupper() or after in _SINGULAR_IN_S or (after in _NO_NOUN and after not in _COUNTED)


def _feet_and_inches(found: re.Match[str]) -> str:
    foot, inch = ("foot", "inch") if _is_attributive(found) else ("feet", "inches")
    feet, inches = found["feet"], found["inches"]
    return f"{words.cardinal(feet)} {'foot' if feet == '1' else foot} {words.cardinal(inches)} {'inch' if inches == '1' else inch}"


def _is_year(found: re.Match[str]) -> bool:
    before, after = _previous(found).lower().strip(",;"), _next(found)
    plural = after in _PLURALS or (after.endswith("s") and not after.endswith("ss") and after.islower() and after not in _SINGULAR_IN_S)
    if before in _QUANTITY or (int(found["low"]) < 1100 and before not in ("in", "since", "until", "by", "of", "from")):
        return False
    # "the 1960 elections", "in 1998 sales rose"; but "of 1200 men".
    if before in ("these", "those"):
        return int(found["low"]) >= 1900
    return not plural or (before in ("the", "in", "since", "his", "her", "its", "their") and after not in _PLURALS)


def _is_name(found: re.Match[str], number: str) -> bool:
    """Tell whether the number is part of a name, read in ways of its own: "Boeing 747", "the 8086"."""
    before = _previous(found)
    first = not found.string[: found.start()].strip().strip("\"'“‘(").removeprefix(before).strip()
    if before in ("AD", "BC", "CE") or not before[-1:].isalnum():
        return False
    acronym = len(before) > 1 and before.isupper() and not found.string.isupper()
    return acronym or (before[:1].isupper() and not first) or (len(number) == 4 and before.lower() in ("the", "a", "an"))


def _operator(found: re.Match[str]) -> str | None:
    """Read a sign between two operands, numbers or single letters, at least one of them a number."""
    sign, text = found["sign"], found.string
    numbers = text[found.start() - 1].isdigit() + bool(re.match(r"[-−]?\.?[0-9]", text[found.end() :]))
    if numbers == 0 or (sign in "-−/" and not (numbers == 2 and found["gap"] and "=" in text)):
        return None
    return " by " if sign == "×" and "=" not in text else f" {_OPERATORS[sign]} "


Row = tuple[str, Reader, numerals.Test]


@lru_cache(maxsize=1)
def _readers() -> tuple[tuple[re.Pattern[str], Reader, numerals.Test], ...]:
    """Return the patterns, how each is read, and where it may match; an earlier one takes its text from the later ones."""
    table = [*_call_and_code_table(), *_date_table(), *_quantity_table()]
    return tuple((re.compile(pattern), reader, test) for pattern, reader, test in table)


def _call_and_code_table() -> list[Row]:
    area = r"(?:1-)?(?:\([0-9]{3}\) ?|[0-9]{3}-)[0-9]{3}-[0-9]{4}"
    host = r"[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.(?:com|org|net|edu|gov|co|uk|de|html?)"
    coordinate = r"(?<![0-9.])[0-9.]{1,12}°[0-9. ]{0,12}[′'’][0-9. ″\"]*\s?[NSEW]?"
    calls = r"(?:(?<=[Cc]all )|(?<=[Dd]ial )|(?<=[Dd]ialing ))[0-9]{3}\b(?! [a-z]+s\b)"
    numeric = rf"{_BEFORE}(?P<month>[0-9]{{1,2}})/(?P<day>[0-9]{{1,2}})/(?P<year>{_YEAR}){_AFTER}"
    model = rf"(?<![$£€¥.,0-9])\b[0-9]+-?(?!(?:{_UNITS})\b)[A-Z]\w{{0,3}}\b|\b[0-9]+[a-z]+[0-9]\w*"
    version = rf"\b[0-9]+(?:\.[0-9]+){{2,}}|\b[0-9]+(?:[-–:][0-9]+){{2,}}|{coordinate}|\b[0-9]+[′″⁄^]"
    return [
        (rf"(?<![\w+])(?:\+[0-9][0-9 ()-]{{6,}}[0-9]|{area}|[0-9]{{3}}-[0-9]{{4}})(?![\w-])", _phone, numerals.may_be_phone),
        (calls, _phone, numerals.holding("all ", "ial ", "ialing ")),
        (
            rf"{_BEFORE}(?P<year>{_YEAR})[-/](?P<month>0[1-9]|1[0-2])[-/](?P<day>{_DAY}){_AFTER}",
            _numeric_date,
            numerals.followed_by("-/"),
        ),
        (numeric, _numeric_date, numerals.followed_by("/")),
        (rf"(?:https?://|www\.)\S+|[\w.+-]{{1,64}}@[\w.-]+|\b{host}\b\S*", _leave, numerals.may_be_address),
        (r"\b(?:ISBN|ISSN|DOI|PMID|doi)\b.{0,30}", _leave, numerals.holding("ISBN", "ISSN", "DOI", "PMID", "doi")),
        (r"\b[A-Za-z_]+[0-9][\w./–-]*|\b[A-Z]\w*[-–][0-9][\w./–-]*", _leave, numerals.may_be_code),
        (model, _leave, numerals.may_be_model),
        (version, _leave, numerals.may_be_version),
        (r"\b(?:9/11|24/7|7/7|20/20)\b|\b[0-9]+:[0-9]{2}[.:][0-9]+", _leave, numerals.followed_by("/:")),
    ]


def _date_table() -> list[Row]:
    days = rf"(?P<day>{_DAY})(?:{_DASH}(?P<last>{_DAY}))?"
    year = r"(?P<year>[1-9][0-9]{2,3})(?![-–,]?[0-9])"
    hour = rf"{_BEFORE}(?P<hour>[0-9]{{1,2}})"
    colon, dated = numerals.followed_by(":"), numerals.may_be_dated
    decade = r"(?<![\w.,$£€/–])['’]?(?P<decade>(?:1[0-9]|20)?[0-9]0)['’]?s\b"
    joint = r"(?P<joint> (?:to|and|or|until|through) )"
    # What follows tells a second day from a number that counts: "May 5 and 12 people".
    closed = r"(?=[,;)]|\.?(?:\s*\Z| [A-Z])| (?:as|at|by|for|from|in|of|on|the|when|where|with)\b)"
    return [
        (rf"{_BEFORE}(?P<first>{_DAY}){joint}(?P<day>{_DAY}) {_MONTH}(?:,? {year})?(?!\w)", _two_days_month, dated),
        (rf"\b{_MONTH} (?P<day>{_DAY}){joint}(?P<last>{_DAY}){closed}(?!, ?[0-9])", _month_two_days, dated),
        (rf"{_BEFORE}{days} {_MONTH}(?:,? {year})?(?!\w)", _day_month, dated),
        (rf"\b{_MONTH} {days}(?![\w:%]|[.,/-][0-9])(?:, ?{year})?", _month_day, dated),
        (rf"\b{_MONTH}(?P<comma>,)? (?P<year>{_YEAR}){_AFTER}", _month_year, dated),
        (decade, _decade, numerals.followed_by("s'’")),
        (rf"{hour}[:.](?P<minute>[0-5][0-9]) ?(?P<period>[AaPp]\.?[Mm]\b\.?)", _time, numerals.followed_by(":.")),
        (rf"{hour}:(?P<minute>[0-5][0-9]){_AFTER}", _time, colon),
        (rf"{hour} ?(?P<period>[ap]\.?m\b\.?|[AP]\.?M\b\.?)", _time, numerals.may_be_hour),
        (rf"{_BEFORE}(?P<low>[0-9]+):(?P<high>[0-9]+){_AFTER}", _ratio, colon),
    ]


def _quantity_table() -> list[Row]:
    signed = rf"(?:(?<![^\s(\[])(?<![0-9] )(?P<minus>[-−])|{_BEFORE}){_RANGE}"
    currency = r"(?<![\w$£€¥])(?P<country>US|AU?|CA?|NZ|HK|S)?(?P<sign>[$£€¥₹]) ?"
    amount = rf"(?P<low>{_N})(?:{_DASH}[$£€¥₹]?(?P<high>{_N}))?(?:[ -]?(?P<scale>{_SCALE})\b)?(?![\w%]|[.,][0-9])"
    parts = r"(?:(?P<whole>[0-9]+)[ -])?(?P<over>[0-9]{1,3})/(?P<under>[0-9]{1,4})(?:ths?|rds?)?"
    whole = r"(?P<number>[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,9})"
    sign = rf"(?P<gap> ?)(?P<sign>[{re.escape(''.join(_OPERATORS))}])(?P=gap)"
    years = rf"{_BEFORE}(?P<low>{_YEAR}){_DASH}(?P<high>{_YEAR}|[0-9]{{2}}){_AFTER}"
    numbered = r"(?<!\w)(?:[Nn]o\. ?|#)(?P<number>[0-9]+)(?![\w.-]?[0-9])\b"
    return [
        (currency + amount, _money, numerals.holding(*"$£€¥₹")),
        (rf"{signed} ?%", _percent, numerals.holding("%")),
        (rf"{_BEFORE}{parts}{_AFTER}", _fraction, numerals.followed_by("/")),
        (rf"{_BEFORE}(?P<whole>[0-9]+)? ?(?P<sign>[½¼¾⅓⅔])(?!\w)", _vulgar, numerals.holding(*_VULGAR)),
        (rf"(?<![\w.,/$–]){whole}(?: ?(?:st|nd|rd|th)|ST|ND|RD|TH)\b", _ordinal, numerals.may_be_ordinal),
        (numbered, _numbered, numerals.holding("No.", "no.", "#")),
        (rf"{_BEFORE}(?P<feet>[0-9]+) ?ft,? (?P<inches>[0-9]+) ?in(?:\.(?= [a-z])|\b(?!\.?\w))", _feet_and_inches, numerals.holding("ft")),
        (rf"{signed}(?P<gap> |-)?(?P<unit>{_UNITS})(?![\w/²³°^]|-[a-z]*[0-9])", _unit, numerals.may_be_measured),
        (years, _years, numerals.followed_across_a_blank_by("-–‒")),
        (rf"(?:(?<=[0-9)])|(?<=\b[A-Za-z])){sign}(?=[-−]?\.?[0-9]|[A-Za-z]\b|\()", _operator, numerals.may_be_formula),
        (rf"{signed}{_AFTER}", _number, numerals.always),
    ]
