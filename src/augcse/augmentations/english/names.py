"""Names: the tables of places, and given names with the gender of their bearers, those that are put in and the many more recognised."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

from augcse.augmentations.text.tables import data_rows

_HERE = Path(__file__).parent
CITIES, COUNTRIES, REGIONS = _HERE / "cities.tsv", _HERE / "countries.tsv", _HERE / "regions.tsv"
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
    return names | {name: GivenName(_gender(gender), "", is_common=True) for name, gender in data_rows(_HERE / "given_names.tsv")}


@lru_cache(maxsize=2)
def common_names(gender: Gender) -> tuple[str, ...]:
    """Return the common English names of a gender, the ones that are put in."""
    return tuple(name for name, known in given_names().items() if known.is_common and known.gender == gender)


def _gender(text: str) -> Gender:
    return "m" if text == "m" else "f"
