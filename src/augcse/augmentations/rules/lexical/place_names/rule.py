"""Cities exchanged for smaller ones, and facts of GeoNames told after the places of a sentence."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import replacement_edits
from augcse.augmentations.english.name_words import is_name
from augcse.augmentations.english.names import given_names
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.lexical.place_names.places import (
    City,
    Country,
    Mention,
    cities,
    countries,
    may_name_place,
    mentions,
    regions,
    substitutes,
)
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in
from augcse.augmentations.text.tables import word_sets
from augcse.lexicon.open import open_lexicon

_QUOTE = re.compile('["“”«»]')
# A quotation that no mark closes: a title or a term.
_QUOTED = re.compile(r"""(?<!\w)["“«'‘`][^"“”«»'’]*[^"“”«»'’,.!?\s]["”»'’](?!\w)""")
# Up to the end of a quotation that closes with a mark: no title.
_SPEECH = re.compile('[^"“”«»]*[,.!?]["”»]')
_STATES_AND_MORE = frozenset(("Georgia", "New York", "Victoria", "Washington"))
_WORDS = word_sets(Path(__file__).with_name("words.txt"))
# What a city gives its name to rather than its place, and what its government does.
_BODIES = frozenset(("noun.cognition", "noun.communication", "noun.group", "noun.object", "noun.possession", "noun.state"))
_DEEDS = _BODIES | {"noun.act", "noun.event", "noun.feeling", "verb.communication", "verb.possession", "verb.social"}
# The year of an event, a route, brackets, the publisher of a book, or what the city has: "Tokyo's Nikkei average".
_GOES_ON = re.compile(r" (?:1[89]|20)\d\d (?:[A-Z]|[a-z]{4})|(?!-(?:based|born|area)) ?[-–—/@] ?\w| ?[(\[]|: ?[A-Z]|['’]s? [A-Z]")
# Populations are told as round numbers well below GeoNames' own, so that they hold for any count of our time and any city limits.
_MILLIONS = ((15_000_000, "ten million"), (7_500_000, "five million"), (3_000_000, "two million"), (1_600_000, "a million"))
Fact = tuple[str, tuple[str, ...]]


def _is_in_name(parse: Parse, mention: Mention) -> bool:
    """Tell whether the place is part of a longer name, an event or a route: "University of Oxford", "Nuremberg trials", "the Tacoma"."""
    first, after, end, head = mention.first, mention.last + 1, parse.end(mention.last), _head(parse, mention)
    term = f"{mention.place.name} {parse.lemmas[min(after, len(parse) - 1)]}"
    if _GOES_ON.match(parse.text, end) or not _place_after(parse, mention)[1] or open_lexicon().synsets(term, "n"):
        return True
    while parse.word(after) in (",", "and", "to", "-") or is_name(parse, after):  # "the Cannes, Melbourne and Sundance film festivals"
        after += 1
    called_after = not _WORDS["EVENT"].isdisjoint((parse.word(after - 1), parse.word(after), parse.word(after + 1)))
    called_after |= parse.has_label(head, "compound") and first_kind(parse.lemmas[parse.heads[head]]) in _BODIES
    # "Bank of the Seine", "University of California, San Diego"
    before = first - (3 if parse.word(first - 1) == "," else 2 if parse.word(first - 1) == "the" else 1)
    linked = before > 1 and parse.word(before) in _WORDS["LINK"] and parse.tokens[before - 1][:1].isupper()
    called = first > 0 and parse.upos[first - 1] == "NOUN" and (parse.heads[first] == first - 1 or parse.heads[first - 1] == head)
    thing = parse.word(first - 1) == "the" and not mention.place.article and parse.has_label(head, "nsubj", "obj", "obl", "conj")
    thing |= mention.place.name in _WORDS["ANTIQUITY"] or parse.word(first - 2) in _WORDS["CALLED"] - _WORDS["CITY"]
    return called_after or linked or called or thing or not _WORDS["AGE"].isdisjoint((parse.word(first - 2), parse.word(first - 1)))


