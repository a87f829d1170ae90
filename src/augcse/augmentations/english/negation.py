"""A "not" after an auxiliary: whether it can be taken away, and the edits that do so."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import takewhile
from typing import Any

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import (
    AUXILIARIES,
    SUBJECTS,
    VERB_WORDS,
    bare_conjuncts,
    clauses_beside,
    full_form,
    is_inverted,
    verbs_of,
)
from augcse.augmentations.english.inflection import word_form
from augcse.augmentations.text.edits import Edit, delete_word, match_case

# "not" and "cannot", "n't" of any word, and what a tokenizer parts into a verb and "nt".
_NOT = re.compile(
    r"(?<![a-z])(?:can)?not(?![a-z])|n ?['’]t|(?<![a-z])"
    r"(?:ai|are|ca|could|dare|did|does|do|had|has|have|is|may|might|must|need|ought|sha|should|was|were|wo|would)?nt(?![a-z])"
)
DO_FORMS = {"do": "VB", "does": "VBZ", "did": "VBD"}
# Anywhere after the "not".
_ALTERNATIVES = ("nor", "neither", "until", "till", "unless", "rather", "instead", "whether", "whereas")
# What becomes of words that live on the negation.
AFFIRMATIVE = {
    "any": "some", "anything": "something", "anyone": "someone", "anybody": "somebody", "anywhere": "somewhere",
    "yet": "already", "either": "too", "anymore": "", "ever": "", "remotely": "", "whatsoever": "", "much": "a lot", "long": "a long time",
}  # fmt: skip
_CAN = frozenset({"ca", "can", "could"})
_OF_ONE = frozenset({"a", "an", "one", "single"})
# What takes up the subject of the clause before: "It does not save money; it moves it".
_TAKING_UP = frozenset({"it", "that", "they", "this"})
_NEGATIVE_PAIRS = frozenset({("any", "more"), ("any", "longer"), ("any", "further"), ("at", "all")})


def may_hold_negation(text: str, **_: Any) -> bool:
    """Tell whether a parse of the text may hold a "not", "n't" or, after an auxiliary, "nt"."""
    return _NOT.search(text.lower()) is not None


def negated_auxiliary(parse: Parse, negation: int) -> int | None:
    """Return the auxiliary before the negation, if it is one: adjacent, before an adverb, or before the subject of a question."""
    if not parse.is_negation(negation):
        return None
    position = negation - 1
    while parse.tag(position) == "RB":
        position -= 1
    if parse.word(position) in AUXILIARIES:
        return position
    # "Why do people not come?"
    subjects = (index for index in range(position + 1) if parse.has_label(index, "nsubj", "expl") and parse.last(index) == position)
    return max((index for index in range(next(subjects, 0)) if parse.word(index) in AUXILIARIES), default=None)


def is_needed(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Tell whether the words beside the "not" need it: "not only", "may or may not", "were it not for", a final "he's not"."""
    following = parse.word(negation + 1)
    is_stranded = parse.tokens[auxiliary][0] in "'’" and not following[:1].isalnum()
    before = parse.word(auxiliary - 1)
    if "still" in (before, parse.word(negation - 1)) and parse.word(auxiliary) in VERB_WORDS["HAVE"] | VERB_WORDS["DO"]:
        return True  # "still has not come"
    is_condition = parse.word(negation - 1) == "it" and "for" in (following, parse.word(negation + 2))
    # "Aren't I?", "Just because it is cheap does not mean that it is bad."
    is_idiom = (parse.word(auxiliary), following) == ("are", "i") or (parse.word(0), parse.word(1)) == ("just", "because")
    is_set = is_stranded or is_condition or is_idiom or before == "or" or following in VERB_WORDS["KEEPS_NOT"]
    return is_set or _has_period(parse, auxiliary)


