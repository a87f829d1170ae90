"""Questions and requests with the words after the verb in front: "Find the ring, did he?", "Your room, clean."."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import FINITE_TAGS, full_form
from augcse.augmentations.english.main_clause import main_verb_group
from augcse.augmentations.english.marks import DASHES, asks
from augcse.augmentations.english.phrase import slice_text
from augcse.augmentations.english.verb_group import spaced
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, capitalise, comma_in

_MARKS_BETWEEN_PARTS = DASHES | {",", ";", ":", "-", "(", '"'}


def _has_clause(parse: Parse, first: int, last: int) -> bool:
    has_second_request = parse.tags[0] == "VB" and any(parse.tags[index] == "VB" for index in parse.children(0, "conj"))
    return has_second_request or not FINITE_TAGS.isdisjoint(parse.tags[first : last + 1])


REFUSALS: tuple[Refusal[[Parse, int, int]], ...] = (
    Refusal(
        "question or request of several parts",
        "Is he strong, or is he old?",
        lambda parse, first, last: not _MARKS_BETWEEN_PARTS.isdisjoint(parse.tokens),
    ),
    Refusal("clause in a question or request", "Do you know that he is old?", _has_clause),
)


def turned_question(parse: Parse) -> str | None:
    """Return a question or request with its predicate, object or complement in front; None if it is neither, or refused."""
    stretch = _after_subject(parse) if asks(parse, len(parse) - 1) else _after_request(parse)
    if stretch is None or stretch[0] > stretch[1] or refused(REFUSALS, parse, *stretch):
        return None
    first, last = stretch
    front, after_front = slice_text(parse, first, last), up_to_verb(parse, 0, first - 1)
    if parse.tokens[0][0].isupper():
        front, after_front = capitalise(front), after_front[0].lower() + after_front[1:]
    return apply_edits(parse.text, [Edit(*parse.span(0, last), f"{front}{comma_in(parse.text)} {after_front}")])


def up_to_verb(parse: Parse, first: int, last: int) -> str:
    """Return the text from `first` to `last`; a contracted verb at its end is written in full, as no clause ends with "it's"."""
    in_full = [(last, spaced(parse, last, full_form(parse, last)))] if parse.tokens[last][0] in "'’" else ()
    return slice_text(parse, first, last, in_full)


def _after_subject(parse: Parse) -> tuple[int, int] | None:
    """Return the first and last token after the subject of a question that opens with an auxiliary, or "how", "why" or the like and one."""
    root = parse.roots()[0]
    if parse.tags[0] == "WP" and root == 0 and 1 in parse.children(root, "cop") and parse.tag(2) != "PRP":
        return 2, len(parse) - 2  # after "what is": "The best way, what is?"
    auxiliary = 1 if parse.tags[0] == "WRB" else 0
    subjects = parse.children(root, "nsubj", "expl")
    if auxiliary not in parse.children(root, "aux", "cop") or len(subjects) != 1:
        return None
    return parse.last(subjects[0]) + 1, len(parse) - 2


def _after_request(parse: Parse) -> tuple[int, int] | None:
    """Return the first and last token to be fronted of a request that opens with its verb: its object, or all that follows."""
    first = 2 if parse.tag(1) == "RP" else 1
    group = main_verb_group(parse)
    if group is None or group.mood != "imperative" or group.head > 0 or parse.tag(first) == "PRP":
        return None
    objects = parse.children(0, "obj")
    return first, parse.last(objects[0]) if objects else len(parse) - 2
