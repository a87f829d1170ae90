"""Cities exchanged for small ones, and facts of GeoNames told behind the places of a sentence."""

from __future__ import annotations

import re
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.article import indefinite_article
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.edit import Edit, apply_edits, match_case
from augcse.augmentations.places import City, Country, Mention, contradicted, countries, mentions, regions, small_cities

_QUOTES = re.compile('["“”«»]')
_STATES_AND_MORE = frozenset(("Georgia", "New York", "Victoria", "Washington"))
# What may stand behind an apposition that is closed by a comma of its own.
_CLAUSE_GOES_ON = frozenset("VERB AUX ADP SCONJ PRON ADV PART CCONJ".split())
# Behind the comma, these may open a list, an apposition or a division: "Paris, France", "Paris, the city".
_MAY_BE_LISTED = frozenset("PROPN NUM NOUN ADJ X".split())
_OPENS_NOUN = frozenset("a an the and or".split())
_BELONGS_BEFORE = frozenset("'s ’s and or nor based born bound proper itself alone vs versus".split())
# Populations are told as round numbers well below GeoNames' own, so that they hold for any year's count and any city limits.
_MILLIONS = ((15_000_000, "ten million"), (7_500_000, "five million"), (3_000_000, "two million"), (1_600_000, "a million"))


@augmentation(
    "CityNamesTransformation",
    family="place",
    meaning="alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter city_names_transformation; Mishra et al. (2020); GeoNames",
    example=Example("She moved from Chicago to Lyon.", "She moved from Hickory Hills to Blain."),
    needs=("parse",),
)
def city_names_transformation(parse: Parse, rng: Random) -> str | None:
    """Replace every large or well-known city of the sentence by a random small one of the same country.

    In the United States, Canada and Australia the small city lies in the same state or province. One city keeps one
    substitute throughout the sentence; names that are part of longer names ("Jack London", "Boston Globe"), that mean
    other things too ("Phoenix", "Austin"), or that the sentence places elsewhere ("Paris, Texas") stay.

    Deviations from NL-Augmenter, which draws from the whole world and joins all tokens of every sentence by blanks: the
    same country, and all but the name (and "a" or "an" before it) stays as it is.
    """
    chosen: dict[str, str] = {}
    edits: list[Edit] = []
    for mention in mentions(parse):
        if not isinstance(mention.place, City) or contradicted(parse, mention):
            continue
        name = mention.place.name
        pool = [] if name in chosen else [small for small in small_cities(mention.place) if small not in parse.text]
        if pool:
            chosen[name] = rng.choice(pool)
        if name in chosen:
            edits += _renamed(parse, mention, chosen[name])
    return apply_edits(parse.text, edits) if edits else None


def _renamed(parse: Parse, mention: Mention, name: str) -> list[Edit]:
    edits = [Edit(parse.starts[mention.first], parse.end(mention.last), name)]
    before = mention.first - 1
    article = parse.tokens[before] if before >= 0 else ""
    if article.lower() in ("a", "an") and (fitting := indefinite_article(name)) != article.lower():
        edits.append(Edit(parse.starts[before], parse.end(before), match_case(article, fitting)))
    return edits


@augmentation(
    "GeoNamesTransformation",
    family="place",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter geo_names_transformation; Păiș (2019); GeoNames",
    example=Example("Paris was quiet that morning.", "Paris, the capital of France, was quiet that morning.", seed=1),
    needs=("parse",),
)
def geo_names_transformation(parse: Parse, rng: Random) -> str | None:
    """Tell, in an apposition, what GeoNames knows of one city or country: "Paris, the capital of France, was quiet".

    Of a city: the country or state it lies in, whose capital it is, how many people live there at least. Of a country:
    its continent, its capital, one of its neighbours. The place and the fact are drawn from `rng`.

    A place is passed over where an apposition would read badly or be untrue: a possessive, a modifier ("the London
    office"), a member of a list, the name of an institution or event ("University of Bristol"), a title in quotation
    marks, what is described or placed already ("northern Italy", "Lyon, France"), a name that means other things too
    (Georgia, Phoenix). A fact whose names the sentence holds already is not told.

    Deviations from NL-Augmenter, which tells exact populations and takes any word that is in its list: rounded numbers
    that hold for any year, no capital where there are several or it is disputed, no continent for states on two.
    """
    places = [mention for mention in mentions(parse) if _takes_apposition(parse, mention)]
    candidates = [(mention, facts) for mention in places if (facts := _facts(parse, mention))]
    if not candidates:
        return None
    mention, facts = rng.choice(candidates)
    end = parse.end(mention.last)
    closed = mention.last + 1 == len(parse) or not parse.text[end : end + 1].isspace()
    return apply_edits(parse.text, [Edit(end, end, f", {rng.choice(facts)}" + ("" if closed else ","))])


Fact = tuple[str, tuple[str, ...]]


