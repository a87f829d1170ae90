"""Numerals written out in words: numbers, years, dates, times, money, units, fractions, phone numbers, formulas."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.rules.surface.numeric_to_word import number_words as words
from augcse.augmentations.rules.surface.numeric_to_word import readers
from augcse.augmentations.text.edits import Edit, apply_edits, capitalise

Reader = Callable[[re.Match[str]], str | None]

_DIGIT = re.compile(r"[0-9½¼¾⅓⅔]")
_MONTH = rf"(?P<month>{'|'.join(words.MONTHS)}|Jan\.?|Feb\.?|Mar\.|Apr\.?|Jun\.|Jul\.|Aug\.?|Sept?\.?|Oct\.?|Nov\.?|Dec\.?)"
_UNITS = "|".join(map(re.escape, words.UNIT_SIGNS))
_DAY = r"(?:0[1-9]|[12][0-9]|3[01]|[1-9])"
# "500, 000" is what a tokeniser leaves of a number.
_N = r"(?:[0-9]{1,3}(?:,[0-9]{3}|, 000)+(?:\.[0-9]+)?|[0-9]+(?:\.[0-9]+)?|\.[0-9]+)"
_DASH = r"(?:-|–|‒| – )"
_BEFORE = r"(?<![\w.,:/\\°#$£€¥₹^%&~'’–-])(?<![A-Za-z_]{2}[=+*])"
_AFTER = r"(?![\w°′″^_\\%]|[.,:/][0-9]|['’]s?[0-9]|[-–][0-9])"
# Further groups of a telephone number, and what tells that one follows.
_GROUPS = r"(?:[ .-]?[0-9]{2,4}){1,4}"
_CALLED = (
    r"(?:(?<=\b[Cc]all )|(?<=\b[Dd]ial )|(?<=\b[Dd]ialing )|(?<=\b[Pp]hone )|(?<=\b[Pp]hone: )|(?<=\b[Tt]el )|(?<=\b[Tt]el[.:] )"
    r"|(?<=\b[Ff]ax )|(?<=\b[Rr]ing ))"
)
_RANGE = rf"(?P<low>{_N})(?:{_DASH}(?P<high>{_N}))?"
_SCALE = r"hundred|thousand|million|billion|trillion|[kK]|[mM]n?|bn|B|tn"
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
    taken = bytearray(len(sentence))
    edits = []
    for pattern, reader in _readers():
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


Row = tuple[str, Reader]


@lru_cache(maxsize=1)
def _readers() -> tuple[tuple[re.Pattern[str], Reader], ...]:
    """Return the patterns and how each is read; an earlier one takes its text from the later ones."""
    return tuple((re.compile(pattern), reader) for pattern, reader in (*_call_and_code_table(), *_date_table(), *_quantity_table()))


def _call_and_code_table() -> list[Row]:
    host = r"[\w-]{1,63}(?:\.[\w-]{1,63}){0,5}\.(?:com|org|net|edu|gov|co|uk|de|html?)"
    coordinate = r"(?<![0-9.])[0-9.]{1,12}°[0-9. ]{0,12}[′'’][0-9. ″\"]*\s?[NSEW]?"
    numeric = rf"{_BEFORE}(?P<month>[0-9]{{1,2}})/(?P<day>[0-9]{{1,2}})/(?P<year>{readers.YEAR}){_AFTER}"
    model = rf"(?<![$£€¥.,0-9])\b[0-9]+-?(?!(?:{_UNITS})\b)[A-Z]\w{{0,3}}\b|\b[0-9]+[a-z]+[0-9]\w*"
    version = rf"\b[0-9]+(?:\.[0-9]+){{2,}}|\b[0-9]+(?:[-–:][0-9]+){{2,}}|{coordinate}|\b[0-9]+[′″⁄^]"
    return [
        (
            rf"(?<![\w+.])(?:\+[0-9]{{1,3}}{_GROUPS}|\([0-9]{{2,4}}\){_GROUPS}|(?:1-)?[0-9]{{3}}-[0-9]{{3}}-[0-9]{{4}})(?![\w-])",
            readers.phone,
        ),
        (rf"{_CALLED}(?:(?=(?:[ .-]?[0-9]){{7}})[0-9]{{2,4}}{_GROUPS}|[0-9]{{3}}\b(?! [a-z]+s\b))(?![\w-])", readers.phone),
        (rf"{_BEFORE}(?P<year>{readers.YEAR})[-/](?P<month>0[1-9]|1[0-2])[-/](?P<day>{_DAY}){_AFTER}", readers.numeric_date),
        (numeric, readers.numeric_date),
        (rf"(?:https?://|www\.)\S+|[\w.+-]{{1,64}}@[\w.-]+|\b{host}\b\S*", readers.leave),
        (r"\b(?:ISBN|ISSN|DOI|PMID|doi)\b.{0,30}", readers.leave),
        (r"\b[A-Za-z_]+[0-9][\w./–+-]*|\b[A-Z]\w*[-–][0-9][\w./–-]*", readers.leave),
        (model, readers.leave),
        (version, readers.leave),
        (r"\b(?:9/11|24/7|7/7|20/20)\b|\b[0-9]+:[0-9]{2}[.:][0-9]+|\b[0-9]{3}s\b", readers.leave),
    ]


def _date_table() -> list[Row]:
    days = rf"(?P<day>{_DAY})(?:{_DASH}(?P<last>{_DAY}))?"
    year = r"(?P<year>[1-9][0-9]{2,3})(?![-–,]?[0-9])"
    hour = rf"{_BEFORE}(?P<hour>[0-9]{{1,2}})"
    decade = r"(?<![\w.,$£€/–])['’]?(?P<decade>(?:1[0-9]|20)?[0-9]0)['’]?s\b"
    joint = r"(?P<joint> (?:to|and|or|until|through) )"
    # What follows tells a second day from a number that counts: "May 5 and 12 people".
    closed = r"(?=[,;)]|\.?(?:\s*\Z| [A-Z])| (?:as|at|by|for|from|in|of|on|the|when|where|with)\b)"
    return [
        (rf"{_BEFORE}(?P<first>{_DAY}){joint}(?P<day>{_DAY}) {_MONTH}(?:,? {year})?(?!\w)", readers.two_days_month),
        (rf"\b{_MONTH} (?P<day>{_DAY}){joint}(?P<last>{_DAY}){closed}(?!, ?[0-9])", readers.month_two_days),
        (rf"{_BEFORE}{days} {_MONTH}(?:,? {year})?(?!\w)", readers.day_month),
        (rf"\b{_MONTH} {days}(?![\w:%]|[.,/-][0-9])(?:, ?{year})?", readers.month_day),
        (rf"\b{_MONTH}(?P<comma>,)? (?P<year>{readers.YEAR}){_AFTER}", readers.month_year),
        (decade, readers.decade),
        (rf"{hour}[:.](?P<minute>[0-5][0-9]) ?(?P<period>[AaPp]\.?[Mm]\b\.?)", readers.time),
        (rf"{hour}:(?P<minute>[0-5][0-9]){_AFTER}", readers.time),
        (rf"{_BEFORE}(?P<low>[0-9]{{1,2}}){_DASH}(?P<high>[0-9]{{1,2}}) ?(?P<period>[ap]\.?m\b\.?|[AP]\.?M\b\.?)", readers.hours),
        (rf"{hour} ?(?P<period>[ap]\.?m\b\.?|[AP]\.?M\b\.?)", readers.time),
        (rf"{_BEFORE}(?P<low>[0-9]+):(?P<high>[0-9]+){_AFTER}", readers.ratio),
    ]


def _quantity_table() -> list[Row]:
    signed = rf"(?:(?<![^\s(\[])(?<![0-9] )(?P<minus>[-−])|{_BEFORE}){_RANGE}"
    currency = r"(?<![\w$£€¥])(?P<country>US|AU?|CA?|NZ|HK|S)?(?P<sign>[$£€¥₹]) ?"
    amount = rf"(?P<low>{_N})(?:{_DASH}[$£€¥₹]?(?P<high>{_N}))?(?:[ -]?(?P<scale>{_SCALE})\b)?(?![\w%]|[.,][0-9])"
    parts = r"(?:(?P<whole>[0-9]+)[ -])?(?P<over>[0-9]{1,3})/(?P<under>[0-9]{1,4})(?:ths?|rds?)?"
    whole = r"(?P<number>[0-9]{1,3}(?:,[0-9]{3}){1,3}|[0-9]{1,9})"
    sign = rf"(?P<gap> ?)(?P<sign>[{re.escape(''.join(readers.OPERATORS))}])(?P=gap)"
    years = rf"{_BEFORE}(?P<low>{readers.YEAR})(?:{_DASH}(?P<high>{readers.YEAR}|[0-9]{{2}})|/(?P<next>[0-9]{{2}})){_AFTER}"
    numbered = r"(?<!\w)(?:[Nn]o\. ?|#)(?P<number>[0-9]+)(?![\w.-]?[0-9])\b"
    return [
        (currency + amount, readers.money),
        (rf"{signed.replace('(?:' + _DASH, '(?:%?' + _DASH)} ?%", readers.percent),
        (rf"{_BEFORE}{parts}{_AFTER}", readers.fraction),
        (rf"{_BEFORE}(?P<whole>[0-9]+)? ?(?P<sign>[½¼¾⅓⅔])(?!\w)", readers.vulgar),
        (rf"(?<![\w.,/$–]){whole}(?: ?(?:st|nd|rd|th)|ST|ND|RD|TH)\b", readers.ordinal),
        (numbered, readers.numbered),
        (rf"{_BEFORE}(?P<feet>[0-9]+) ?ft,? (?P<inches>[0-9]+) ?in(?:\.(?= [a-z])|\b(?!\.?\w))", readers.feet_and_inches),
        (rf"{signed}(?P<gap> |-)?(?P<unit>{_UNITS})(?![\w/²³°^]|-[a-z]*[0-9]|\.[a-z])", readers.unit),
        (years, readers.years),
        (rf"(?:(?<=[0-9)])|(?<=\b[A-Za-z])){sign}(?=[-−]?\.?[0-9]|[A-Za-z]\b|\()", readers.operator),
        (rf"{signed}{_AFTER}", readers.number),
    ]
