"""Names of cities, states and countries replaced by their kind: "a city", "a state", "a country"."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.article import genitive_edits
from augcse.augmentations.english.clause import verbs_of
from augcse.augmentations.english.marks import opens_sentence
from augcse.augmentations.english.place_refusals import MODIFIER, OF_PLACES, is_joined, is_other_name, located_names
from augcse.augmentations.english.places import STATES_AND_MORE, WORDS, Mention, Region, mentions, phrases_around
from augcse.augmentations.judge.replacement import Ways
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit

# Within this distance, there may be no other name of the same kind: "from a city to Basel".
_NEAR = 5
_BEFORE = frozenset("as at like than unlike".split())


def _is_mentioned_again(parse: Parse, mention: Mention) -> bool:
    """Return whether the sentence names the place again, another place of its kind nearby, or the kind itself."""
    kind, others = mention.place.kind, (other for other in mentions(parse, with_regions=True) if other != mention)
    has_near = any(other.place.kind == kind and abs(other.first - mention.first) <= _NEAR for other in others)
    name = parse.text[parse.starts[mention.first] : parse.end(mention.last)]
    return has_near or kind in parse.lemmas or parse.text.count(name) > 1


def _is_identified(parse: Parse, mention: Mention) -> bool:
    """Return whether one place must be meant, in the subject of a present or of a noun: "Togo is growing", "Italy was the center"."""
    *_, phrase = phrases_around(parse, mention)
    predicate = parse.heads[phrase]
    is_present = any(parse.tags[verb] in ("VBP", "VBZ") for verb in verbs_of(parse, predicate))
    return parse.has_label(phrase, "nsubj") and (is_present or parse.upos[predicate] in ("NOUN", "PROPN"))


def _is_beside_name(parse: Parse, mention: Mention) -> bool:
    """Return whether it tells where a thing with a name is, or joins another place: "Essex House in London", "from China to Europe"."""
    follows_name = parse.pos(mention.start - 1) == "ADP" and is_other_name(parse, mention.start - 2)
    phrases, others = phrases_around(parse, mention), {*located_names(parse)}.difference(range(mention.first, mention.last + 1))
    return follows_name or not {parse.heads[other] for other in others}.isdisjoint((*phrases, parse.heads[phrases[-1]]))


def _is_ambiguous(parse: Parse, mention: Mention) -> bool:
    """Return whether the name often means something else ("Georgia", "Jordan slept"); after "in" and the like it means the place."""
    if isinstance(mention.place, Region):
        return mention.place.name in STATES_AND_MORE
    return mention.place.ambiguous and parse.word(mention.start - 1) not in WORDS["PLACED"]


PLACE_REFUSALS: tuple[Refusal[[Parse, Mention]], ...] = (
    *OF_PLACES,
    MODIFIER,
    Refusal("name that means something else too", "She slept in Georgia.", _is_ambiguous),
    Refusal("name in a list or apposition", "She lived in Oslo and Paris.", lambda *place: is_joined(*place, "conj", "appos", "list")),
    Refusal("after as, at, like, than", "They think like Sweden.", lambda parse, place: parse.word(place.start - 1) in _BEFORE),
    Refusal("place in front", "In Oslo, she slept.", lambda parse, place: place.start == 1 and parse.word(place.last + 1) == ","),
    Refusal("name or kind that stands there twice", "He left Oslo as Oslo fell.", _is_mentioned_again),
    Refusal("subject of a present or a noun", "Morocco is growing.", _is_identified),
    Refusal("beside the name of a place or thing", "It spread from China to Europe.", _is_beside_name),
)


def place_ways(parse: Parse) -> Ways:
    """Return, by the first index of each name that may be replaced, the edits that replace it by its kind."""
    free = (mention for mention in mentions(parse, with_regions=True) if not refused(PLACE_REFUSALS, parse, mention))
    return {mention.start: [_kind_edits(parse, mention)] for mention in free}


def _kind_edits(parse: Parse, mention: Mention) -> list[Edit]:
    phrase = f"{'A' if opens_sentence(parse, mention.start) else 'a'} {mention.place.kind}"
    return [Edit(*parse.span(mention.start, mention.last), phrase), *genitive_edits(parse, mention.last, phrase)]
