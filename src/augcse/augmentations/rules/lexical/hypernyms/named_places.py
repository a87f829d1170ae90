"""Names of cities, states and countries replaced by their kind: "a city", "a state", "a country"."""

from __future__ import annotations

import re

from augcse.annotation.parse import Parse
from augcse.augmentations.english.article import genitive_edits
from augcse.augmentations.english.clause import verbs_of
from augcse.augmentations.english.phrase import opens_sentence
from augcse.augmentations.english.place_refusals import MODIFIER, OF_PLACES, is_other_name, located_names
from augcse.augmentations.english.places import STATES_AND_MORE, WORDS, Mention, Region, head_of, mentions, phrases_around
from augcse.augmentations.judge.replacement import Ways
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit

# Within this distance, there may be no other name of the same kind: "from a city to Basel".
_NEAR = 5
_BEFORE_NAMES = frozenset("as at like than unlike".split())


def _phrase_start(mention: Mention) -> int:
    """Return where the phrase begins: at the article of "the Netherlands"."""
    return mention.first - 1 if mention.place.article else mention.first


def _is_listed(parse: Parse, mention: Mention) -> bool:
    """Return whether the name is in a list or an apposition: "in France and Spain", "Paris, the capital"."""
    joining, head = ("conj", "appos", "list"), head_of(parse, mention)
    return bool(parse.has_label(head, *joining) or parse.children(head, *joining))


def _is_mentioned_again(parse: Parse, mention: Mention) -> bool:
    """Return whether the sentence names the place again, another place of its kind nearby, or the kind itself."""
    kind, others = mention.place.kind, (other for other in mentions(parse, with_regions=True) if other != mention)
    has_near = any(other.place.kind == kind and abs(other.first - mention.first) <= _NEAR for other in others)
    name = parse.text[parse.starts[mention.first] : parse.end(mention.last)]
    return has_near or kind in parse.lemmas or len(re.findall(rf"\b{re.escape(name)}\b", parse.text)) > 1


def _is_classified(parse: Parse, mention: Mention) -> bool:
    """Return whether a noun says what the place is: "Belize is a monarchy"."""
    head = head_of(parse, mention)
    return parse.has_label(head, "nsubj") and parse.upos[parse.heads[head]] in ("NOUN", "PROPN")


def _is_in_subject_of_present(parse: Parse, mention: Mention) -> bool:
    """Return whether the kind would seem to be meant in general, in the subject of a verb in the present: "a country is"."""
    *_, phrase = phrases_around(parse, mention)
    verbs = verbs_of(parse, parse.heads[phrase])
    return parse.has_label(phrase, "nsubj") and any(parse.tags[verb] in ("VBP", "VBZ") for verb in verbs)


def _follows_name(parse: Parse, mention: Mention) -> bool:
    """Return whether it says where something with a name is: "Burlington House in London"."""
    before = _phrase_start(mention) - 1
    return parse.pos(before) == "ADP" and is_other_name(parse, before - 1)


def _is_beside_place(parse: Parse, mention: Mention) -> bool:
    """Return whether the clause names another place, after a preposition: "from China to Europe"."""
    others = {*located_names(parse)}.difference(range(mention.first, mention.last + 1))
    return _verb_above(parse, head_of(parse, mention)) in {_verb_above(parse, other) for other in others}


def _verb_above(parse: Parse, index: int) -> int:
    """Return the verb of a word's clause, or else the root."""
    path = [*parse.path(index)]
    return next((above for above in path if parse.upos[above] in ("AUX", "VERB")), path[-1])


def _is_ambiguous(parse: Parse, mention: Mention) -> bool:
    """Return whether the name often means something else ("Georgia", "Jordan slept"); after "in" and the like it means the place."""
    if isinstance(mention.place, Region):
        return mention.place.name in STATES_AND_MORE
    return mention.place.ambiguous and parse.word(_phrase_start(mention) - 1) not in WORDS["PLACED"]


PLACE_REFUSALS: tuple[Refusal[[Parse, Mention]], ...] = (
    *OF_PLACES,
    MODIFIER,
    Refusal("name that means something else too", "She slept in Georgia.", _is_ambiguous),
    Refusal("name in a list or apposition", "She lived in Oslo and Paris.", _is_listed),
    Refusal(
        "after as, at, like, than",
        "They think like Sweden.",
        lambda parse, mention: parse.word(_phrase_start(mention) - 1) in _BEFORE_NAMES,
    ),
    Refusal(
        "place in front, before a comma",
        "In Oslo, she slept.",
        lambda parse, mention: _phrase_start(mention) == 1 and parse.word(mention.last + 1) == ",",
    ),
    Refusal("name that a noun describes", "Belize is a monarchy.", _is_classified),
    Refusal("name or kind that stands there twice", "He left Oslo as Oslo fell.", _is_mentioned_again),
    Refusal("subject of a verb in the present", "Morocco is growing.", _is_in_subject_of_present),
    Refusal("where something with a name is", "She worked at Burlington House in London.", _follows_name),
    Refusal("beside another place", "It spread from China to Europe.", _is_beside_place),
)


def place_ways(parse: Parse) -> Ways:
    """Return, by the first index of each name that may be replaced, the edits that replace it by its kind."""
    free = (mention for mention in mentions(parse, with_regions=True) if not refused(PLACE_REFUSALS, parse, mention))
    return {_phrase_start(mention): [_kind_edits(parse, mention)] for mention in free}


def _kind_edits(parse: Parse, mention: Mention) -> list[Edit]:
    first = _phrase_start(mention)
    phrase = f"{'A' if opens_sentence(parse, first) else 'a'} {mention.place.kind}"
    return [Edit(*parse.span(first, mention.last), phrase), *genitive_edits(parse, mention.last, phrase)]
