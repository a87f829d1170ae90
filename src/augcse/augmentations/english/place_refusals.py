"""Where the name of a place does not stand for the place itself, or another word would not fit in its place."""

from __future__ import annotations

import re

from augcse.annotation.parse import Parse
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.places import WORDS, City, Mention, head_of
from augcse.augmentations.refusals import Refusal

# What follows within a longer name or route, in brackets, or what the place has that is called so: "Tokyo's Nikkei average".
_GOES_ON = re.compile(r" of [A-Z]|['’]s? [A-Z]|[-–/][A-Z]| ?\(")
# Brackets, open or closed, and quotations without a mark, which are titles or terms.
_ASIDE = re.compile(r"""\([^)]*|\[[^\]]*|["“«][^"“”«»,.!?]*["”»]""")
# What a city gives its name to rather than its place.
_BODIES = frozenset(f"noun.{kind}" for kind in "animal cognition communication food group object plant possession state".split())


def _is_in_name(parse: Parse, mention: Mention) -> bool:
    """Tell whether the place is part of a longer name: "University of Oxford", "the Doha talks"."""
    head = head_of(parse, mention)
    names_body = parse.has_label(head, "compound") and first_kind(parse.lemmas[parse.heads[head]]) in _BODIES
    return names_body or _follows_link(parse, mention) or _GOES_ON.match(parse.text, parse.end(mention.last)) is not None


def _is_no_city(parse: Parse, mention: Mention) -> bool:
    """Tell whether words beside it make another thing of it: "the state of Puebla", "the Paris accord", "Portland cement"."""
    before, after = range(mention.first - 2, mention.first), range(mention.last, mention.last + 4)
    return not (WORDS["BEFORE"].isdisjoint(map(parse.word, before)) and WORDS["AFTER"].isdisjoint(map(parse.word, after)))


def _follows_link(parse: Parse, mention: Mention) -> bool:
    """Tell whether a link joins it to a name: "Bank of the Seine", "University of California, San Diego"."""
    link = mention.first - {",": 3, "the": 2}.get(parse.word(mention.first - 1), 1)
    return link > 1 and parse.word(link) in WORDS["LINK"] and parse.tokens[link - 1][:1].isupper()


def _is_team(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name may be a team's: "Liverpool's title", "He beat Boston"."""
    sport = not WORDS["SPORT"].isdisjoint(token.lower() for token in parse.tokens)
    return sport and parse.word(mention.first - 1) not in WORDS["PLACED"]


def _acts(parse: Parse, mention: Mention) -> bool:
    """Tell whether a city does what its government, a firm or a team does: "Moscow said"."""
    head = head_of(parse, mention)
    return isinstance(mention.place, City) and parse.has_label(head, "nsubj") and parse.upos[parse.heads[head]] == "VERB"


def _is_aside(parse: Parse, mention: Mention) -> bool:
    """Tell whether it stands in brackets, in quotation marks, or in a title after the word for it: "the song April in Paris"."""
    start = parse.starts[mention.first]
    before = max(mention.first - 2, 0)
    titled = parse.deps[before] == "appos" and parse.upos[before + 1] == "ADP" and parse.tokens[before][:1].isupper()
    return titled or any(aside.start() < start < aside.end() for aside in _ASIDE.finditer(parse.text))


def is_located(parse: Parse, mention: Mention) -> bool:
    """Tell whether a name after a comma says where the city lies: "Paris, France", but not "Paris, Rome and Oslo"."""
    head, after = head_of(parse, mention), mention.last + 1
    located = isinstance(mention.place, City) and parse.word(after) == "," and parse.pos(after + 1) == "PROPN"
    return located and not (parse.has_label(head, "conj") or parse.children(head, "conj"))


def _is_modifier(parse: Parse, mention: Mention) -> bool:
    """Tell whether the place modifies a word, is described or located, or has an odd article: "the London office", "Paris, France"."""
    head, after = head_of(parse, mention), mention.last + 1
    odd = mention.place.article != (parse.word(mention.first - 1) == "the")
    first = mention.first - mention.place.article
    # Not the parts of "the United States".
    described = any(not first <= index <= mention.last for index in parse.children(head, "amod", "det", "nmod:poss"))
    called = parse.word(first - 2) in WORDS["CALLED"]
    return (
        odd
        or described
        or called
        or is_located(parse, mention)
        or parse.word(after).startswith("-")
        or parse.pos(after) in ("NOUN", "ADJ", "NUM")
    )


OF_PLACES = (
    Refusal("part of a name", "She studied at the University of Oxford.", _is_in_name),
    Refusal("team", "He scored as Liverpool retained their league title.", _is_team),
    Refusal("government, firm or team that acts", "Moscow accused them of it.", _acts),
    Refusal("in brackets or in a title", "He sang (in Berlin) twice.", _is_aside),
    Refusal("region, event, term or city of old", "He saw the Nuremberg trials.", _is_no_city),
)
MODIFIER = Refusal("modifier", "The London office closed.", _is_modifier)
