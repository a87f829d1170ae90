"""Longer names that a place is part of: institutions, events, routes, regions."""

from __future__ import annotations

import re

from augcse.annotation.parse import Parse
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.places import WORDS, City, Mention, countries, head_of, regions
from augcse.lexicon.open import open_lexicon

# What a city gives its name to rather than its place.
BODIES = frozenset(("noun.cognition", "noun.communication", "noun.group", "noun.object", "noun.possession", "noun.state"))
# The year of an event, a route, brackets, the publisher of a book, or what the city has: "Tokyo's Nikkei average".
_GOES_ON = re.compile(r" (?:1[89]|20)\d\d (?:[A-Z]|[a-z]{4})|(?!-(?:based|born|area)) ?[-–—/@] ?\w| ?[(\[]|: ?[A-Z]| of [A-Z]|['’]s? [A-Z]")


def is_in_name(parse: Parse, mention: Mention) -> bool:
    """Tell whether the place is part of a longer name, an event or a route: "University of Oxford", "Nuremberg trials", "the Tacoma"."""
    kinds = (_goes_on, _names_event, _follows_link, _is_apposed, _is_no_place, _is_of_age)
    return any(is_so(parse, mention) for is_so in kinds)


def region_after(parse: Parse, mention: Mention) -> str:
    """Return the name after a city and a comma that says where it lies; "" for none."""
    head, city, after, name = head_of(parse, mention), mention.place, mention.last + 1, parse.token(mention.last + 2)
    if not isinstance(city, City) or parse.word(after) != "," or parse.pos(after + 1) != "PROPN":
        return ""
    is_listed = parse.has_label(head, "conj") or parse.children(head, "conj")
    return "" if is_listed and not _is_region_of(name, city) else name


def _is_region_of(name: str, city: City) -> bool:
    return name in f"{countries()[city.country].name} {regions().get((city.country, city.region), '')}".split()


def _lies_elsewhere(parse: Parse, mention: Mention) -> bool:
    """Tell whether it is another city of that name: "Paris, Texas"."""
    name = region_after(parse, mention)
    return name != "" and isinstance(mention.place, City) and not _is_region_of(name, mention.place)


def _goes_on(parse: Parse, mention: Mention) -> bool:
    term = f"{mention.place.name} {parse.lemmas[min(mention.last + 1, len(parse) - 1)]}"  # "Brussels sprout"
    goes_on = _GOES_ON.match(parse.text, parse.end(mention.last)) is not None
    return goes_on or _lies_elsewhere(parse, mention) or bool(open_lexicon().synsets(term, "n"))


def _names_event(parse: Parse, mention: Mention) -> bool:
    head = head_of(parse, mention)
    is_event = not WORDS["EVENT"].isdisjoint(map(parse.word, range(mention.last, mention.last + 3)))
    return is_event or (parse.has_label(head, "compound") and first_kind(parse.lemmas[parse.heads[head]]) in BODIES)


def _follows_link(parse: Parse, mention: Mention) -> bool:
    """Tell whether a link joins it to a name: "Bank of the Seine", "University of California, San Diego"."""
    link = mention.first - {",": 3, "the": 2}.get(parse.word(mention.first - 1), 1)
    return link > 1 and parse.word(link) in WORDS["LINK"] and parse.tokens[link - 1][:1].isupper()


def _is_apposed(parse: Parse, mention: Mention) -> bool:
    """Tell whether a noun right before the name says what is called so: "the name Odense is old"; not "last year London was hot"."""
    before = mention.first - 1
    return parse.pos(before) == "NOUN" and first_kind(parse.lemmas[before].lower()) != "noun.time"


def _is_no_place(parse: Parse, mention: Mention) -> bool:
    """Tell whether it is a state of old, or a region or office called after a city."""
    return mention.place.name in WORDS["ANTIQUITY"] or parse.word(mention.first - 2) in WORDS["CALLED"] - WORDS["CITY"]


def _is_of_age(parse: Parse, mention: Mention) -> bool:
    return not WORDS["AGE"].isdisjoint((parse.word(mention.first - 2), parse.word(mention.first - 1)))
