"""Cities exchanged for smaller ones, and facts of GeoNames told after the places of a sentence."""

from __future__ import annotations

import re
from functools import lru_cache
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import replacement_edits
from augcse.augmentations.english.name_words import is_name
from augcse.augmentations.english.names import given_names
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.lexical.place_names.longer_names import BODIES, is_in_name, region_after
from augcse.augmentations.rules.lexical.place_names.places import (
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
    substitutes,
)
from augcse.augmentations.text.edits import Edit, apply_edits, comma_in, edited
from augcse.lexicon.open import open_lexicon

_QUOTE = re.compile('["“”«»]')
# A quotation that no mark closes: a title or a term.
_QUOTED = re.compile(r"""(?<!\w)["“«'‘`][^"“”«»'’]*[^"“”«»'’,.!?\s]["”»'’](?!\w)""")
# Up to the end of a quotation that closes with a mark: no title.
_SPEECH = re.compile('[^"“”«»]*[,.!?]["”»]')
_STATES_AND_MORE = frozenset(("Georgia", "New York", "Victoria", "Washington"))
# What the government of a city does and has.
_DEEDS = BODIES | {"noun.act", "noun.event", "noun.feeling", "verb.communication", "verb.possession", "verb.social"}
# Populations are told as round numbers well below GeoNames' own, so that they hold for any count of our time and any city limits.
_MILLIONS = ((15_000_000, "ten million"), (7_500_000, "five million"), (3_000_000, "two million"), (1_600_000, "a million"))
Fact = tuple[str, tuple[str, ...]]


