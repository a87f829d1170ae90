"""A "not" after an auxiliary: whether it can be removed, and the edits that do so."""

from __future__ import annotations

from augcse.annotation.parse import Parse
from augcse.augmentations.english.clause import (
    AUXILIARIES,
    SUBJECTS,
    VERB_WORDS,
    bare_conjuncts,
    before_adverbs,
    clauses_beside,
    full_form,
    is_inverted,
    verbs_of,
)
from augcse.augmentations.english.inflection import word_form
from augcse.augmentations.english.marks import asks, ends_clause
from augcse.augmentations.english.polarity import items
from augcse.augmentations.text.edits import Edit, delete_word, match_case

_DO_FORMS = {"do": "VB", "does": "VBZ", "did": "VBD"}
# Subjects that refer to that of the clause before: "It does not save money; it moves it".
_REFERRING = frozenset({"he", "it", "she", "that", "they", "this"})


def negated_auxiliary(parse: Parse, negation: int) -> int | None:
    """Return the auxiliary that a "not" negates: right before it and its adverbs, or before the subject of a question; None if none."""
    if not parse.is_negation(negation):
        return None
    position = before_adverbs(parse, negation)
    if parse.word(position) in AUXILIARIES:
        return position
    # The subject of a question comes between: "Why do people not come?"
    subjects = (index for index in range(position + 1) if parse.has_label(index, "nsubj", "expl") and parse.last(index) == position)
    return max((index for index in range(next(subjects, 0)) if parse.word(index) in AUXILIARIES), default=None)


def is_needed(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Return whether words next to the "not" need it: "not only", "may or may not", "simply cannot", "aren't I", "and she is not"."""
    before, following, head = parse.word(auxiliary - 1), parse.word(negation + 1), parse.clause_head(auxiliary)
    if before in ("or", "just", "simply") or following in VERB_WORDS["KEEPS_NOT"] or (parse.word(auxiliary), following) == ("are", "i"):
        return True
    if (following == "," or ends_clause(parse, negation + 1)) and (parse.tokens[auxiliary][0] in "'’" or parse.deps[head] == "conj"):
        return True  # "No, he's not.", "He came and she did not."
    opens = all(parse.has_label(before, "cc", "discourse", "punct") for before in parse.children(head) if before < auxiliary)
    if opens and not asks(parse, auxiliary) and is_inverted(parse, head, auxiliary):
        return True  # "Don't you dare!"
    return "still" in (before, parse.word(negation - 1)) and parse.word(auxiliary) in VERB_WORDS["HAVE"] | VERB_WORDS["DO"]


def is_corrected(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Return whether a clause without a conjunction says what is true of the subject instead: "It is not new, it is old"."""
    head = parse.clause_head(auxiliary)
    same_subjects = _REFERRING.union(map(parse.word, parse.children(head, *SUBJECTS)))
    # The correction may be joined to the clause above: "Note that it is not new; it is old".
    heads = {head, parse.heads[head]} if parse.has_label(head, "ccomp") else {head}
    joined = (clause for above in heads for clause in clauses_beside(parse, above) if not parse.children(clause, "cc"))
    return any(parse.word(subject) in same_subjects for clause in joined for subject in parse.children(clause, *SUBJECTS))


def removal_edits(parse: Parse, auxiliary: int, negation: int, *, polarity: bool = True) -> list[Edit]:
    """Return the edits that remove "not" after its auxiliary and undo do-support; none if a verb form is in doubt.

    `polarity` also adapts the negative-polarity items ("anything" -> "something").
    """
    head = parse.clause_head(auxiliary)
    if is_inverted(parse, head, auxiliary):
        return _without_not(parse, auxiliary, negation)
    verbs = (*verbs_of(parse, head), head)  # the head too, which the tagger may have taken for a noun: "Did he not dance?"
    verb = next((index for index in verbs if index > negation), None) if parse.word(auxiliary) in _DO_FORMS else None
    edits = _without_not(parse, auxiliary, negation) if verb is None else _without_do(parse, auxiliary, negation, verb)
    return [*edits, *affirming_edits(parse, head, negation)] if edits and polarity else edits


def _without_not(parse: Parse, auxiliary: int, negation: int) -> list[Edit]:
    """Return the edits that remove "not" and write its auxiliary in full ("wo" -> "will")."""
    word = parse.tokens[auxiliary]
    full = word if word[0] in "'’" else full_form(parse, auxiliary)
    return [Edit(*parse.span(auxiliary), match_case(word, full)), delete_word(parse.text, *parse.span(negation))]


def _without_do(parse: Parse, auxiliary: int, negation: int, verb: int) -> list[Edit]:
    """Return the edits for "did not go" -> "went"; none if a verb form is in doubt or a mark follows the "not"."""
    tag = _DO_FORMS[parse.word(auxiliary)]
    forms = {index: word_form(parse.word(index), tag) or "" for index in (verb, *bare_conjuncts(parse, verb))}
    following = negation + 1
    if not all(forms.values()) or not parse.tokens[following][0].isalnum():  # "they do not, in themselves, show it"
        return []
    kept = "already" if parse.word(following) == "yet" else parse.tokens[following]  # "do not yet have it"
    first = match_case(parse.tokens[auxiliary], forms.pop(following, kept))
    cut = Edit(*parse.span(auxiliary, following), first)
    return [cut, *(Edit(*parse.span(index), form) for index, form in forms.items())]


def affirming_edits(parse: Parse, head: int, negation: int) -> list[Edit]:
    """Return the edits that adapt or remove what needs the negation of a clause: "anything yet" -> "something already".

    Those in a clause joined to it are none of its: "He is not ill, and eats more than any".
    """
    beside = clauses_beside(parse, head)
    needing = {index: item for index, item in items(parse, denied=True).items() if index > negation}
    return [item.edit(parse, index, item.affirmed) for index, item in needing.items() if not set(beside) & set(parse.path(index))]
