"""SentenceNegation of SDA's later version: the negation of the main clause toggled once."""

from __future__ import annotations

from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.clause import VERB_WORDS
from augcse.augmentations.english.toggled_negation import (
    AFFIRMED,
    has_restriction,
    has_two_negations,
    not_before_imperative,
    not_in_question,
    with_not,
    without_negation,
)
from augcse.augmentations.english.verb_group import VerbGroup, asks_what_is, is_reduced_passive, main_verb_group, negations
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import apply_edits


def _gives_reason(group: VerbGroup) -> bool:
    """Tell whether another clause opposes the denied one, gives its reason or says by what means: "He lost, but did win later."."""
    parse = group.parse
    opposing = [
        index
        for index in parse.indices_of(*VERB_WORDS["OPPOSING"])
        if parse.deps[index] == "mark" or (parse.deps[index] == "cc" and index > group.finite)
    ]
    means = (index for index in parse.indices_of("by") if parse.tag(index + 1) == "VBG")
    return any(parse.heads[parse.heads[index]] in (group.head, parse.heads[group.head]) for index in (*opposing, *means))


REFUSALS = (
    Refusal("opposed or reasoned", "He lost, but he won later.", _gives_reason),
    Refusal("asks what or where a thing is", "What is the reason?", asks_what_is),
    Refusal("two negative words", "He is neither rich nor happy.", has_two_negations),
    Refusal("restricted", "He is only walking.", has_restriction),
    Refusal("perhaps a participle of a headline", "Motorists killed after tunnel collapses", is_reduced_passive),
)


@augmentation(
    "SentenceNegation",
    family="polarity",
    meaning="alteration",
    source="SDA (Zhu et al. 2024, arXiv v3), negation for hard negatives",
    needs=("parse",),
    example=Example("The old man walks to the harbour.", "The old man does not walk to the harbour."),
    refusals=REFUSALS,
)
def sentence_negation(parse: Parse, rng: Random) -> str | None:
    """Toggle the negation of the main clause exactly once, so that the sentence says the opposite.

    A negative word of the main clause is taken out ("does not walk" -> "walks", "no" -> "some"); without one, "not" is put
    after the auxiliary or copula, with do-support before a bare verb ("walks" -> "does not walk"); "Do you like it?" becomes "Don't you
    like it?", "Close it." becomes "Do not close it.". Deviation: the released code adds a bare "not" or "do not".
    """
    group = main_verb_group(parse)
    if group is None or refused(REFUSALS, group):
        return None
    present = negations(parse)
    if present:
        edits = without_negation(group, present[0], AFFIRMED)
    elif group.mood == "statement":
        edits = with_not(group)
    else:
        edits = not_in_question(group) if group.mood == "question" else not_before_imperative(group)
    return apply_edits(parse.text, edits) if edits else None