def _place_after(parse: Parse, mention: Mention) -> tuple[str, bool]:
    """Return the name after a city and a comma that says where it lies, "" for none; False where that is elsewhere: "Paris, Texas"."""
    after, head, city = mention.last + 1, _head(parse, mention), mention.place
    if not isinstance(city, City) or parse.word(after) != "," or parse.pos(after + 1) != "PROPN":
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
    acts = parse.has_label(head, "nsubj") and parse.upos[above] == "VERB"
    return owns or told or acts or (city.name == countries()[city.country].capital and _deals(parse, mention))


def _deals(parse: Parse, mention: Mention) -> bool:
    """Tell whether a capital gives or gets what only a government does: "talks with Jakarta", "statements from Delhi", "sold to Moscow"."""
    head, before = _head(parse, mention), {parse.word(mention.first - 2), parse.word(mention.first - 1)}
    above = [parse.heads[head], *(parse.heads[verb] for verb in parse.heads[head : head + 1] if parse.has_label(verb, "acl"))]
    senses = (open_lexicon().synsets(parse.lemmas[index], "v" if parse.upos[index] == "VERB" else "n")[:1] for index in above)
    deals = not before.isdisjoint(_WORDS["DEALING"]) and any(sense.category in _DEEDS for first in senses for sense in first)
    return deals or not before.isdisjoint(_WORDS["SIDE"]) or "capital of" in parse.text


def _is_near_other_places(parse: Parse, mention: Mention) -> bool:
    """Tell whether a list, or another place of the sentence, names what stays: "New York, Toronto and Essen", "he left Orsay for Paris"."""
    known = {index for other in mentions(parse) for index in range(other.first, other.last + 1)}
    head = _head(parse, mention)
    first = parse.heads[head] if parse.has_label(head, "conj") else head
    listed = [index for index in (first, *parse.children(first, "conj")) if not parse.children(index, "det")]
    placed = [index for index in range(len(parse)) if not _WORDS["PLACED"].isdisjoint(map(parse.word, parse.children(index, "case")))]
    known.update(range(mention.last + 1, mention.last + 3) if _place_after(parse, mention)[0] else ())
    others = [index for index in (*listed, *placed) if index not in known and is_name(parse, index)]
    in_names = any(token.title() in cities() for index, token in enumerate(parse.tokens) if index not in known)  # "the Zurich Bourse"
    others = [index for index in others if parse.upos[index - 1] == "ADP" or parse.tokens[index] not in given_names()]
    names = (" ".join(parse.tokens[min((index, *parse.children(index, "compound", "amod"))) : index + 1]) for index in others)
    return in_names or not set(listed).isdisjoint(others) or any(map(_may_be_place, names))


@lru_cache(maxsize=10_000)
def _may_be_place(name: str) -> bool:
    """Tell whether a name may be that of a place other than a state: neither a month nor an institution."""
    kinds = {sense.category for sense in open_lexicon().synsets(name, "n")}
    return kinds <= {"noun.person"} and name not in {*regions().values()} - _STATES_AND_MORE