def _is_team_or_person(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name is that of a team or a person: "Liverpool's title", "He beat Boston", "Bradford left his home"."""
    named = mention.place.name in given_names() and parse.upos[max(mention.first - 1, 0)] not in ("ADP", "CCONJ", "PUNCT")
    sport = not WORDS["SPORT"].isdisjoint(token.lower() for token in parse.tokens)
    return named or (sport and parse.word(mention.first - 1) not in WORDS["WHERE"])


def _acts(parse: Parse, mention: Mention) -> bool:
    """Tell whether a city does what its government, a firm or a team does: "Moscow said", "Riga's right", "talks with Jakarta"."""
    head, city = head_of(parse, mention), mention.place
    if not isinstance(city, City) or parse.has_label(head, "compound"):
        return False
    above = parse.heads[head]
    owns = parse.has_label(head, "nmod:poss") and first_kind(parse.lemmas[above]) in _DEEDS
    ordered = any(parse.upos[index] == "VERB" for index in parse.children(above, "xcomp", "ccomp"))
    told = parse.has_label(head, "obj", "iobj", "nsubj:pass") and (ordered or parse.lemmas[above] in WORDS["TELL"])
    acts = parse.has_label(head, "nsubj") and parse.upos[above] == "VERB"
    return owns or told or acts or (city.name == countries()[city.country].capital and _deals(parse, mention))


def _deals(parse: Parse, mention: Mention) -> bool:
    """Tell whether a capital gives or gets what only a government does: "talks with Jakarta", "statements from Delhi", "sold to Moscow"."""
    above, before = parse.heads[head_of(parse, mention)], {parse.word(mention.first - 2), parse.word(mention.first - 1)}
    is_deed = _is_deed(parse, above) or (parse.has_label(above, "acl") and _is_deed(parse, parse.heads[above]))
    deals = is_deed and not before.isdisjoint(WORDS["DEALING"])
    return deals or not before.isdisjoint(WORDS["SIDE"]) or "capital of" in parse.text


def _is_deed(parse: Parse, index: int) -> bool:
    senses = open_lexicon().synsets(parse.lemmas[index], "v" if parse.upos[index] == "VERB" else "n")
    return bool(senses) and senses[0].category in _DEEDS


def _is_near_other_places(parse: Parse, mention: Mention) -> bool:
    """Tell whether a list, or another place of the sentence, names what stays: "New York, Toronto and Essen", "he left Orsay for Paris"."""
    known = {index for other in mentions(parse) for index in range(other.first, other.last + 1)}
    head = head_of(parse, mention)
    first = parse.heads[head] if parse.has_label(head, "conj") else head
    listed = [index for index in (first, *parse.children(first, "conj")) if not parse.children(index, "det")]
    placed = [index for index in range(len(parse)) if not WORDS["PLACED"].isdisjoint(map(parse.word, parse.children(index, "case")))]
    known.update(range(mention.last + 1, mention.last + 3) if region_after(parse, mention) else ())
    others = [index for index in (*listed, *placed) if index not in known and is_name(parse, index)]
    in_names = any(token.title() in cities() for index, token in enumerate(parse.tokens) if index not in known)  # "the Zurich Bourse"
    others = [index for index in others if parse.pos(index - 1) == "ADP" or parse.tokens[index] not in given_names()]
    names = (" ".join(parse.tokens[min((index, *parse.children(index, "compound", "amod"))) : index + 1]) for index in others)
    return in_names or not set(listed).isdisjoint(others) or any(map(_may_be_place, names))


@lru_cache(maxsize=10_000)
def _may_be_place(name: str) -> bool:
    """Tell whether a name may be that of a place other than a state: neither a month nor an institution."""
    kinds = {sense.category for sense in open_lexicon().synsets(name, "n")}
    return kinds <= {"noun.person"} and name not in {*regions().values()} - _STATES_AND_MORE


def _is_work(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name is that of a work, or stands in one: "April in Paris", "Shanghai is a film"."""
    head, before = head_of(parse, mention), mention.first - 2
    if not isinstance(mention.place, City) or any(other.last == before for other in mentions(parse)):
        return False  # "from Zürich to Basel"
    if parse.has_label(head, "nsubj") and parse.upos[parse.heads[head]] == "NOUN":
        return first_kind(parse.lemmas[parse.heads[head]]) not in ("noun.location", "noun.object")
    if before < 0 or parse.upos[before + 1] != "ADP" or not parse.tokens[before].istitle() or parse.children(before, "det", "nmod:poss"):
        return False
    called = parse.has_label(before, "obj", "appos") and parse.pos(before - 1) in ("NOUN", "VERB")
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
    head, after = head_of(parse, mention), mention.last + 1
    odd = mention.place.article != (parse.word(mention.first - 1) == "the")
    described = bool(parse.children(head, "amod") or region_after(parse, mention)) or parse.word(mention.first - 2) in WORDS["CALLED"]
    modifies = parse.has_label(head, "compound", "flat", "amod", "nmod:poss") or parse.word(after).startswith(("'", "’", "(", "-"))
    return odd or described or modifies or parse.pos(after) in ("NOUN", "ADJ", "NUM", "SYM")


OF_CITIES = (
    Refusal("part of a name", "She studied at the University of Oxford.", is_in_name),
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
        if place.name not in chosen:
            pool = [other for other in substitutes(place, parse.text) if other not in chosen.values()]
            if not pool:
                return None
            chosen[place.name] = rng.choice(pool)
        edits += replacement_edits(parse, mention.first, mention.last, chosen[place.name])
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
        closed = end == len(parse.text.rstrip()) or not parse.text[end : end + 1].isspace()
        comma = comma_in(parse.text)
        told = f"{comma} {fact}" + ("" if closed else comma)
    else:
        told = f" ({fact})"
    return apply_edits(parse.text, [Edit(end, end, told)])


def _takes_commas(parse: Parse, mention: Mention) -> bool:
    """Tell whether an apposition between commas reads well: in no list, at the end or before the verb or an adverbial."""
    after, head = mention.last + 1, head_of(parse, mention)
    if parse.has_label(head, "conj", "appos", "list") or parse.children(head, "conj", "appos") or parse.token(mention.first - 1) == ",":
        return False
    if after >= len(parse) or parse.tokens[after] in (".", "?", "!", ";"):
        return after >= len(parse) or parse.starts[after] == parse.end(mention.last)
    return parse.upos[after] in ("VERB", "AUX", "ADP", "ADV") and parse.tags[after] != "VBN"


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
    many = next((words for least, words in _MILLIONS if city.population >= least), None)
    return [*facts, (f"now a city of more than {many} people", ("million", "population"))] if many else facts


def _facts_of_country(country: Country) -> list[Fact]:
    facts: list[Fact] = [(f"a country in {country.continent}", (country.continent,))] if country.continent else []
    if country.capital and country.name not in country.capital:
        facts.append((f"whose capital is {country.capital}", (country.capital, "capital")))
    return facts + [(f"which borders {other.phrase}", (other.name,)) for other in map(countries().__getitem__, country.neighbours)]
