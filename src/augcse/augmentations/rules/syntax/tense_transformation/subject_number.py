"""Whether the subject of a clause takes the plural form of its verb."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import opening_case

_PLURAL_WORDS = frozenset("i you we they these those both many few several others people police two three four five six eight ten".split())
_SINGULAR_WORDS = frozenset(
    "he she it this that one each everyone everybody everything someone somebody something anyone anybody anything"
    " nobody nothing another either neither who what which states mathematics physics politics series news much".split()
)
# Their number is that of the noun after "of": "most of the city is", "a number of cities are".
_QUANTITIES = frozenset("number lot majority all some most half none rest couple variety range part plenty".split())
_RELATIVES = frozenset({"that", "which", "who"})


def takes_plural(parse: Parse, subject: int, depth: int = 0) -> bool | None:
    """Tell whether the verb of `subject` takes the plural (base) form; None if that cannot be told."""
    word, tag = parse.tokens[subject].lower(), parse.tags[subject]
    if parse.has_label(subject, "nsubj") and len(parse.children(parse.heads[subject], "nsubj")) > 1:
        return None
    if word in _RELATIVES and parse.has_label(parse.heads[subject], "acl") and depth == 0:
        antecedent = parse.heads[parse.heads[subject]]
        return None if parse.children(antecedent, "conj") else takes_plural(parse, antecedent, 1)
    if parse.children(subject, "conj") and _has_and(parse, subject):
        return True
    if parse.has_label(subject, "csubj"):
        return False
    if word in _QUANTITIES:
        return _plural_of_quantity(parse, subject)
    if word in _PLURAL_WORDS or word in _SINGULAR_WORDS:
        return word in _PLURAL_WORDS
    if parse.children(subject, "conj"):
        return None
    if _is_plural_name(parse, subject):
        return None
    if tag in ("NNS", "NNPS", "NN", "NNP"):
        return tag in ("NNS", "NNPS")
    return True if tag == "JJ" and subject > 0 and parse.tokens[subject - 1].lower() == "the" else None


def _is_plural_name(parse: Parse, subject: int) -> bool:
    """Tell whether a plural may be a name: "Brooks", "Welles", "Swedes"."""
    if parse.children(subject, "det") or parse.tags[subject] not in ("NNS", "NNPS"):
        return False
    return parse.tags[subject] == "NNPS" or (parse.tokens[subject][0].isupper() and opening_case(parse, subject) != "lower")


def _has_and(parse: Parse, index: int) -> bool:
    joints = [*parse.children(index, "conj"), index]
    return any(parse.tokens[place].lower() == "and" for joint in joints for place in parse.children(joint, "cc"))


def _plural_of_quantity(parse: Parse, subject: int) -> bool | None:
    nouns = parse.children(subject, "nmod", "obl")
    determiners = {parse.tokens[place].lower() for place in parse.children(subject, "det")}
    if "the" in determiners and parse.tokens[subject].lower() in ("number", "variety", "range", "part"):
        return False
    return next((takes_plural(parse, noun, 1) for noun in nouns), None)
