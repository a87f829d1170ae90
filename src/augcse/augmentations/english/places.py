"""Cities, regions and countries that a sentence names, with their facts from GeoNames."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile
from pathlib import Path
from typing import Any

from augcse.annotation.parse import Parse
from augcse.augmentations.english.name_words import is_name
from augcse.augmentations.english.names import CITIES, COUNTRIES, REGIONS
from augcse.augmentations.text.tables import data_rows, word_sets

_LETTERS = re.compile(r"[^\W\d_]+")
_MAX_TOKENS = 5
# Regions whose names mean something else just as often.
STATES_AND_MORE = frozenset(("Georgia", "New York", "Victoria", "Washington"))
WORDS = word_sets(Path(__file__).with_name("place_words.txt"))


@dataclass(frozen=True, slots=True)
class Country:
    """A sovereign state; `capital` and `continent` are "" if there is not exactly one."""

    name: str
    article: bool  # whether the name takes "the"
    ambiguous: bool  # whether the name often means something else
    capital: str
    continent: str
    neighbours: tuple[str, ...]
    kind: str = "country"

    @property
    def phrase(self) -> str:
        """Return the name as it is written in a sentence: "the Netherlands"."""
        return f"the {self.name}" if self.article else self.name


@dataclass(frozen=True, slots=True)
class City:
    """A large or well-known city; `region` is the code of its state or province, if its country writes one after a city."""

    name: str
    country: str
    region: str
    population: int
    kind: str = "city"
    article: bool = False
    ambiguous: bool = False


@dataclass(frozen=True, slots=True)
class Region:
    """A state or province of a country that writes one after a city."""

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

    @property
    def start(self) -> int:
        """Return the first token of the phrase: the article of "the Netherlands"."""
        return self.first - 1 if self.place.article else self.first


@lru_cache(maxsize=1)
def countries() -> dict[str, Country]:
    """Return the countries by their code."""
    return {
        code: Country(name, "the" in flags, "?" in flags, capital, continent, tuple(neighbours.split()))
        for code, name, _, flags, capital, continent, neighbours in data_rows(COUNTRIES)
    }


@lru_cache(maxsize=1)
def cities() -> dict[str, City]:
    """Return the cities by each of their spellings."""
    return {name: City(name, country, region, int(people)) for name, country, region, people in data_rows(CITIES)}


@lru_cache(maxsize=1)
def regions() -> dict[tuple[str, str], str]:
    """Return the names of states and provinces by country and code."""
    return {(country, region): name for country, region, name in data_rows(REGIONS)}


@lru_cache(maxsize=2)
def _places_by_first_word(with_regions: bool) -> dict[str, dict[str, Place]]:
    """Return the cities and countries, and the regions if wanted: first word of the name -> whole name -> place."""
    by_name: dict[str, Place] = {name: countries()[code] for code, *names in data_rows(COUNTRIES) for name in names[:2] if name}
    if with_regions:
        by_name |= {name: Region(name, "province" if country == "CA" else "state") for (country, _), name in regions().items()}
    by_name |= cities()  # last, since a city is meant more often than its region: "New York"
    by_first_word: dict[str, dict[str, Place]] = defaultdict(dict)
    for name, place in by_name.items():
        by_first_word[name.split()[0]][name] = place
    return dict(by_first_word)


@lru_cache(maxsize=1)
def _names_by_letters() -> dict[str, list[str]]:
    """Return the names of cities and countries by the letters that each begins with, up to its first other character."""
    by_letters: dict[str, list[str]] = defaultdict(list)
    for name in {name for places in _places_by_first_word(False).values() for name in places}:
        by_letters[_LETTERS.findall(name)[0]].append(name)
    return dict(by_letters)


def may_name_place(text: str, **_: Any) -> bool:
    """Return whether the name of a city or country occurs in the text, perhaps with another meaning."""
    names, normalised = _names_by_letters(), " ".join(text.split())
    return any(name in normalised for letters in _LETTERS.findall(text) for name in names.get(letters, ()))


def mentions(parse: Parse, *, with_regions: bool = False) -> Iterator[Mention]:
    """Yield the cities and countries that a sentence names, but not those inside longer names ("Paris Hilton", "New York Times").

    `with_regions` adds states and provinces; a name that a city has too ("New York") is the city.
    """
    places = _places_by_first_word(with_regions)
    for first, token in enumerate(parse.tokens):
        mention = _longest_mention(parse, first, places[token]) if token in places else None
        if mention is not None:
            yield mention


def _longest_mention(parse: Parse, first: int, places: Mapping[str, Place]) -> Mention | None:
    """Return the longest place name that begins at a token; None if there is none or it is part of another name."""
    for last in range(min(first + _MAX_TOKENS, len(parse)) - 1, first - 1, -1):
        place = places.get(" ".join(parse.text[parse.starts[first] : parse.end(last)].split()))
        if place is not None:
            return None if _is_in_longer_name(parse, first, last) else Mention(first, last, place)
    return None


def _is_in_longer_name(parse: Parse, first: int, last: int) -> bool:
    follows_joint = parse.text[parse.starts[first] - 1 : parse.starts[first]] in ("-", "–", "/", "@", "#", "'", "’")
    named = [index for index in (first - 1, last + 1) if parse.pos(index) == "PROPN" or is_name(parse, index)]
    return follows_joint or any(parse.upos[index] in ("ADJ", "NOUN", "PROPN", "X") for index in named)


def phrases_around(parse: Parse, mention: Mention) -> list[int]:
    """Return the nouns whose phrases contain the place, from its own name upwards: "Haiti" and "rate" in "the rate in Haiti"."""
    head = parse.head_of(mention.first, mention.last)
    return [head, *(parse.heads[index] for index in takewhile(lambda index: parse.has_label(index, "appos", "nmod"), parse.path(head)))]
