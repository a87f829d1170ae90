"""Names: the tables of places, and the given names that rules recognise or write, each with its gender."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal, cast

from augcse.augmentations.text.tables import data_rows

_HERE = Path(__file__).parent
CITIES, COUNTRIES, REGIONS = _HERE / "cities.tsv", _HERE / "countries.tsv", _HERE / "regions.tsv"
Gender = Literal["m", "f"]


@dataclass(frozen=True, slots=True)
class GivenName:
    """A name that almost only people of one gender have; `kind` says what else it is.

    "": nothing else; "word": also an ordinary word ("Bill"); "surname": also a place, a people or a common surname ("Florence");
    "full": more often something else ("Oscar"). Rules write only names that are `is_common`.
    """

    gender: Gender
    kind: str
    is_common: bool = False


@lru_cache(maxsize=1)
def given_names() -> dict[str, GivenName]:
    """Return all given names that rules recognise."""
    names = {name: GivenName(cast("Gender", gender), kind) for name, gender, kind in data_rows(_HERE / "gender_names.tsv")}
    return names | {name: GivenName(cast("Gender", gender), "", is_common=True) for name, gender in data_rows(_HERE / "given_names.tsv")}


@lru_cache(maxsize=2)
def common_names(gender: Gender) -> tuple[str, ...]:
    """Return the common English names of a gender, which rules write."""
    return tuple(name for name, known in given_names().items() if known.is_common and known.gender == gender)
