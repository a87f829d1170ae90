"""Names of cities, states and countries replaced by what they are names of: "a city", "a state", "a country"."""

from __future__ import annotations

import re

from augcse.annotation.parse import Parse
from augcse.augmentations.english.article import genitive_edits
from augcse.augmentations.english.phrase import opens_sentence
from augcse.augmentations.english.place_refusals import MODIFIER, OF_PLACES
from augcse.augmentations.english.places import STATES_AND_MORE, WORDS, Mention, Region, head_of, mentions
from augcse.augmentations.judge.replacement import Ways
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit

# How far from the name another one of its kind may not stand: "from a city to Basel".
_NEAR = 5
_BEFORE_NAMES = frozenset("as at like than unlike".split())


def _first(mention: Mention) -> int:
    """Return where the phrase begins: at the article of "the Netherlands"."""
    return mention.first - mention.place.article


def _is_listed(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name is one of several, or stands beside what it names: "in France and Spain", "Paris, the capital"."""
    joined, head = ("conj", "appos", "list"), head_of(parse, mention)
    return bool(parse.has_label(head, *joined) or parse.children(head, *joined))


def _is_told_apart(parse: Parse, mention: Mention) -> bool:
    """Tell whether the sentence names the place again, another one of its kind nearby, or the kind itself."""
    kind, others = mention.place.kind, (one for one in mentions(parse, with_regions=True) if one != mention)
    near = any(one.place.kind == kind and abs(one.first - mention.first) <= _NEAR for one in others)
    name = parse.text[parse.starts[mention.first] : parse.end(mention.last)]
    return near or kind in parse.lemmas or len(re.findall(rf"\b{re.escape(name)}\b", parse.text)) > 1


def _is_classed(parse: Parse, mention: Mention) -> bool:
    """Tell whether a noun says what the place is: "Belize is a monarchy"."""
    head = head_of(parse, mention)
    return parse.has_label(head, "nsubj") and parse.upos[parse.heads[head]] in ("NOUN", "PROPN")


def _means_more(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name means something else as often ("Georgia"), if not after "in" and the like: "Jordan slept"."""
    if isinstance(mention.place, Region):
        return mention.place.name in STATES_AND_MORE
    return mention.place.ambiguous and parse.word(_first(mention) - 1) not in WORDS["PLACED"]


PLACE_REFUSALS: tuple[Refusal[[Parse, Mention]], ...] = (
    *OF_PLACES,
    MODIFIER,
    Refusal("name that means something else too", "She slept in Georgia.", _means_more),
    Refusal("name in a list or apposition", "She lived in Oslo and Paris.", _is_listed),
    Refusal("after as, at, like, than", "They think like Sweden.", lambda parse, mention: parse.word(_first(mention) - 1) in _BEFORE_NAMES),
    Refusal(
        "place in front, before a comma",
        "In Oslo, she slept.",
        lambda parse, mention: _first(mention) == 1 and parse.word(mention.last + 1) == ",",
    ),
    Refusal("name that a noun describes", "Belize is a monarchy.", _is_classed),
    Refusal("name or kind that stands there twice", "He left Oslo as Oslo fell.", _is_told_apart),
)


def place_ways(parse: Parse) -> Ways:
    """Return, by the first index of each name that may go, the edits that put its kind in its place."""
    found = (mention for mention in mentions(parse, with_regions=True) if not refused(PLACE_REFUSALS, parse, mention))
    return {_first(mention): [_edits(parse, mention)] for mention in found}


def _edits(parse: Parse, mention: Mention) -> list[Edit]:
    first = _first(mention)
    kind = f"{'A' if opens_sentence(parse, first) else 'a'} {mention.place.kind}"
    return [Edit(*parse.span(first, mention.last), kind), *genitive_edits(parse, mention.last, kind)]
