"""Where the name of a place does not stand for the place itself."""

from __future__ import annotations

import re

from augcse.annotation.parse import Parse
from augcse.augmentations.english.longer_names import BODIES, is_in_name, region_after
from augcse.augmentations.english.name_words import is_name
from augcse.augmentations.english.names import given_names
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.places import WORDS, City, Mention, countries, head_of, mentions
from augcse.augmentations.refusals import Refusal
from augcse.lexicon.open import open_lexicon

_QUOTE = re.compile('["“”«»]')
# A quotation that no mark closes: a title or a term.
_TITLE = re.compile(r"""(?<!\w)["“«'‘`][^"“”«»'’]*[^"“”«»'’,.!?\s]["”»'’](?!\w)""")
# All words but small ones with a capital, from an article on: "A View of the Grand Canal, ".
_CAPITALS = re.compile(
    r"(?<=[\w,:;] )(?:An?|The) (?:[A-Z][\w'’-]* )+(?:and|at|from|in|near|of|on|with) (?:(?:[A-Z][\w'’-]*|a|and|at|in|of|on|the),? )+\Z"
)
# Up to the end of a quotation that closes with a mark: no title.
_SPEECH = re.compile('[^"“”«»]*[,.!?]["”»]')
# What the government of a city does and has.
_DEEDS = BODIES | {"noun.act", "noun.event", "noun.feeling", "verb.communication", "verb.possession", "verb.social"}


def _is_person(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name may be a person's: "Bradford left his home"."""
    return mention.place.name in given_names() and parse.upos[max(mention.first - 1, 0)] not in ("ADP", "CCONJ", "PUNCT")


def is_team(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name may be a team's: "Liverpool's title", "He beat Boston"."""
    sport = not WORDS["SPORT"].isdisjoint(token.lower() for token in parse.tokens)
    return sport and parse.word(mention.first - 1) not in WORDS["WHERE"]


def _acts(parse: Parse, mention: Mention) -> bool:
    """Tell whether a city does what its government, a firm or a team does: "Moscow said", "Riga's right", "talks with Jakarta"."""
    head, city = head_of(parse, mention), mention.place
    if not isinstance(city, City) or parse.has_label(head, "compound"):
        return False
    above = parse.heads[head]
    owns = parse.has_label(head, "nmod:poss") and first_kind(parse.lemmas[above]) in _DEEDS
    told = parse.has_label(head, "obj", "iobj", "nsubj:pass") and parse.lemmas[above] in WORDS["TELL"]
    acts = parse.has_label(head, "nsubj") and parse.upos[above] == "VERB"
    return owns or told or acts or (city.name == countries()[city.country].capital and _deals(parse, mention))


def _deals(parse: Parse, mention: Mention) -> bool:
    """Tell whether a capital gives or gets what only a government does: "talks with Jakarta", "statements from Delhi", "sold to Moscow"."""
    before = {parse.word(mention.first - 2), parse.word(mention.first - 1)}
    above = parse.heads[head_of(parse, mention)]
    is_deed = _is_deed(parse, above) or (parse.has_label(above, "acl") and _is_deed(parse, parse.heads[above]))
    return (is_deed and not before.isdisjoint(WORDS["DEALING"])) or not before.isdisjoint(WORDS["SIDE"]) or "capital of" in parse.text


def _is_deed(parse: Parse, index: int) -> bool:
    senses = open_lexicon().synsets(parse.lemmas[index], "v" if parse.upos[index] == "VERB" else "n")
    return bool(senses) and senses[0].category in _DEEDS


def _is_work(parse: Parse, mention: Mention) -> bool:
    """Tell whether the name is that of a work, or stands in one: "April in Paris", "Shanghai is a film"."""
    head, before = head_of(parse, mention), mention.first - 2
    if not isinstance(mention.place, City) or any(other.last == before for other in mentions(parse)):
        return False  # "from Zürich to Basel"
    if parse.has_label(head, "nsubj") and parse.upos[parse.heads[head]] == "NOUN":
        return first_kind(parse.lemmas[parse.heads[head]]) not in ("noun.location", "noun.object")
    if before < 0 or parse.upos[before + 1] != "ADP" or not parse.tokens[before].istitle() or parse.children(before, "det", "nmod:poss"):
        return False
    institution = first_kind(parse.word(before)) in ("noun.artifact", "noun.group", "noun.location")
    called = parse.has_label(before, "obj", "appos") and parse.pos(before - 1) in ("NOUN", "VERB")  # "the song April in Paris"
    return called or (parse.heads[head] == before and is_name(parse, before) and not institution)


def _is_quoted(parse: Parse, mention: Mention) -> bool:
    """Tell whether a place stands in brackets, in a title (quoted or in capitals), or in a quotation that is no speech."""
    head, start = parse.text[: parse.starts[mention.first]], parse.starts[mention.first]
    titled = any(quoted.start() < start < quoted.end() for quoted in _TITLE.finditer(parse.text))
    titled |= _CAPITALS.search(head) is not None
    titled |= len(_QUOTE.findall(head)) % 2 == 1 and not _SPEECH.match(parse.text, parse.end(mention.last))
    return titled or head.count("(") > head.count(")") or head.count("[") > head.count("]") or _is_work(parse, mention)


def _is_modifier(parse: Parse, mention: Mention) -> bool:
    """Tell whether the place modifies a word, is described or located, or has an odd article: "the London office", "Paris, France"."""
    head, after = head_of(parse, mention), mention.last + 1
    odd = mention.place.article != (parse.word(mention.first - 1) == "the")
    first = mention.first - mention.place.article
    outside = any(
        not first <= index <= mention.last for index in parse.children(head, "amod", "det", "nmod:poss")
    )  # not "the United States"
    described = outside or region_after(parse, mention) != "" or parse.word(first - 2) in WORDS["CALLED"]
    return odd or described or parse.word(after).startswith(("(", "-")) or parse.pos(after) in ("NOUN", "ADJ", "NUM", "SYM")


def is_owner(parse: Parse, mention: Mention) -> bool:
    """Tell whether the place is a possessive: "London's parks"."""
    return parse.word(mention.last + 1).startswith(("'", "’"))


_PART_OF_NAME = Refusal("part of a name", "She studied at the University of Oxford.", is_in_name)
_PERSON = Refusal("person", "Adelaide slept.", _is_person)
_TEAM = Refusal("team", "He scored as Liverpool retained their league title.", is_team)
_ACTS = Refusal("government, firm or team that acts", "Moscow accused them of it.", _acts)
_QUOTED = Refusal("in a title, in brackets or in quotation marks", "He sang (in Berlin) twice.", _is_quoted)
OF_PLACES = (_PART_OF_NAME, _PERSON, _ACTS, _QUOTED)
OF_CITIES = (_PART_OF_NAME, _PERSON, _TEAM, _ACTS, _QUOTED)
MODIFIER = Refusal("modifier", "The London office closed.", _is_modifier)
