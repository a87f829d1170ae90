"""SentenceAuxiliaryNegationRemoval: the negated auxiliaries of a sentence without their "not"."""

from __future__ import annotations

from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.clause import SUBJECTS, VERB_WORDS, clauses_beside, question_tag
from augcse.augmentations.english.negation import (
    DO_FORMS,
    is_contrasted,
    is_needed,
    may_hold_negation,
    negated_auxiliary,
    removal_edits,
    without_not,
)
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, delete_word, edited

Fidelity = Literal["grammatical", "repo"]
# What takes up the subject of the clause before: "It does not save money; it moves it".
_TAKING_UP = frozenset({"it", "that", "they", "this"})
_OF_EITHER_FORM = (
    Refusal("words beside it need it", "He did not only come.", is_needed),
    Refusal("a contrast or an alternative", "He was not a singer but a dancer.", is_contrasted),
)


def _is_corrected(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Tell whether a clause without a conjunction says of the same thing what is so instead: "It is not new, it is old"."""
    head = parse.clause_head(auxiliary)
    same = _TAKING_UP.union(map(parse.word, parse.children(head, *SUBJECTS)))
    beside = (clause for clause in clauses_beside(parse, head) if not parse.children(clause, "cc"))
    return any(parse.word(subject) in same for clause in beside for subject in parse.children(clause, *SUBJECTS))


def _is_opposed(parse: Parse, auxiliary: int, negation: int) -> bool:
    """Tell whether a reason or contrast does not go with the opposite: "did not come because he was ill", "notes it but does not know"."""
    opposing = parse.indices_of(*VERB_WORDS["OPPOSING"] - {"so", "yet"})
    return parse.word(auxiliary - 1) == "but" or max(opposing, default=0) > negation


REFUSALS = (
    Refusal("question tag", "He came, didn't he?", lambda parse, auxiliary, negation: question_tag(parse) is not None),
    *_OF_EITHER_FORM,
    Refusal("correction without a conjunction", "He does not sing; he shouts.", _is_corrected),
    Refusal("reason or contrast", "He did not come because he was ill.", _is_opposed),
)


@augmentation(
    "SentenceAuxiliaryNegationRemoval",
    family="polarity",
    meaning="alteration",
    condition='a "not" after an auxiliary or a copula',
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter auxiliary_negation_removal (Dhole et al. 2021)",
    needs=("parse",),
    example=Example(
        "Ujjal Dev Dosanjh was not the 1st Premier of British Columbia from 1871 to 1872.",
        "Ujjal Dev Dosanjh was the 1st Premier of British Columbia from 1871 to 1872.",
    ),
    refusals=REFUSALS,
    may_change=may_hold_negation,
)
def sentence_auxiliary_negation_removal(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Remove "not" and "n't" after every auxiliary or copula, so that the sentence says the opposite.

    Do-support is undone ("does not like" -> "likes"), and words that need the negation are adapted ("anything" ->
    "something", "yet" -> "already"). Left alone: "not only", "not until", "not X but Y", "neither", "nor", "need not", and all of
    them where one has to stay.
    `fidelity="repo"` does as NL-Augmenter: "do not" is dropped as a whole, nothing else is adapted.
    """
    denied = [(auxiliary, negation) for negation in range(len(parse)) if (auxiliary := negated_auxiliary(parse, negation)) is not None]
    if fidelity == "repo":
        found = [pair for pair in denied if not refused(_OF_EITHER_FORM, parse, *pair)]
        return edited(parse.text, [edit for pair in found for edit in _repo_edits(parse, *pair)])
    edits = [[] if refused(REFUSALS, parse, *pair) else removal_edits(parse, *pair) for pair in denied]
    # One that stays says the opposite of what is left of the rest: "It's not that I don't like it".
    return edited(parse.text, [edit for found in edits for edit in found]) if all(edits) else None


def _repo_edits(parse: Parse, auxiliary: int, negation: int) -> list[Edit]:
    if parse.word(auxiliary) not in DO_FORMS:
        return without_not(parse, auxiliary, negation)
    if negation - auxiliary == 1:
        return [delete_word(parse.text, *parse.span(auxiliary, negation))]
    return [delete_word(parse.text, *parse.span(index)) for index in (auxiliary, negation)]
