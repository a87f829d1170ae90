"""Cities exchanged for small ones, and facts of GeoNames told after the places of a sentence."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import replaced
from augcse.augmentations.english.name_words import is_name
from augcse.augmentations.english.names import given_names
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.lexical.place_names.places import (
    City,
    Country,
    Mention,
    countries,
    may_name_place,
    mentions,
    regions,
    small_cities,
)
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in
from augcse.augmentations.text.tables import word_sets
from augcse.lexicon.open import open_lexicon

_QUOTE = re.compile('["“”«»]')
# A quotation that no mark closes: a title or a term.
_QUOTED = re.compile(r'["“«][^"“”«»]*[^"“”«»,.!?\s]["”»]')
# Up to the end of a quotation that closes with a mark: no title.
_SPEECH = re.compile('[^"“”«»]*[,.!?]["”»]')
_STATES_AND_MORE = frozenset(("Georgia", "New York", "Victoria", "Washington"))
_WORDS = word_sets(Path(__file__).with_name("words.txt"))
_DEEDS = frozenset(("noun.act", "noun.cognition", "noun.communication", "noun.event", "noun.feeling", "noun.possession", "noun.state"))
# The year of an event, a route, or brackets.
_GOES_ON = re.compile(r" (?:1[89]|20)\d\d (?:[A-Z]|[a-z]{4})| ?[-–—/@] ?\w| ?[(\[]")
# Populations are told as round numbers well below GeoNames' own, so that they hold for any count of our time and any city limits.
_MILLIONS = ((15_000_000, "ten million"), (7_500_000, "five million"), (3_000_000, "two million"), (1_600_000, "a million"))


def _is_in_name(parse: Parse, mention: Mention) -> bool:
    """Tell whether the place is part of a longer name, an event or a route: "University of Oxford", "Nuremberg trials", "the Tacoma"."""
    first, after, end, head = mention.first, mention.last + 1, parse.end(mention.last), _head(parse, mention)
    term = f"{mention.place.name} {parse.lemmas[min(after, len(parse) - 1)]}"
    if _GOES_ON.match(parse.text, end) or not _place_after(parse, mention)[1] or open_lexicon().synsets(term, "n"):
        return True
    while parse.word(after) in (",", "and", "to", "-") or is_name(parse, after):  # "the Cannes, Melbourne and Sundance film festivals"
        after += 1
    called_after = not _WORDS["EVENT"].isdisjoint((parse.word(after - 1), parse.word(after), parse.word(after + 1)))
    # "Bank of the Seine", "University of California, San Diego"
    before = first - (3 if parse.word(first - 1) == "," else 2 if parse.word(first - 1) == "the" else 1)
    linked = before > 1 and parse.tokens[before].lower() in _WORDS["LINK"] and parse.tokens[before - 1][:1].isupper()
    called = first > 0 and parse.upos[first - 1] == "NOUN" and first - 1 in (head, parse.heads[first])
    thing = parse.word(first - 1) == "the" and not mention.place.article and parse.has_label(head, "nsubj", "obj", "obl", "conj")
    thing |= mention.place.name in _WORDS["ANTIQUITY"] or parse.word(first - 2) in _WORDS["CALLED"] - _WORDS["CITY"]
    return called_after or linked or called or thing or not _WORDS["AGE"].isdisjoint((parse.word(first - 2), parse.word(first - 1)))


def _place_after(parse: Parse, mention: Mention) -> tuple[str, bool]:
    """Return the name after a city and a comma that says where it lies, "" for none; False where that is elsewhere: "Paris, Texas"."""
    after, head, city = mention.last + 1, _head(parse, mention), mention.place
    if not isinstance(city, City) or parse.word(after) != "," or parse.upos[after + 1 : after + 2] != ("PROPN",):
        return "", True
    name, listed = parse.tokens[after + 1], parse.has_label(head, "conj") or parse.children(head, "conj")
    own = name in f"{countries()[city.country].name} {regions().get((city.country, city.region), '')}".split()
    return ("", True) if listed and not own and name not in _WORDS["NATION"] else (name, own)


def _is_team_or_person(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name is that of a team or a person: "Liverpool's title", "He beat Boston", "Bradford left his home"."""
    named = mention.place.name in given_names() and parse.upos[max(mention.first - 1, 0)] not in ("ADP", "CCONJ", "PUNCT")
    sport = not _WORDS["SPORT"].isdisjoint(token.lower() for token in parse.tokens)
    return named or (sport and parse.word(mention.first - 1) not in _WORDS["WHERE"])