def _has_period(parse: Parse, auxiliary: int) -> bool:
    """Tell whether it is said in, or for, what time a thing has not been done: "has not come in years"."""
    times = [index for index in parse.children(parse.clause_head(auxiliary), "obl") if parse.word(index) in VERB_WORDS["PERIOD"]]
    spans = {parse.word(case) for index in times for case in parse.children(index, "case")}
    return parse.word(auxiliary) in VERB_WORDS["HAVE"] and not spans.isdisjoint(("in", "for"))


def lives_on_denial(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Tell whether words after a negative one say something under it alone: "not a soul", "never in my life", "can't stand it"."""
    rest = range(negation + 1, len(parse))
    if any(parse.word(index) in _OF_ONE and parse.word(index + 1) in VERB_WORDS["MINIMISER"] for index in rest):
        return True
    near = {parse.word(index) for index in rest[:3]}
    if parse.word(auxiliary) in _CAN and (parse.word(negation + 1) in VERB_WORDS["AFTER_CANNOT"] or "enough" in near):
        return True
    return _has_period(parse, auxiliary)


def is_contrasted(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Tell whether what is denied stands beside what is not: "was not a singer but a dancer", "is not sure whether", "any more than"."""
    if any((parse.word(index + 1), parse.word(index + 2)) == ("more", "than") for index in parse.indices_of("any")):
        return True
    least = [index for index in parse.indices_of("least") if parse.word(index + 1) == "of"]  # "pleased nobody, least of all him"
    asked = [index for index in parse.indices_of("if") if parse.word(index - 1) in VERB_WORDS["BEFORE_IF"]]
    if any(index > negation for index in (*parse.indices_of(*_ALTERNATIVES), *asked, *least)):
        return True
    return any(index > negation and not parse.children(parse.heads[index], "nsubj", "expl") for index in parse.indices_of("but"))


def is_corrected(parse: Parse, auxiliary: int) -> bool:
    """Tell whether a clause without a conjunction says of the same thing what is so instead: "It is not new, it is old"."""
    head = parse.clause_head(auxiliary)
    same = _TAKING_UP.union(map(parse.word, parse.children(head, *SUBJECTS)))
    beside = [clause for clause in clauses_beside(parse, head) if not parse.children(clause, "cc")]
    instead = (clause for clause in beside if not any(map(parse.is_negation, parse.children(clause, "advmod"))))
    return any(parse.word(subject) in same for clause in instead for subject in parse.children(clause, *SUBJECTS))


def removal_edits(parse: Parse, auxiliary: int, negation: int, *, polarity: bool = True) -> list[Edit]:
    """Return the edits that take "not" from its auxiliary, with do-support undone; none if a form is in doubt.

    `polarity` adapts the words that live on the negation ("anything" -> "something").
    """
    head = parse.clause_head(auxiliary)
    if is_inverted(parse, head, auxiliary):
        if parse.word(0) == "why" and parse.indices_of("yet", "anymore"):
            return []  # "Why aren't you ready yet?"
        return without_not(parse, auxiliary, negation)
    verb = _bare_verb(parse, auxiliary, negation, head)
    if verb is None and parse.word(auxiliary) in DO_FORMS and parse.token(negation + 1)[:1].isalnum():
        return []  # a verb that the tagger took for something else: "do not tumble dry"
    edits = without_not(parse, auxiliary, negation) if verb is None else _without_do(parse, auxiliary, negation, verb)
    return [*edits, *polarity_edits(parse, negation, head)] if edits and polarity else edits


def without_not(parse: Parse, auxiliary: int, negation: int) -> list[Edit]:
    """Return the edits that take "not" from its auxiliary and leave all else, the auxiliary in its full form."""
    word = parse.tokens[auxiliary]
    full = word if word[0] in "'’" else full_form(parse, auxiliary)
    return [Edit(*parse.span(auxiliary), match_case(word, full)), delete_word(parse.text, *parse.span(negation))]


def _bare_verb(parse: Parse, auxiliary: int, negation: int, head: int) -> int | None:
    """Return the bare verb that do-support carries; None if the auxiliary is another one, or stands alone."""
    if parse.word(auxiliary) not in DO_FORMS:
        return None
    return next((index for index in verbs_of(parse, head) if index > negation and parse.upos[index] in ("VERB", "AUX")), None)


def _without_do(parse: Parse, auxiliary: int, negation: int, verb: int) -> list[Edit]:
    """Return the edits for "did not go" -> "went"; none at all if a form is in doubt."""
    tag = DO_FORMS[parse.word(auxiliary)]
    forms = {index: word_form(parse.word(index), tag) or "" for index in (verb, *bare_conjuncts(parse, verb))}
    if not all(forms.values()):
        return []
    following = negation + 1
    kept = "already" if parse.word(following) == "yet" else parse.tokens[following]  # "do not yet have it"
    first = match_case(parse.tokens[auxiliary], forms.pop(following, kept))
    cut = Edit(*parse.span(auxiliary, following), first)
    return [cut, *(Edit(*parse.span(index), form) for index, form in forms.items())]


def polarity_edits(parse: Parse, negation: int, head: int) -> Iterator[Edit]:
    """Yield the edits that adapt or cut what after a negation lives on it: "not seen anything yet" -> "seen something already"."""
    own = clauses_beside(parse, head)
    for index in parse.indices_of("at", *AFFIRMATIVE):
        if index <= negation or not parse.is_below(index, head) or any(parse.is_below(index, clause) for clause in own):
            continue
        if _is_in_condition(parse, index, head):
            continue
        if (parse.word(index), parse.word(index + 1)) in _NEGATIVE_PAIRS:
            yield delete_word(parse.text, *parse.span(index, index + 1))
        elif (instead := _affirmed(parse, index, negation)) == "":
            yield delete_word(parse.text, *parse.span(index))
        elif instead is not None:
            yield Edit(*parse.span(index), instead)
    if _is_mere_degree(parse, negation + 1):
        yield delete_word(parse.text, *parse.span(negation + 1))


def _is_mere_degree(parse: Parse, index: int) -> bool:
    """Tell whether a word is the "too" of "not too bad", which is cut with "not"; not that of "not too old to learn"."""
    bounds = {"to", "for"}.isdisjoint(map(parse.word, range(index + 2, len(parse))))
    return parse.word(index) == "too" and parse.tag(index + 1) in ("JJ", "RB") and bounds


def _is_in_condition(parse: Parse, index: int, head: int) -> bool:
    """Tell whether a word asks for no "not": in a condition or question ("if you take any"), or "anyone who" in a joined clause."""
    above = [*takewhile(lambda step: step != head, parse.path(index))]
    if parse.children(index, "acl:relcl") and any(parse.has_label(step, "conj") for step in above):
        return True  # "..., and anyone who says so is wrong"
    return any(parse.word(mark) in ("if", "whether", "unless") for step in above for mark in parse.children(step, "mark"))


def _affirmed(parse: Parse, index: int, negation: int) -> str | None:
    word, at_end = parse.word(index), not parse.word(index + 1)[:1].isalnum()
    if word in ("much", "long"):
        is_free = parse.tag(index - 1) not in ("RB", "IN", "DT", "WRB")  # not "so much", "for long"
        if is_free and word == "much" and parse.tag(index + 1) == "NN":
            return "a lot of"
        return AFFIRMATIVE[word] if is_free and at_end else None
    if word == "any" and parse.tag(index + 1) in ("JJR", "RBR"):
        return ""  # "any richer"
    if word.startswith("any") and parse.word(index - 1) in ("than", "virtually", "almost", "nearly"):
        return None  # "larger than any other"
    if word == "either" and parse.word(index + 1) == "of":
        return "both"
    is_other = word in ("yet", "either") and not at_end and index != negation + 1
    return None if is_other else AFFIRMATIVE.get(word)
