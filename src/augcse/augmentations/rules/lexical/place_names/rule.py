"""Cities exchanged for smaller ones, and facts of GeoNames told after the places of a sentence."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import replacement_edits
from augcse.augmentations.english.name_words import is_name
from augcse.augmentations.english.place_refusals import MODIFIER, OF_PLACES, is_located
from augcse.augmentations.english.places import (
    STATES_AND_MORE,
    WORDS,
    City,
    Country,
    Mention,
    cities,
    countries,
    head_of,
    may_name_place,
    mentions,
    regions,
)
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.lexical.place_names.substitutes import substitutes
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in, edited
from augcse.lexicon.open import open_lexicon

# Populations are told as round numbers well below GeoNames' own, so that they hold for any count of our time and any city limits.
_MILLIONS = ((15_000_000, "ten million"), (7_500_000, "five million"), (3_000_000, "two million"), (1_600_000, "a million"))
_OLD_YEAR = re.compile(r"\b1[0-8][0-9]{2}\b")
Fact = tuple[str, tuple[str, ...]]


def _is_owner(parse: Parse, mention: Mention) -> bool:
    return parse.word(mention.last + 1).startswith(("'", "’"))


def _is_near_other_places(parse: Parse, mention: Mention) -> bool:
    """Tell whether another name stays that is in its list, or of a place too: "Toronto and Essen", "left Orsay for Paris"."""
    known = {index for other in mentions(parse) for index in range(other.first, other.last + 1)}
    head = head_of(parse, mention)
    first = parse.heads[head] if parse.has_label(head, "conj") else head
    placed = [index for index in range(len(parse)) if not WORDS["PLACED"].isdisjoint(map(parse.word, parse.children(index, "case")))]
    others = {first, *parse.children(first, "conj"), *placed} - known
    names = [
        " ".join(parse.tokens[min((index, *parse.children(index, "compound", "amod"))) : index + 1])
        for index in others
        if is_name(parse, index)
    ]
    in_names = any(token.title() in cities() for index, token in enumerate(parse.tokens) if index not in known)
    return in_names or any(map(_may_be_place, names))


def _lies_elsewhere(parse: Parse, mention: Mention) -> bool:
    """Tell whether what follows says that it is another city of the name than the one known."""
    place = mention.place
    if not (isinstance(place, City) and is_located(parse, mention)):
        return False
    around = f"{countries()[place.country].name} {regions().get((place.country, place.region), '')}"
    return parse.tokens[mention.last + 2] not in around.split()


@lru_cache(maxsize=10_000)
def _may_be_place(name: str) -> bool:
    """Tell whether a name may be that of a place other than a state: neither a month nor an institution."""
    kinds = {sense.category for sense in open_lexicon().synsets(name, "n")}
    return kinds <= {"noun.person"} and name not in {*regions().values()} - STATES_AND_MORE


OF_SUBSTITUTES = (
    *OF_PLACES,
    Refusal("another city of the name", "They drove to Paris, Texas.", _lies_elsewhere),
    Refusal("called a capital", "The capital of Poland is Warsaw.", lambda parse, mention: "capital" in parse.tokens),
    Refusal("among names that stay", "She lived in Copenhagen and Kolding.", _is_near_other_places),
)
OF_FACTS = (*OF_PLACES, MODIFIER, Refusal("possessive", "London's office closed.", _is_owner))


@augmentation(
    "CityNamesTransformation",
    family="lexical",
    meaning="alteration",
    condition="a large or well-known city",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter city_names_transformation; Mishra et al. (2020); GeoNames",
    example=Example("She moved from Chicago to Lyon.", "She moved from San Antonio to Toulouse."),
    needs=("parse",),
    refusals=OF_SUBSTITUTES,
    may_change=may_name_place,
)
def city_names_transformation(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Replace every large or well-known city of the sentence by one of the next smaller cities of the same country.

    The substitute lies in the same state or province where the sentence names that. One city keeps one substitute throughout the
    sentence, two never get the same. A sentence stays where one of its cities has to: what is said would be false of another city
    ("The capital of Poland is Warsaw."), or the name is not the city's alone ("Paris, Texas", "the song April in Paris").

    Deviations from NL-Augmenter, which puts small towns of the whole world in and joins all tokens of every sentence by blanks: a city
    of comparable size in the same country, so that what is said of it stays plausible; names in longer names stay, and all but the name
    (and "a" or "an" before it) stays as it is. `fidelity="original"` replaces the name wherever it stands.
    """
    found = [(mention, mention.place) for mention in mentions(parse) if isinstance(mention.place, City)]
    if fidelity == "grammatical" and any(refused(OF_SUBSTITUTES, parse, mention) for mention, _ in found):
        return None
    chosen: dict[str, str] = {}
    edits: list[Edit] = []
    for mention, place in found:
        if place.name not in chosen:
            pool = [other for other in substitutes(place, parse.text) if other not in chosen.values()]
            if not pool:
                return None
            chosen[place.name] = rng.choice(pool)
        written = replacement_edits(parse, mention.first, mention.last, chosen[place.name])
        edits += [edit for edit in written if fidelity == "grammatical" or edit.start <= parse.starts[mention.first]]
    return edited(parse.text, edits)