def _acts(parse: Parse, mention: Mention) -> bool:
    """Tell whether a city does what its government, a firm or a team does: "Moscow said", "Riga's right", "talks with Jakarta"."""
    head, city = _head(parse, mention), mention.place
    if not isinstance(city, City) or parse.has_label(head, "compound"):
        return False
    above = parse.heads[head]
    owns = parse.has_label(head, "nmod:poss") and first_kind(parse.lemmas[above]) in _DEEDS
    ordered = any(parse.upos[index] == "VERB" for index in parse.children(above, "xcomp", "ccomp"))
    told = parse.has_label(head, "obj", "iobj", "nsubj:pass") and (ordered or parse.lemmas[above] in _WORDS["TELL"])
    return (
        owns
        or told
        or (parse.deps[head] == "nsubj" and parse.upos[above] == "VERB")
        or (city.name == countries()[city.country].capital and _is_beside(parse, mention))
    )


def _is_among_other_names(parse: Parse, mention: Mention) -> bool:
    """Tell whether a list holds the city beside a name that is no known place: "New York, Toronto and Essen"."""
    head = _head(parse, mention)
    first = parse.heads[head] if parse.has_label(head, "conj") else head
    listed = (index for index in (first, *parse.children(first, "conj")) if is_name(parse, index))
    names = [index for index in listed if parse.tags[index] not in ("NNS", "NNPS") and not parse.children(index, "det")]
    known = {_head(parse, other) for other in mentions(parse)}
    others = [index for index in names if parse.upos[index - 1] == "ADP" or parse.tokens[index] not in given_names()]
    return len(names) > 1 and not known.issuperset(others) and not _place_after(parse, mention)[0]


