"""SentenceAuxiliaryNegationRemoval: "not" removed after the auxiliaries of a sentence."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import takewhile
from random import Random
from typing import Any

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.clause import AUXILIARIES, question_tag
from augcse.augmentations.english.conjunctions import is_contrasted, is_opposed
from augcse.augmentations.english.negation import is_corrected, is_needed, negated_auxiliary, removal_edits
from augcse.augmentations.option_types import RepoFidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import delete_word, edited

# "not" and "cannot", "n't" of any word, and words that a tokenizer splits into an auxiliary and "nt".
_NOT = re.compile(rf"\b(?:can)?not\b|n ?['’]t|\b(?:{'|'.join(AUXILIARIES)})?nt\b")
# NL-Augmenter's list: neither "does" nor "did".
_PUBLISHED = frozenset("am are can could do had has have is may might must shall should was were will would".split())


def _may_hold_negation(text: str, **_: Any) -> bool:
    """Return whether a parse of the text may have a "not", "n't" or, after an auxiliary, "nt"."""
    return _NOT.search(text.lower()) is not None


REFUSALS = (
    Refusal("question tag", "He came, didn't he?", lambda parse, auxiliary, negation: question_tag(parse) is not None),
    Refusal("words beside it need it", "He did not only come.", is_needed),
    Refusal("a contrast or an alternative", "He was not a singer but a dancer.", is_contrasted),
    Refusal("correction without a conjunction", "He does not sing; he shouts.", is_corrected),
    Refusal(
        "reason or contrast",
        "He did not come because he was ill.",
        lambda parse, auxiliary, negation: any(is_opposed(parse, head) for head in parse.path(parse.clause_head(auxiliary))),
    ),
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
    may_change=_may_hold_negation,
)
def sentence_auxiliary_negation_removal(parse: Parse, rng: Random, *, fidelity: RepoFidelity = "grammatical") -> str | None:
    """Remove "not" and "n't" after every auxiliary or copula, so that the sentence says the opposite.

    Do-support is undone ("does not like" -> "likes"), and negative-polarity items are adapted ("anything" -> "something",
    "yet" -> "already"). What a denied clause says keeps its "not" ("I want you to think you can't"). Left alone: "not only",
    "not until", "not X but Y", "neither", "nor", "need not", and all negations of a sentence if one of them has to stay.
    `fidelity="repo"` does what NL-Augmenter does, which leaves nothing alone: "not" is removed after forms of "be" and "have" and some
    modals, "do not" as a whole, "does not" and "did not" stay, and nothing else is adapted.
    """
    if fidelity == "repo":
        return _as_published(parse)
    pairs = ((negated_auxiliary(parse, negation), negation) for negation in range(len(parse)))
    denied = [(parse.clause_head(auxiliary), auxiliary, negation) for auxiliary, negation in pairs if auxiliary is not None]
    heads = {head for head, *_ in denied}
    removals = [
        [] if refused(REFUSALS, parse, auxiliary, negation) else removal_edits(parse, auxiliary, negation)
        for head, auxiliary, negation in denied
        if not _completes_another(parse, head, heads)
    ]
    # With one "not" left, the sentence may not say the opposite: "It's not that I don't like it".
    return edited(parse.text, [edit for removal in removals for edit in removal]) if all(removals) else None


def _completes_another(parse: Parse, head: int, denied: Collection[int]) -> bool:
    """Return whether a clause is part of a denied one, which says the opposite without it: "I do not want you to say you cannot"."""
    path = takewhile(lambda step: not parse.has_label(step, "advcl", "conj", "parataxis"), parse.path(head))
    return any(parse.heads[step] in denied and parse.heads[step] != step for step in path)


def _as_published(parse: Parse) -> str | None:
    negations = [index for index in range(len(parse)) if parse.is_negation(index) and parse.word(index - 1) in _PUBLISHED]
    spans = (parse.span(index - 1 if parse.word(index - 1) == "do" else index, index) for index in negations)
    return edited(parse.text, [delete_word(parse.text, *span) for span in spans])
