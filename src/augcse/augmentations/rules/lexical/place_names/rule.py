"""Names of cities replaced by those of smaller ones, and facts from GeoNames added after the name of a place."""

from __future__ import annotations

import re
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import replacement_edits
from augcse.augmentations.english.marks import ends_clause
from augcse.augmentations.english.name_words import is_name
from augcse.augmentations.english.place_refusals import MODIFIER, OF_PLACES, is_joined, is_located, located_names
from augcse.augmentations.english.places import (
    STATES_AND_MORE,
    City,
    Country,
    Mention,
    cities,
    countries,
    may_name_place,
    mentions,
    phrases_around,
    regions,
)
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.lexical.place_names.substitutes import substitutes
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in, edited
from augcse.lexicon.open import open_lexicon

# The population from which a city has "more than" a round number: well above it, so that this is true for any census and city limits.
_MILLIONS = ((15_000_000, "ten million"), (7_500_000, "five million"), (3_000_000, "two million"), (1_600_000, "a million"))
_YEAR, _OLD_YEAR = re.compile(r"\b(1[0-9]|20)[0-9]{2}\b"), re.compile(r"\b1[0-8][0-9]{2}\b")
# A phrase, and the words that the sentence must not already contain.
Fact = tuple[str, tuple[str, ...]]


def _is_inside_phrase(parse: Parse, mention: Mention) -> bool:
    """Return whether a noun phrase with the place goes on after it, other than by a relative clause: "the rate in Haiti in 2013"."""
    inside = (child for phrase in phrases_around(parse, mention) for child in parse.children(phrase, "acl", "appos", "nmod"))
    return any(child > mention.last and parse.deps[child] != "acl:relcl" for child in inside)


def _is_near_other_places(parse: Parse, mention: Mention) -> bool:
    """Return whether a name that stays is joined with it or may be another place's: "Toronto and Essen", "left Orsay for Paris"."""
    changing = {index for other in mentions(parse) for index in range(other.first, other.last + 1)}
    if any(token.title() in cities() for index, token in enumerate(parse.tokens) if index not in changing):
        return True
    others = {*parse.conjuncts(parse.head_of(mention.first, mention.last)), *located_names(parse)} - changing
    return any(_may_be_place(parse, index) for index in others if is_name(parse, index))


def _is_other_city(parse: Parse, mention: Mention) -> bool:
    """Return whether the words after it say that another city of the name is meant than the known one: "Paris, Texas"."""
    place = mention.place
    if not (isinstance(place, City) and is_located(parse, mention)):
        return False
    country_and_region = f"{countries()[place.country].name} {regions().get((place.country, place.region), '')}"
    return parse.tokens[mention.last + 2] not in country_and_region.split()


def _may_be_place(parse: Parse, index: int) -> bool:
    """Return whether a name may be a place's: the lexicon lists nothing but persons of that name, and it is not surely a state's."""
    name = " ".join(parse.tokens[min((index, *parse.children(index, "compound", "amod"))) : index + 1])
    kinds = {sense.category for sense in open_lexicon().synsets(name, "n")}
    return kinds <= {"noun.person"} and name not in {*regions().values()} - STATES_AND_MORE


def _is_named_before(parse: Parse, mention: Mention) -> bool:
    return parse.text[parse.starts[mention.first] : parse.end(mention.last)] in parse.text[: parse.starts[mention.first]]


