"""When the name of a place does not mean the place itself, or another word would not fit in its position."""

from __future__ import annotations

import re

from augcse.annotation.parse import Parse
from augcse.augmentations.english.name_words import is_name
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.places import WORDS, City, Mention
from augcse.augmentations.english.times import CALENDAR
from augcse.augmentations.refusals import Refusal

# How a longer name or a route continues, a bracket opens, or the place owns something with a name: "Tokyo's Nikkei average".
_CONTINUATION = re.compile(r" of [A-Z]|['’]s? [A-Z]|[-–/][A-Z]| ?\(")
# Brackets, closed or not, and quotations without punctuation, which are titles or terms.
_ASIDE = re.compile(r"""\([^)]*|\[[^\]]*|["“«][^"“”«»,.!?]*["”»]""")
# Nouns of these kinds have a city's name as part of their own: "the Doha talks".
_BODIES = frozenset(f"noun.{kind}" for kind in "animal cognition communication food group object plant possession state".split())


def _is_in_name(parse: Parse, mention: Mention) -> bool:
    """Return whether the place is part of a longer name: "University of Oxford", "the Doha talks"."""
    head = parse.head_of(mention.first, mention.last)
    names_body = parse.has_label(head, "compound") and first_kind(parse.lemmas[parse.heads[head]]) in _BODIES
    return names_body or _follows_link(parse, mention) or _CONTINUATION.match(parse.text, parse.end(mention.last)) is not None


def _is_other_thing(parse: Parse, mention: Mention) -> bool:
    """Return whether the words around it give the name another meaning: "the state of Puebla", "the Paris accord", "Portland cement"."""
    before, after = range(mention.first - 2, mention.first), range(mention.last, mention.last + 4)
    return not (WORDS["BEFORE"].isdisjoint(map(parse.word, before)) and WORDS["AFTER"].isdisjoint(map(parse.word, after)))


def _follows_link(parse: Parse, mention: Mention) -> bool:
    """Return whether a linking word joins it to a name: "Bank of the Seine", "University of California, San Diego"."""
    link = mention.first - {",": 3, "the": 2}.get(parse.word(mention.first - 1), 1)
    return link > 1 and parse.word(link) in WORDS["LINK"] and parse.tokens[link - 1][:1].isupper()


def _is_team(parse: Parse, mention: Mention) -> bool:
    """Return whether the name may be a team's: "Liverpool's title", "He beat Boston"."""
    is_about_sport = not WORDS["SPORT"].isdisjoint(parse.words)
    return is_about_sport and parse.word(mention.first - 1) not in WORDS["PLACED"]


def _acts(parse: Parse, mention: Mention) -> bool:
    """Return whether a city is the subject of a verb, and so means its government, a firm or a team: "Moscow said"."""
    head = parse.head_of(mention.first, mention.last)
    return isinstance(mention.place, City) and parse.has_label(head, "nsubj") and parse.upos[parse.heads[head]] == "VERB"


def _is_aside(parse: Parse, mention: Mention) -> bool:
    """Return whether it is in brackets, in quotation marks, or in a title in apposition: "the song April in Paris"."""
    start = parse.starts[mention.first]
    opening = max(mention.first - 2, 0)
    is_in_title = parse.deps[opening] == "appos" and parse.upos[opening + 1] == "ADP" and parse.tokens[opening][:1].isupper()
    return is_in_title or any(aside.start() < start < aside.end() for aside in _ASIDE.finditer(parse.text))


def is_joined(parse: Parse, mention: Mention, *labels: str) -> bool:
    """Return whether one of the labels joins the place to another word, in either direction: "conj" in "Oslo and Paris"."""
    head = parse.head_of(mention.first, mention.last)
    return parse.has_label(head, *labels) or bool(parse.children(head, *labels))


def is_located(parse: Parse, mention: Mention) -> bool:
    """Return whether a name after a comma says where the city is: "Paris, France", but not "Paris, Rome and Oslo"."""
    after = mention.last + 1
    precedes_name = isinstance(mention.place, City) and parse.word(after) == "," and parse.pos(after + 1) == "PROPN"
    return precedes_name and not is_joined(parse, mention, "conj")


def is_other_name(parse: Parse, index: int) -> bool:
    """Return whether a word is a name, but not that of a month or a day."""
    return is_name(parse, index) and parse.word(index) not in CALENDAR


def located_names(parse: Parse) -> list[int]:
    """Return the names after "in", "from" and the like, which are mostly of places."""
    located = (index for index in range(len(parse)) if not WORDS["PLACED"].isdisjoint(map(parse.word, parse.children(index, "case"))))
    return [index for index in located if is_other_name(parse, index)]


def _is_modifier(parse: Parse, mention: Mention) -> bool:
    """Return whether the place modifies a word, is described or located, or has the wrong article: "the London office", "Paris, France"."""
    after, describing = mention.last + 1, parse.children(parse.head_of(mention.first, mention.last), "amod", "det", "nmod:poss")
    if parse.word(after).startswith("-") or parse.pos(after) in ("NOUN", "ADJ", "NUM") or is_located(parse, mention):
        return True
    has_wrong_article = mention.place.article != (parse.word(mention.first - 1) == "the")
    # The words inside "the United States" describe nothing else.
    is_described = any(not mention.start <= index <= mention.last for index in describing)
    return has_wrong_article or is_described or parse.word(mention.start - 2) in WORDS["CALLED"]


OF_PLACES = (
    Refusal("part of a name", "She studied at the University of Oxford.", _is_in_name),
    Refusal("team", "He scored as Liverpool retained their league title.", _is_team),
    Refusal("government, firm or team that acts", "Moscow accused them of it.", _acts),
    Refusal("in brackets or in a title", "He sang (in Berlin) twice.", _is_aside),
    Refusal("region, event, term or city of old", "He saw the Nuremberg trials.", _is_other_thing),
)
MODIFIER = Refusal("modifier", "The London office closed.", _is_modifier)
