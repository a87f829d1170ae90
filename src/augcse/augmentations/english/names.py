"""Names: the tables of places, and given names with the gender of their bearers, those that are put in and the many more recognised."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import Pos
from augcse.lexicon.open import open_lexicon

_HERE = Path(__file__).parent
GIVEN_NAMES = _HERE / "given_names.tsv"
CITIES, COUNTRIES, REGIONS = _HERE / "cities.tsv", _HERE / "countries.tsv", _HERE / "regions.tsv"
_REGNAL = re.compile(r"[IVX]+")
# A verb is a surname as well as any other word: "Cecil Madden".
_OF_THINGS: tuple[Pos, ...] = ("n", "a", "r")
Gender = Literal["m", "f"]


@dataclass(frozen=True, slots=True)
class GivenName:
    """A name borne almost only by one gender; `kind` says what else it is.

    "" nothing; "word" an ordinary word too ("Bill"); "surname" also a place, a people or a common surname ("Florence");
    "full" more often something else ("Oscar"). `is_common` names are put in too.
    """

    gender: Gender
    kind: str
    is_common: bool = False


@lru_cache(maxsize=1)
def given_names() -> dict[str, GivenName]:
    """Return every name that is recognised."""
    names = {name: GivenName(_gender(gender), kind) for name, gender, kind in data_rows(_HERE / "gender_names.tsv")}
    return names | {name: GivenName(_gender(gender), "", is_common=True) for name, gender in data_rows(GIVEN_NAMES)}


@lru_cache(maxsize=2)
def common_names(gender: Gender) -> tuple[str, ...]:
    """Return the common English names of a gender, the ones that are put in."""
    return tuple(name for name, other in data_rows(GIVEN_NAMES) if other == gender)


def may_be_surname(after: str) -> bool:
    """Return whether the capitalised word after a name is no common noun: "Florence Nightingale", not "Florence Cathedral"."""
    if not after or _REGNAL.fullmatch(after):
        return bool(after)
    if after in given_names():
        return True
    words = {after.lower(), *open_lexicon().lemmas(after.lower(), "n")}
    senses = [(word, sense) for word in words for pos in _OF_THINGS for sense in open_lexicon().synsets(word, pos)]
    return not any(word in sense.lemmas for word, sense in senses)


def _gender(text: str) -> Gender:
    return "m" if text == "m" else "f"