def _is_work(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name is that of a work, or stands in one: '"An American in Paris"', "April in Paris", "Shanghai is a film"."""
    start, end, head, before = parse.starts[mention.first], parse.end(mention.last), _head(parse, mention), mention.first - 2
    if any(quoted.start() < start and end <= quoted.end() for quoted in _QUOTED.finditer(parse.text)):
        return True
    if not isinstance(mention.place, City):
        return False
    if parse.has_label(head, "nsubj") and parse.upos[parse.heads[head]] == "NOUN":
        return first_kind(parse.lemmas[parse.heads[head]]) not in ("noun.location", "noun.object")
    titled = before > 0 and parse.upos[before + 1] == "ADP" and is_name(parse, before)
    return titled and parse.has_label(before, "obj", "appos") and parse.upos[before - 1] in ("NOUN", "VERB")


def _is_beside(parse: Parse, mention: Mention) -> bool:
    return not _WORDS["SIDE"].isdisjoint((parse.word(mention.first - 2), parse.word(mention.first - 1))) or "capital of" in parse.text


def _is_quoted(parse: Parse, mention: Mention) -> bool:
    head = parse.text[: parse.starts[mention.first]]
    titled = len(_QUOTE.findall(head)) % 2 == 1 and not _SPEECH.match(parse.text, parse.end(mention.last))
    return titled or head.count("(") > head.count(")") or head.count("[") > head.count("]")


def _is_modifier(parse: Parse, mention: Mention) -> bool:
    """Tell whether the place modifies a word or is described, or has an odd article: "the London office", "ancient Rome"."""
    head, after = _head(parse, mention), mention.last + 1
    odd = mention.place.article != (parse.word(mention.first - 1) == "the")
    described = bool(parse.children(head, "amod")) or parse.word(mention.first - 2) in _WORDS["CALLED"]
    modifies = parse.has_label(head, "compound", "flat", "amod", "nmod:poss") or parse.word(after).startswith(("'", "’", "("))
    return odd or described or modifies or parse.upos[after : after + 1] in (("NOUN",), ("ADJ",), ("NUM",), ("SYM",))


OF_CITIES = (
    Refusal("part of a name", "She studied at the University of Oxford.", _is_in_name),
    Refusal("team or person", "He scored as Liverpool retained their league title.", _is_team_or_person),
    Refusal("government, firm or team that acts", "Moscow accused the minister of fraud.", _acts),
    Refusal("title of a work", "Shanghai is a film.", _is_work),
)
OF_SUBSTITUTES = (*OF_CITIES, Refusal("among names that stay", "She lived in Copenhagen and Kolding.", _is_among_other_names))
OF_FACTS = (
    *OF_CITIES,
    Refusal("in brackets or quotation marks", "He sang (in Berlin) twice.", _is_quoted),
    Refusal("modifier", "The London office closed.", _is_modifier),
    Refusal("placed already", "She lives in Chicago, Illinois.", lambda parse, mention: bool(_place_after(parse, mention)[0])),
    Refusal("name of several places", "She left Georgia.", lambda parse, mention: mention.place.ambiguous),
)


@augmentation(
    "CityNamesTransformation",
    family="lexical",
    meaning="alteration",
    condition="a large or well-known city",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter city_names_transformation; Mishra et al. (2020); GeoNames",
    example=Example("She moved from Chicago to Lyon.", "She moved from Goodings Grove to Château-Gontier."),
    needs=("parse",),
    refusals=OF_SUBSTITUTES,
    may_change=may_name_place,
)
def city_names_transformation(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Replace every large or well-known city of the sentence by a random small one of the same country.

    In the United States, Canada and Australia the small city lies in the same state or province. One city keeps one
    substitute throughout the sentence, two never get the same. A sentence stays where one of its cities has to.

    Deviations from NL-Augmenter, which draws from the whole world and joins all tokens of every sentence by blanks: the
    same country, names in longer names stay, and all but the name (and "a" or "an" before it) stays as it is.
    `fidelity="original"` draws from the whole world, wherever the name stands.
    """
    found = [(mention, mention.place) for mention in mentions(parse) if isinstance(mention.place, City)]
    if fidelity == "grammatical":
        # "the Leipzig War Crimes Trials in Leipzig": the name inside a longer one is no mention.
        inside = any(parse.text.count(name) > count for name, count in Counter(place.name for _, place in found).items())
        if inside or any(refused(OF_SUBSTITUTES, parse, mention) for mention, _ in found):
            return None
    chosen: dict[str, str] = {}
    edits: list[Edit] = []
    for mention, place in found:
        near = small_cities(place if fidelity == "grammatical" else None)
        pool = [small for small in near if small not in parse.text and small not in chosen.values()]
        if pool:
            chosen.setdefault(place.name, rng.choice(pool))
            edits += replaced(parse, mention.first, mention.last, chosen[place.name])
    return apply_edits(parse.text, edits) if edits else None


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
    found = list(mentions(parse))
    if fidelity == "grammatical":
        found = [mention for mention in found if not refused(OF_FACTS, parse, mention)]
    candidates = [(mention, facts) for mention in found if (facts := _facts(parse, mention))]
    if not candidates:
        return None
    mention, facts = rng.choice(candidates)
    end, fact = parse.end(mention.last), rng.choice(facts)
    if fidelity == "original" or _takes_commas(parse, mention):
        closed = end == len(parse.text.rstrip()) or not parse.text[end : end + 1].isspace()
        comma = comma_in(parse.text)
        told = f"{comma} {fact}" + ("" if closed else comma)
    else:
        told = f" ({fact})"
    return apply_edits(parse.text, [Edit(end, end, told)])


def _takes_commas(parse: Parse, mention: Mention) -> bool:
    """Tell whether an apposition between commas reads well: in no list, at the end or before the verb or an adverbial."""
    after, head = mention.last + 1, _head(parse, mention)
    if parse.has_label(head, "conj", "appos", "list") or parse.children(head, "conj", "appos") or parse.tokens[mention.first - 1] == ",":
        return False
    if after >= len(parse) or parse.tokens[after] in (".", "?", "!", ";"):
        return after >= len(parse) or parse.starts[after] == parse.end(mention.last)
    return parse.upos[after] in ("VERB", "AUX", "ADP", "ADV") and parse.tags[after] != "VBN"


def _head(parse: Parse, mention: Mention) -> int:
    """Return the token of the name that hangs on a word outside it."""
    inside = range(mention.first, mention.last + 1)
    return next((index for index in inside if parse.heads[index] not in inside or parse.heads[index] == index), mention.last)


def _facts(parse: Parse, mention: Mention) -> list[str]:
    place = mention.place
    found = _facts_of_city(place) if isinstance(place, City) else _facts_of_country(place)
    return [phrase for phrase, names in found if not any(name in parse.text for name in names)]


Fact = tuple[str, tuple[str, ...]]


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
        facts.append((f"now a city of more than {many} people", ("million", "population")))
    return facts


def _facts_of_country(country: Country) -> list[Fact]:
    facts: list[Fact] = [(f"a country in {country.continent}", (country.continent,))] if country.continent else []
    if country.capital and country.name not in country.capital:
        facts.append((f"whose capital is {country.capital}", (country.capital, "capital")))
    for code in country.neighbours:
        facts.append((f"which borders {countries()[code].phrase}", (countries()[code].name,)))
    return facts
