"""Times: which words name one, and the tenses beside times counted from now."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.english.marks import APOSTROPHES
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.text.tables import word_sets

Tense = Literal["past", "present", "future"]
TENSES: tuple[Tense, ...] = ("past", "present", "future")
_WORDS = word_sets(Path(__file__).with_name("time_words.txt"))
CALENDAR = _WORDS["CALENDAR"]
_YEAR = re.compile(r"(?:[1-9]\d\d|1\d{3}|20\d\d)s?")
_POSSESSIVES = APOSTROPHES | {"'s", "’s"}


def is_time_noun(word: str) -> bool:
    """Return whether a word in lower case is the name of a month or day, or a noun that means a time first of all.

    >>> [is_time_noun(word) for word in ("may", "tuesday", "weekend", "tomorrow", "war")]
    [True, True, True, True, False]
    """
    return word in CALENDAR or first_kind(word) == "noun.time"


def is_year(parse: Parse, index: int) -> bool:
    """Return whether a number is a year: "in 1990", "the 1990s"; before a noun it is not, as in "1500 houses"."""
    return _YEAR.fullmatch(parse.tokens[index]) is not None and parse.deps[index] != "nummod"


def tenses_beside(parse: Parse, index: int) -> set[Tense]:
    """Return the tenses of a verb beside a time counted from now, by the first word of the time; none for any other word.

    "Last week" goes with a past, "now" with a present or future. In "the now familiar name" and "(now NIST)" it is no time of the verb.
    """
    word, following, governor = parse.word(index), parse.word(index + 1), parse.heads[index]
    if word in _WORDS["COUNTING"]:
        # "The next day" is counted from another day, and "the last time" is the final one.
        is_of_story = parse.word(index - 1) == "the" and (word == "next" or following == "time")
        is_time = following in _WORDS["COUNTED"] | CALENDAR and not is_of_story
    else:
        is_of_verb = governor < index or not parse.has_label(governor, "acl", "amod", "appos")
        is_time = following not in _POSSESSIVES and parse.deps[index] != "mark" and is_of_verb
    return {tense for tense in TENSES if is_time and word in _WORDS[tense.upper()]}
