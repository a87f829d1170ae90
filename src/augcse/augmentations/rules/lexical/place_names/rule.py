"""Cities exchanged for small ones, and facts of GeoNames told after the places of a sentence."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import indefinite_article
from augcse.augmentations.english.names import given_names
from augcse.augmentations.english.tree import Tree
from augcse.augmentations.rules.lexical.place_names.places import (
    City,
    Country,
    Mention,
    cities,
    contradicted,
    countries,
    division_words,
    mentions,
    other_cities,
    regions,
    small_cities,
)
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.lexicon.open import open_lexicon

_QUOTES = re.compile('["“”«»]')
_STATES_AND_MORE = frozenset(("Georgia", "New York", "Victoria", "Washington"))
# Before and after a city that is part of a name: "Bishop of Oxford", "his club Sheffield", "the Nuremberg trials".
_LINKS = frozenset("de di du of upon".split())
_CLUBS = frozenset("club opponent opponents rival rivals side team".split())
_EVENTS = frozenset(
    """accord accords agreement agreements attacks bombing bombings climate conference convention declaration marathon massacre
    olympics protocol school summit treaty trial trials tribunal tribunals""".split()
)
_YEAR_OF_EVENT = re.compile(r" (?:1[89]|20)\d\d (?:[A-Z]|[a-z]{4})")
_ROUTE = re.compile(r" ?[-–—/] ?[A-Z]")
# After one of these, as after a preposition, a capitalised name may be that of a place.
_PLACED = frozenset((",", "and", "or", "&", "("))
# What may stand after an apposition that is closed by a comma of its own.
_CLAUSE_GOES_ON = frozenset("VERB AUX ADP SCONJ PRON ADV PART CCONJ".split())
# After the comma, these may open a list, an apposition or a division: "Paris, France", "Paris, the city".
_MAY_BE_LISTED = frozenset("PROPN NUM NOUN ADJ X".split())
_OPENS_NOUN = frozenset("a an the and or also formerly later now once then".split())
_BELONGS_BEFORE = frozenset("'s ’s and or nor based born bound proper itself alone vs versus".split())
_SPORT = re.compile(
    r"\b(?:academy|beat|beating|championship|coach|cup|defeat|defeated|defeating|final|game|goal|inning|kit|la liga|league|manager|match|"
    r"medal|midfielder|mlb|nba|nfl|nhl|olympic|pitcher|player|playoff|possession|quarterback|recruit|rugby|score|scored|scoreless|season|"
    r"semi-?final|squad|striker|team|title|touchdown|tournament|transfer|uefa|win|won)s?\b",
    re.IGNORECASE,
)
_PERSONAL = frozenset("he her him his she".split())
_SIDES = frozenset("against by for joined joining over signed with beat beating defeated defeating".split())
# "the city of Houston, a city in Texas" says it twice.
_CALLED = frozenset("capital city city-state country kingdom metropolis municipality nation port republic state town".split())
# They describe the place, or a noun before it from which an apposition would cut them.
_RELATIVE = frozenset("that which who whom whose where when".split())
# Populations are told as round numbers well below GeoNames' own, so that they hold for any count of our time and any city limits.
_PAST = re.compile(r"\b(?:[1-9]\d\d|1[0-8]\d\d|19[0-4]\d)s?\b|\bcentur|\bBCE?\b|\bAD\b|\b(?:ancient|former|medieval)", re.IGNORECASE)
_MILLIONS = ((15_000_000, "ten million"), (7_500_000, "five million"), (3_000_000, "two million"), (1_600_000, "a million"))


@augmentation(
    "CityNamesTransformation",
    family="lexical",
    meaning="alteration",
    condition="a large or well-known city",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter city_names_transformation; Mishra et al. (2020); GeoNames",
    example=Example("She moved from Chicago to Lyon.", "She moved from Goodings Grove to Château-Gontier."),
    needs=("parse",),
)
def city_names_transformation(parse: Parse, rng: Random) -> str | None:
    """Replace every large or well-known city of the sentence by a random small one of the same country.

    In the United States, Canada and Australia the small city lies in the same state or province. One city keeps one
    substitute throughout the sentence, and two never get the same; names that are part of longer names ("Jack London",
    "University of Oxford", "Bishop of Paris", "the Beijing 2008 Games") or that the sentence places elsewhere ("Paris,
    Texas") stay, then in the whole sentence. A sentence that names another large city, or lists the city with names
    that are no cities of the table (clubs, islands), stays: half of a list replaced would be torn.

    Deviations from NL-Augmenter, which draws from the whole world and joins all tokens of every sentence by blanks: the
    same country, and all but the name (and "a" or "an" before it) stays as it is.
    """
    found = [(mention, mention.place) for mention in mentions(parse) if isinstance(mention.place, City)]
    kept = {place.name for mention, place in found if contradicted(parse, mention) or _names_more(parse, mention)}
    # "the Leipzig War Crimes Trials in Leipzig": the name inside a longer one is no mention.
    kept |= {name for name, count in Counter(place.name for _, place in found).items() if parse.text.count(name) > count}
    moved = [(mention, place) for mention, place in found if place.name not in kept]
    if (
        not moved
        or any(_is_team(parse, mention) or _is_person(parse, mention) for mention, _ in moved)
        or any(_modifies_noun(parse, mention) for mention, _ in moved)
        or _leaves_cities(parse, found)
        or _is_listed_with_others(parse, [mention for mention, _ in moved])
    ):
        return None
    chosen: dict[str, str] = {}
    edits: list[Edit] = []
    for mention, place in moved:
        if place.name not in chosen:
            pool = [small for small in small_cities(place) if small not in parse.text and small not in chosen.values()]
            if not pool:
                return None
            chosen[place.name] = rng.choice(pool)
        edits += _renamed(parse, mention, chosen[place.name])
    return apply_edits(parse.text, edits) if edits else None


def _names_more(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name is part of a longer one, of an event or a club, or of a quoted title."""
    before, after = mention.first - 1, mention.last + 1
    if after < len(parse) and (_makes_term(parse, mention) or _YEAR_OF_EVENT.match(parse.text, parse.end(mention.last))):
        return True
    if before >= 0 and parse.tokens[before].lower() in _CLUBS:
        return True
    # The route "Dublin-Galway".
    if _ROUTE.match(parse.text, parse.end(mention.last)):
        return True
    if len(_QUOTES.findall(parse.text[: parse.starts[mention.first]])) % 2 == 1:
        return True
    if before < 1 or parse.tokens[before].lower() not in _LINKS:
        return False
    # "University of Oxford", but not "Outside of Oxford" at the start.
    head = parse.tokens[before - 1]
    return head[:1].isupper() and (before > 1 or parse.upos[before - 1] in ("NOUN", "PROPN"))


def _modifies_noun(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name may be that of a thing, a team or a school: "Wellington bomber", "Miami (FL)"."""
    after = mention.last + 1
    if after >= len(parse):
        return False
    if parse.tokens[after].startswith(("(", "[")):
        return True
    compound = parse.has_label(_head(parse, mention), "compound", "nmod", "amod")
    return compound and parse.upos[after] == "NOUN" and parse.tokens[after].islower()


def _makes_term(parse: Parse, mention: Mention) -> bool:
    """Tell whether the next word makes an event or an expression of the name: "Nuremberg trials", "Portland cement"."""
    after = mention.last + 1
    if not parse.tokens[after].islower():
        return False
    return parse.tokens[after] in _EVENTS or bool(open_lexicon().synsets(f"{mention.place.name} {parse.lemmas[after]}".lower(), "n"))


def _leaves_cities(parse: Parse, found: list[tuple[Mention, City]]) -> bool:
    """Tell whether a large city is named that is not replaced: "in Washington", "and New York"."""
    seen = {index for mention, _ in found for index in range(mention.first, mention.last + 1)}
    for index in range(1, len(parse)):
        before = parse.tokens[index - 1].lower()
        if index in seen or not parse.tokens[index][:1].isupper() or not (before in _PLACED or parse.upos[index - 1] == "ADP"):
            continue
        names = (" ".join(parse.tokens[index : index + length]) for length in (1, 2, 3))
        if any(name in other_cities() or (name in cities() and name == parse.tokens[index]) for name in names):
            return True
    return False


def _is_listed_with_others(parse: Parse, moved: list[Mention]) -> bool:
    """Tell whether a name is coordinated with a capitalised one that is neither a city nor a country of the tables."""
    tree, replaced = Tree(parse), set(moved)
    known = {
        index
        for mention in mentions(parse)
        if mention in replaced or isinstance(mention.place, Country)
        for index in range(mention.first, mention.last + 1)
    }
    for mention in moved:
        head = _head(parse, mention)
        top = parse.heads[head] if parse.has_label(head, "conj") else head
        listed = {top, *tree.children(top, "conj"), *tree.children(head, "conj")} - known
        names = [parse.tokens[index] for index in listed if parse.upos[index] == "PROPN"]
        # "Chicago, Illinois" may be parsed as a list.
        if any(name[:1].isupper() and name not in division_words() for name in names):
            return True
    return False


def _renamed(parse: Parse, mention: Mention, name: str) -> list[Edit]:
    edits = [Edit(parse.starts[mention.first], parse.end(mention.last), name)]
    before = mention.first - 1
    article = parse.tokens[before] if before >= 0 else ""
    if article.lower() in ("a", "an") and (fitting := indefinite_article(name)) != article.lower():
        edits.append(Edit(parse.starts[before], parse.end(before), match_case(article, fitting)))
    return edits


@augmentation(
    "GeoNamesTransformation",
    family="lexical",
    meaning="highly_preserving",
    condition="a city or country that GeoNames knows",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter geo_names_transformation; Păiș (2019); GeoNames",
    example=Example("Paris was quiet that morning.", "Paris, the capital of France, was quiet that morning.", seed=1),
    needs=("parse",),
)
def geo_names_transformation(parse: Parse, rng: Random) -> str | None:
    """Tell, in an apposition, what GeoNames knows of one city or country: "Paris, the capital of France, was quiet".

    Of a city: the country or state it lies in, whose capital it is, how many people live there at least. Of a country:
    its continent, its capital, one of its neighbours. The place and the fact are drawn from `rng`.

    A place is passed over where an apposition would read badly or be untrue: a possessive, a modifier ("the London
    office"), a member of a list, the name of an institution, event or work ("University of Bristol", "Wetlands in
    Peru"), a title in quotation marks, what is described or placed already ("northern Italy", "Lyon, France", "the
    river in India that"), a name that means other things too (Georgia, Phoenix). A fact whose names the sentence holds
    already is not told.

    Deviations from NL-Augmenter, which tells exact populations and takes any word that is in its list: rounded numbers,
    well below today's, and only in sentences of the present (no verb in the past tense, no year before 1950); no
    capital where there are several or it is disputed, no continent for states on two.
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
    found = _facts_of_city(place, _is_of_today(parse)) if isinstance(place, City) else _facts_of_country(place)
    return [phrase for phrase, names in found if not any(name in parse.text for name in names)]


def _is_of_today(parse: Parse) -> bool:
    """Tell whether the sentence tells nothing of the past, in which the city may have been small."""
    past = any(tag == "VBD" or (tag == "VBN" and upos == "VERB") for tag, upos in zip(parse.tags, parse.upos, strict=True))
    return not past and _PAST.search(parse.text) is None


def _facts_of_city(city: City, today: bool) -> list[Fact]:
    """Return phrases and the names that each tells; how many people live there only of today."""
    country = countries()[city.country]
    facts: list[Fact] = [(f"a city in {country.phrase}", (country.name,))]
    if region := regions().get((city.country, city.region)):
        state = f"the state of {region}" if region in _STATES_AND_MORE else region
        facts = [(f"a city in {state}", (region,))]
    if city.name == country.capital:
        facts.append((f"the capital of {country.phrase}", (country.name, "capital")))
    many = next((words for least, words in _MILLIONS if city.population >= least), None)
    if many and today:
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
        and not _is_team(parse, mention)
        and not _is_person(parse, mention)
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
    # "Wetlands in Australia", "Games in London".
    if parse.upos[before] == "ADP" and parse.tokens[before - 1][:1].isupper() and head in ("ADJ", "NOUN", "PROPN") and word != "to":
        return True
    if word[:1].isupper() or parse.upos[before] in ("ADJ", "NOUN", "PROPN", "NUM") or word in ("&", "/", "-", "–", "—"):
        return True
    # "Tomsk, and Omsk": a list that the parser may have missed.
    if parse.upos[before] == "CCONJ" and parse.tokens[before - 1] == ",":
        return True
    if word == "of" and parse.tokens[before - 1].lower() in _CALLED:
        return True
    if word == ",":
        return head == "PROPN" or (before > 1 and parse.tokens[before - 1][:1].isupper())
    return word in ("of", "for", "de") and parse.tokens[before - 1][:1].isupper() and before > 1


def _is_team(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name may stand for a team: among words of sport, "as Liverpool retained their title"."""
    before = parse.tokens[mention.first - 1].lower() if mention.first else ""
    traded = before == "to" and parse.tokens[max(0, mention.first - 2)].lower() in ("traded", "transferred")
    acts = traded or before in _SIDES or parse.has_label(_head(parse, mention), "nsubj", "obj", "nmod:poss")
    return acts and _SPORT.search(parse.text) is not None


def _is_person(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name may be a person's: "Adelaide had long known", "Aberdeen followed his leader"."""
    before = parse.upos[mention.first - 1] if mention.first else ""
    if mention.place.name in given_names() and before not in ("ADP", "CCONJ", "PUNCT"):
        return True
    acts = mention.first == 0 or parse.has_label(_head(parse, mention), "nsubj")
    return acts and not _PERSONAL.isdisjoint(parse.tokens[mention.last + 1 :])


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
    return parse.upos[after] in _CLAUSE_GOES_ON and word.lower() not in _BELONGS_BEFORE | _RELATIVE


def _is_clause_comma(parse: Parse, comma: int) -> bool:
    """Tell whether the comma closes a phrase, and opens no division, list or second apposition."""
    behind = comma + 1
    if behind >= len(parse):
        return False
    return parse.upos[behind] not in _MAY_BE_LISTED and parse.tokens[behind].lower() not in _OPENS_NOUN
