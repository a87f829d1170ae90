"""The smaller cities whose names replace those of larger ones."""

from __future__ import annotations

from collections import defaultdict
from functools import lru_cache
from itertools import islice
from pathlib import Path

from augcse.augmentations.english.places import City, regions
from augcse.augmentations.text.tables import data_rows

_TABLE = Path(__file__).with_name("substitutes.tsv")
_MOST = 6


@lru_cache(maxsize=1)
def _substitutes() -> dict[str, list[City]]:
    """Return the substitutes by country, the largest first."""
    cities_of: dict[str, list[City]] = defaultdict(list)
    for country, people, name, region in reversed(list(data_rows(_TABLE))):
        cities_of[country].append(City(name, country, region, int(people)))
    return cities_of


def substitutes(city: City, text: str) -> list[str]:
    """Return the next smaller cities of the country that the text does not name; of the same state, if it names that too."""
    named = {code for (country, code), name in regions().items() if country == city.country and name in text.replace(city.name, "")}
    smaller = (other for other in _substitutes()[city.country] if other.population < city.population and other.name not in text)
    fitting = (other.name for other in smaller if (other.region == city.region if city.region in named else other.region not in named))
    return [*islice(fitting, _MOST)]