OF_SUBSTITUTES = (
    *OF_PLACES,
    Refusal("another city of the name", "They drove to Paris, Texas.", _is_other_city),
    Refusal("called a capital", "The capital of Poland is Warsaw.", lambda parse, mention: "capital" in parse.tokens),
    Refusal("among names that stay", "She lived in Copenhagen and Kolding.", _is_near_other_places),
)
OF_FACTS = (
    *OF_PLACES,
    MODIFIER,
    Refusal("named before", "Russia's army left Russia.", _is_named_before),
    Refusal("possessive", "London's office closed.", lambda parse, mention: parse.word(mention.last + 1).startswith(("'", "’"))),
    Refusal("one of several places", "She visited Spain and Peru.", lambda parse, mention: is_joined(parse, mention, "conj")),
    Refusal("phrase that goes on", "The rate in Haiti in 2013 was low.", _is_inside_phrase),
)


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

    The substitute is in the same state or province if the sentence names that. A city has the same substitute throughout the sentence,
    and two cities never get the same one. The whole sentence stays if one of its cities must stay: the statement would be false of
    another city ("The capital of Poland is Warsaw."), or the name is not only the city's ("Paris, Texas", "the song April in Paris").

    Deviations from NL-Augmenter, which inserts small towns of the whole world and joins all tokens of every sentence by spaces: a city
    of comparable size in the same country, so that statements about it stay plausible; names in longer names stay, and everything but the
    name (and "a" or "an" before it) stays as it is. `fidelity="original"` replaces the name wherever it occurs.
    """
    named = [(mention, mention.place) for mention in mentions(parse) if isinstance(mention.place, City)]
    if fidelity == "grammatical" and any(refused(OF_SUBSTITUTES, parse, mention) for mention, _ in named):
        return None
    chosen: dict[str, str] = {}
    edits: list[Edit] = []
    for mention, place in named:
        if place.name not in chosen:
            free = [other for other in substitutes(place, parse.text) if other not in chosen.values()]
            if not free:
                return None
            chosen[place.name] = rng.choice(free)
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
    """Add a fact that GeoNames has about one city or country: "Paris, the capital of France, was quiet".

    About a city: its country or state, what it is the capital of, how many people at least live there. About a country:
    its continent, its capital, one of its neighbours. The place and the fact are drawn from `rng`. The fact is in brackets where,
    between commas, it would look like a member of a list: "In Spain (a country in Europe), he slept". A fact whose names are already
    in the sentence is not added, nor any inside a longer phrase ("the rate in Haiti in 2013") or a list of places.

    Deviations from NL-Augmenter, which gives exact populations and takes any word that is in its list: rounded numbers,
    well below today's, with "now"; no capital if there are several or it is disputed, no continent for states on two.
    `fidelity="original"` adds a fact to any place named, between commas, wherever it occurs.
    """
    as_published = fidelity == "original"
    free = [mention for mention in mentions(parse) if as_published or not (mention.place.ambiguous or refused(OF_FACTS, parse, mention))]
    candidates = [(mention, facts) for mention in free if (facts := _facts(parse, mention, as_published))]
    if not candidates:
        return None
    mention, facts = rng.choice(candidates)
    end, fact = parse.end(mention.last), rng.choice(facts)
    if as_published or _takes_commas(parse, mention):
        comma = comma_in(parse.text)
        is_followed_by_word = parse.text.rstrip()[end : end + 1].isspace()
        apposition = f"{comma} {fact}{comma if is_followed_by_word else ''}"
    else:
        apposition = f" ({fact})"
    return apply_edits(parse.text, [Edit(end, end, apposition)])


def _takes_commas(parse: Parse, mention: Mention) -> bool:
    """Return whether an apposition between commas reads well: not in a list, and at the end or before the verb or an adverbial."""
    following, head = mention.last + 1, parse.head_of(mention.first, mention.last)
    if parse.has_label(head, "appos", "list") or parse.token(mention.first - 1) == ",":
        return False
    if ends_clause(parse, following):
        return following == len(parse) or parse.starts[following] == parse.end(mention.last)
    return parse.pos(following) in ("", "VERB", "AUX", "ADP", "ADV")


def _facts(parse: Parse, mention: Mention, as_published: bool) -> list[str]:
    """Return the facts that the sentence does not contain; none that a year in it makes doubtful, nor a second relative clause."""
    place = mention.place
    if isinstance(place, City):
        facts = _facts_of_city(place)
    elif isinstance(place, Country):
        facts = _facts_of_country(place)
    else:
        facts = []
    is_old = bool(_OLD_YEAR.search(parse.text))
    excluded: tuple[str, ...] = ("now ",) if is_old or (_YEAR.search(parse.text) and not as_published) else ()
    has_relative_clause = any(label.endswith(":relcl") for label in parse.deps)
    if not as_published and (has_relative_clause or is_old):
        excluded = (*excluded, "which ", "whose ")
    new = (phrase for phrase, names in facts if not any(name in parse.text for name in names))
    return [phrase for phrase in new if not phrase.startswith(excluded)]


def _facts_of_city(city: City) -> list[Fact]:
    country = countries()[city.country]
    region = regions().get((city.country, city.region), "")
    state = f"the state of {region}" if region in STATES_AND_MORE else region  # "in Georgia" would mean the country
    facts: list[Fact] = [(f"a city in {state or country.phrase}", (region or country.name,))]
    if city.name == country.capital:
        facts.append((f"the capital of {country.phrase}", (country.name, "capital")))
    population = next((words for least, words in _MILLIONS if city.population >= least), None)
    if population is not None:
        facts.append((f"now a city of more than {population} people", ("million", "population")))
    return facts


def _facts_of_country(country: Country) -> list[Fact]:
    facts: list[Fact] = [(f"a country in {country.continent}", (country.continent,))] if country.continent else []
    if country.capital and country.name not in country.capital:
        facts.append((f"whose capital is {country.capital}", (country.capital, "capital")))
    return facts + [(f"which borders {other.phrase}", (other.name,)) for other in map(countries().__getitem__, country.neighbours)]