def _is_work(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name is that of a work, or stands in one: "April in Paris", "Shanghai is a film"."""
    head, before = _head(parse, mention), mention.first - 2
    if not isinstance(mention.place, City):
        return False
    if parse.has_label(head, "nsubj") and parse.upos[parse.heads[head]] == "NOUN":
        return first_kind(parse.lemmas[parse.heads[head]]) not in ("noun.location", "noun.object")
    if before < 0 or parse.upos[before + 1] != "ADP" or not parse.tokens[before].istitle() or parse.children(before, "det", "nmod:poss"):
        return False
    called = parse.has_label(before, "obj", "appos") and parse.upos[before - 1] in ("NOUN", "VERB")
    institution = first_kind(parse.word(before)) in ("noun.artifact", "noun.group", "noun.location")
    return called or (parse.heads[head] == before and is_name(parse, before) and not institution)


def _is_quoted(parse: Parse, mention: Mention) -> bool:
    """Tell whether a place stands in brackets, in a title, or in a quotation that is no speech."""
    head, start = parse.text[: parse.starts[mention.first]], parse.starts[mention.first]
    titled = any(quoted.start() < start < quoted.end() for quoted in _QUOTED.finditer(parse.text))
    titled |= len(_QUOTE.findall(head)) % 2 == 1 and not _SPEECH.match(parse.text, parse.end(mention.last))
    return titled or head.count("(") > head.count(")") or head.count("[") > head.count("]") or _is_work(parse, mention)


def _is_modifier(parse: Parse, mention: Mention) -> bool:
    """Tell whether the place modifies a word, is described or located, or has an odd article: "the London office", "Paris, France"."""
    head, after = _head(parse, mention), mention.last + 1
    odd = mention.place.article != (parse.word(mention.first - 1) == "the")
    described = bool(parse.children(head, "amod") or _place_after(parse, mention)[0]) or parse.word(mention.first - 2) in _WORDS["CALLED"]
    modifies = parse.has_label(head, "compound", "flat", "amod", "nmod:poss") or parse.word(after).startswith(("'", "’", "(", "-"))
    return odd or described or modifies or parse.pos(after) in ("NOUN", "ADJ", "NUM", "SYM")


OF_CITIES = (
    Refusal("part of a name", "She studied at the University of Oxford.", _is_in_name),
    Refusal("team or person", "He scored as Liverpool retained their league title.", _is_team_or_person),
    Refusal("government, firm or team that acts", "Moscow accused the minister of fraud.", _acts),
    Refusal("in a title, in brackets or in quotation marks", "He sang (in Berlin) twice.", _is_quoted),
)
OF_SUBSTITUTES = (*OF_CITIES, Refusal("among names that stay", "She lived in Copenhagen and Kolding.", _is_near_other_places))
OF_FACTS = (*OF_CITIES, Refusal("modifier", "The London office closed.", _is_modifier))


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
    sentence, two never get the same. A sentence stays where one of its cities has to.

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
        pool = [other for other in substitutes(place, parse.text) if other not in chosen.values()]
        if place.name not in chosen and not pool:
            return None
        new = chosen.get(place.name) or chosen.setdefault(place.name, rng.choice(pool))
        edits += replacement_edits(parse, mention.first, mention.last, new)
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
    any_place = fidelity == "original"
    found = [one for one in mentions(parse) if any_place or not (one.place.ambiguous or refused(OF_FACTS, parse, one))]
    candidates = [(mention, facts) for mention in found if (facts := _facts(parse, mention))]
    if not candidates:
        return None
    mention, facts = rng.choice(candidates)
    end, fact = parse.end(mention.last), rng.choice(facts)
    if any_place or _takes_commas(parse, mention):
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
    found = _facts_of_city(mention.place) if isinstance(mention.place, City) else _facts_of_country(mention.place)
    return [phrase for phrase, names in found if not any(name in parse.text for name in names)]


def _facts_of_city(city: City) -> list[Fact]:
    """Return phrases and the names that each tells."""
    country = countries()[city.country]
    region = regions().get((city.country, city.region), "")
    state = f"the state of {region}" if region in _STATES_AND_MORE else region
    facts: list[Fact] = [(f"a city in {state or country.phrase}", (region or country.name,))]
    if city.name == country.capital:
        facts.append((f"the capital of {country.phrase}", (country.name, "capital")))
    many = [words for least, words in _MILLIONS if city.population >= least][:1]
    return facts + [(f"now a city of more than {words} people", ("million", "population")) for words in many]


def _facts_of_country(country: Country) -> list[Fact]:
    facts: list[Fact] = [(f"a country in {country.continent}", (country.continent,))] if country.continent else []
    if country.capital and country.name not in country.capital:
        facts.append((f"whose capital is {country.capital}", (country.capital, "capital")))
    return facts + [(f"which borders {other.phrase}", (other.name,)) for other in map(countries().__getitem__, country.neighbours)]