def _facts(parse: Parse, mention: Mention) -> list[str]:
    place = mention.place
    found = _facts_of_city(place) if isinstance(place, City) else _facts_of_country(place)
    return [phrase for phrase, names in found if not any(name in parse.text for name in names)]


def _facts_of_city(city: City) -> list[Fact]:
    """Return phrases and the names that each tells."""
    country = countries()[city.country]
    facts: list[Fact] = [(f"a city in {country.phrase}", (country.name,))]
    if region := regions().get((city.country, city.region)):
        state = f"the state of {region}" if region in _STATES_AND_MORE else region
        facts = [(f"a city in {state}", (region,))]
    if city.name == country.capital:
        facts.append((f"the capital of {country.phrase}", (country.name, "capital")))
    many = next((words for least, words in _MILLIONS if city.population >= least), None)
    if many:
        facts.append((f"a city of more than {many} people", ("million", "population")))
    return facts


def _facts_of_country(country: Country) -> list[Fact]:
    facts: list[Fact] = [(f"a country in {country.continent}", (country.continent,))] if country.continent else []
    if country.capital and country.name not in country.capital:
        facts.append((f"whose capital is {country.capital}", (country.capital, "capital")))
    for code in country.neighbours:
        facts.append((f"which borders {countries()[code].phrase}", (countries()[code].name,)))
    return facts


def _takes_apposition(parse: Parse, mention: Mention) -> bool:
    if isinstance(mention.place, Country) and (mention.place.ambiguous or _lacks_article(parse, mention, mention.place)):
        return False
    return (
        not _is_described(parse, mention)
        and not _belongs_to_name(parse, mention)
        and not _in_brackets_or_quotes(parse, mention)
        and _may_follow(parse, mention)
    )


def _lacks_article(parse: Parse, mention: Mention, country: Country) -> bool:
    """Tell whether "the" is missing before the country, as in "United States television" and in headlines."""
    return country.article and parse.tokens[mention.first - 1 : mention.first] not in (("the",), ("The",))


def _head(parse: Parse, mention: Mention) -> int:
    """Return the token of the name that hangs on a word outside it."""
    inside = range(mention.first, mention.last + 1)
    return next((index for index in inside if parse.heads[index] not in inside or parse.heads[index] == index), mention.last)


def _is_described(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name modifies a word, is modified by one, or stands in a list or an apposition."""
    head = _head(parse, mention)
    if parse.has_label(head, "compound", "flat", "amod", "conj", "appos", "nmod:poss", "list", "parataxis", "vocative", "dep", "ROOT"):
        return True
    inside = range(mention.first, mention.last + 1)
    for child in parse.children(head):
        article = parse.tokens[child].lower() == "the" and isinstance(mention.place, Country) and mention.place.article
        if child in inside or parse.has_label(child, "case", "punct", "cc") or article:
            continue
        if parse.deps[child] not in ("nsubj", "cop", "mark", "aux", "advmod"):
            return True
    return False


def _belongs_to_name(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name closes a longer one: "Bank of Spain", "Church in Wales", "the 2010 Vancouver"."""
    before = mention.first - 1
    if before >= 0 and parse.tokens[before].lower() == "the":
        before -= 1
    if before < 1:
        return False
    word, head = parse.tokens[before], parse.upos[before - 1]
    if word[:1].isupper() or parse.upos[before] in ("ADJ", "NOUN", "PROPN", "NUM") or word in ("&", "/", "-", "–", "—"):
        return True
    if word == ",":
        return head == "PROPN" or (before > 1 and parse.tokens[before - 1][:1].isupper())
    return word in ("of", "for", "de") and parse.tokens[before - 1][:1].isupper() and before > 1


def _in_brackets_or_quotes(parse: Parse, mention: Mention) -> bool:
    start = parse.starts[mention.first]
    head = parse.text[:start]
    opened = head.count("(") > head.count(")") or head.count("[") > head.count("]")
    return opened or len(_QUOTES.findall(head)) % 2 == 1 or "'" in head.replace("'s", "").replace("s'", "")[-40:]


def _may_follow(parse: Parse, mention: Mention) -> bool:
    """Tell whether an apposition fits before what comes next."""
    after = mention.last + 1
    if after >= len(parse):
        return False
    word = parse.tokens[after]
    touching = parse.starts[after] == parse.end(mention.last)
    if touching and word == ",":
        return _is_clause_comma(parse, after)
    if touching:
        return word in (".", "?", "!", ";")
    return parse.upos[after] in _CLAUSE_GOES_ON and word.lower() not in _BELONGS_BEFORE


def _is_clause_comma(parse: Parse, comma: int) -> bool:
    """Tell whether the comma closes a phrase, and opens no division, list or second apposition."""
    behind = comma + 1
    if behind >= len(parse):
        return False
    return parse.upos[behind] not in _MAY_BE_LISTED and parse.tokens[behind].lower() not in _OPENS_NOUN