@augmentation(
    "GeoNamesTransformation",
    family="lexical",
    meaning="highly_preserving",
    condition="a city or country that GeoNames knows",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter geo_names_transformation; Păiș (2019); GeoNames",
    example=Example("Paris was quiet that morning.", "Paris, the capital of France, was quiet that morning.", seed=1),
    needs=("parse",),
    refusals=OF_FACTS,
    may_change=may_name_place,
)
def geo_names_transformation(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Tell what GeoNames knows of one city or country: "Paris, the capital of France, was quiet".

    Of a city: the country or state it lies in, whose capital it is, how many people live there at least. Of a country:
    its continent, its capital, one of its neighbours. The place and the fact are drawn from `rng`. The fact stands in
    brackets where commas would not tell the apposition from a list: "Spain (a country in Europe) and Peru". A fact whose
    names the sentence holds already is not told.

    Deviations from NL-Augmenter, which tells exact populations and takes any word that is in its list: rounded numbers,
    well below today's, told as of now; no capital where there are several or it is disputed, no continent for states on two.
    `fidelity="original"` tells a fact of any place named, between commas, wherever it stands.
    """
    any_place = fidelity == "original"
    found = [one for one in mentions(parse) if any_place or not (one.place.ambiguous or refused(OF_FACTS, parse, one))]
    candidates = [(mention, facts) for mention in found if (facts := _facts(parse, mention))]
    if not candidates:
        return None
    mention, facts = rng.choice(candidates)
    end, fact = parse.end(mention.last), rng.choice(facts)
    if any_place or _takes_commas(parse, mention):
        closed = not parse.text.rstrip()[end : end + 1].isspace()
        comma = comma_in(parse.text)
        told = f"{comma} {fact}" + ("" if closed else comma)
    else:
        told = f" ({fact})"
    return apply_edits(parse.text, [Edit(end, end, told)])


def _takes_commas(parse: Parse, mention: Mention) -> bool:
    """Tell whether an apposition between commas reads well: in no list, at the end or before the verb or an adverbial."""
    after, head = mention.last + 1, head_of(parse, mention)
    if parse.has_label(head, "conj", "appos", "list") or parse.token(mention.first - 1) == ",":
        return False
    if after >= len(parse) or parse.tokens[after] in (".", "?", "!", ";"):
        return after >= len(parse) or parse.starts[after] == parse.end(mention.last)
    return parse.upos[after] in ("VERB", "AUX", "ADP", "ADV")


def _facts(parse: Parse, mention: Mention) -> list[str]:
    place = mention.place
    found = _facts_of_city(place) if isinstance(place, City) else _facts_of_country(place) if isinstance(place, Country) else []
    fitting = [phrase for phrase, names in found if not any(name in parse.text for name in names)]
    is_long_past = _OLD_YEAR.search(parse.text) is not None
    return [phrase for phrase in fitting if not (is_long_past and phrase.startswith("now "))]


def _facts_of_city(city: City) -> list[Fact]:
    """Return phrases and the names that each tells."""
    country = countries()[city.country]
    region = regions().get((city.country, city.region), "")
    state = f"the state of {region}" if region in STATES_AND_MORE else region  # "in Georgia" would be the country's
    facts: list[Fact] = [(f"a city in {state or country.phrase}", (region or country.name,))]
    if city.name == country.capital:
        facts.append((f"the capital of {country.phrase}", (country.name, "capital")))
    many = next((words for least, words in _MILLIONS if city.population >= least), None)
    return [*facts, (f"now a city of more than {many} people", ("million", "population"))] if many else facts


def _facts_of_country(country: Country) -> list[Fact]:
    facts: list[Fact] = [(f"a country in {country.continent}", (country.continent,))] if country.continent else []
    if country.capital and country.name not in country.capital:
        facts.append((f"whose capital is {country.capital}", (country.capital, "capital")))
    return facts + [(f"which borders {other.phrase}", (other.name,)) for other in map(countries().__getitem__, country.neighbours)]
