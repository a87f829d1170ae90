"""Cities, regions and countries named in a sentence, found by the parse, and what GeoNames knows of them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from augcse.annotation.parse import Parse
from augcse.augmentations.english.name_words import is_name
from augcse.augmentations.english.names import CITIES, COUNTRIES, REGIONS
from augcse.augmentations.text.tables import data_rows, word_sets

_LETTERS = re.compile(r"[^\W\d_]+")
_MAX_TOKENS = 5
# Regions whose names mean something else as often.
STATES_AND_MORE = frozenset(("Georgia", "New York", "Victoria", "Washington"))
WORDS = word_sets(Path(__file__).with_name("place_words.txt"))


@dataclass(frozen=True, slots=True)
class Country:
    """A sovereign state; `capital` and `continent` are "" where there is no single one."""

    name: str
    article: bool
    ambiguous: bool
    capital: str
    continent: str
    neighbours: tuple[str, ...]
    kind: str = "country"

    @property
    def phrase(self) -> str:
        """The name as it stands in a sentence: "the Netherlands"."""
        return f"the {self.name}" if self.article else self.name


@dataclass(frozen=True, slots=True)
class City:
    """A large or well-known city; `region` is the code of its state, in countries that write one."""

    name: str
    country: str
    region: str
    population: int
    kind: str = "city"
    article: bool = False
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Region:
    """A state or province, in countries that write one after a city."""

    name: str
    kind: str
    article: bool = False
    ambiguous: bool = False


Place = City | Country | Region


@dataclass(frozen=True, slots=True)
class Mention:
    """A place named by the tokens `first` to `last`."""

    first: int
    last: int
    place: Place


@lru_cache(maxsize=1)
def countries() -> dict[str, Country]:
    """Return the countries by their code."""
    return {
        code: Country(name, "the" in flags, "?" in flags, capital, continent, tuple(neighbours.split()))
        for code, name, _, flags, capital, continent, neighbours in data_rows(COUNTRIES)
    }


@lru_cache(maxsize=1)
def cities() -> dict[str, City]:
    """Return the well-known cities by each of their spellings."""
    return {name: City(name, country, region, int(people)) for name, country, region, people in data_rows(CITIES)}


@lru_cache(maxsize=1)
def regions() -> dict[tuple[str, str], str]:
    """Return the names of states and provinces by country and code."""
    return {(country, region): name for country, region, name in data_rows(REGIONS)}


@lru_cache(maxsize=2)
def _places(with_regions: bool) -> dict[str, dict[str, Place]]:
    """Return the cities and countries, and the regions if wanted, by name, by the first word of the name."""
    found: dict[str, dict[str, Place]] = defaultdict(dict)
    named: dict[str, Place] = {name: countries()[code] for code, *names in data_rows(COUNTRIES) for name in names[:2] if name}
    if with_regions:
        named |= {name: Region(name, "province" if country == "CA" else "state") for (country, _), name in regions().items()}
    named.update(cities())
    for name, place in named.items():
        found[name.split()[0]][name] = place
    return dict(found)


@lru_cache(maxsize=1)
def _names_by_letters() -> dict[str, list[str]]:
    """Return the names of all places by their first letters in a run."""
    found: dict[str, list[str]] = defaultdict(list)
    for name in {name for names in _places(False).values() for name in names}:
        found[_LETTERS.findall(name)[0]].append(name)
    return dict(found)


def may_name_place(text: str, **_: Any) -> bool:
    """Tell whether the text has the letters of a place's name, which it may be or not."""
    names, even = _names_by_letters(), " ".join(text.split())
    return any(name in even for letters in _LETTERS.findall(text) for name in names.get(letters, ()))


def mentions(parse: Parse, *, with_regions: bool = False) -> Iterator[Mention]:
    """Find the cities and countries, longest name first; names inside longer names ("Paris Hilton", "New York Times") are none.

    `with_regions`: states and provinces too, which cities of the name go before ("New York").
    """
    places = _places(with_regions)
    for first, token in enumerate(parse.tokens):
        found = _mention(parse, first, places[token]) if token in places else None
        if found is not None:
            yield found


def _mention(parse: Parse, first: int, places: Mapping[str, Place]) -> Mention | None:
    for last in range(min(first + _MAX_TOKENS, len(parse)) - 1, first - 1, -1):
        place = places.get(" ".join(parse.text[parse.starts[first] : parse.end(last)].split()))
        if place is not None:
            return Mention(first, last, place) if _stands_alone(parse, first, last) else None
    return None


def _stands_alone(parse: Parse, first: int, last: int) -> bool:
    glued = parse.text[parse.starts[first] - 1 : parse.starts[first]] in ("-", "–", "/", "@", "#", "'", "’")
    return not glued and not _joins_name(parse, first - 1) and not _joins_name(parse, last + 1)


def _joins_name(parse: Parse, index: int) -> bool:
    """Tell whether the neighbouring token belongs to the same name."""
    return parse.pos(index) == "PROPN" or (is_name(parse, index) and parse.upos[index] in ("ADJ", "NOUN", "X"))


def head_of(parse: Parse, mention: Mention) -> int:
    """Return the token of the name that hangs on a word outside it."""
    inside = range(mention.first, mention.last + 1)
    return next((index for index in inside if parse.heads[index] not in inside), mention.last)
