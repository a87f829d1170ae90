"""Summarization: a sentence without the parts that it can do without."""

from __future__ import annotations

from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import apply_with_articles
from augcse.augmentations.english.clause import SUBJECTS
from augcse.augmentations.english.phrase import is_balanced
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.rules.syntax.summarization.cuts import WORDS, Tree, cuts_of, tree_of
from augcse.augmentations.text.edits import capitalise, last_mark


def _has_fragment(tree: Tree) -> bool:
    return any(root not in tree.finite or root not in tree.subjects or _is_subordinate(tree, root) for root in tree.parse.roots())


def _is_subordinate(tree: Tree, root: int) -> bool:
    """Return whether the clause that the parser took for the main one has a subordinator: "When he came, ten people left"."""
    adverbs = tree.children.get((root, "advmod"), ())
    return (root, "mark") in tree.children or any(tree.parse.tags[index] == "WRB" for index in adverbs)


REFUSALS: tuple[Refusal[[Tree]], ...] = (
    Refusal(
        "colon, dash or open bracket",
        "The bridge, an old one, fell: it rained.",
        lambda tree: not (is_balanced(tree.parse.text) and WORDS["MARK"].isdisjoint(tree.parse.words)),
    ),
    Refusal("no subject with a finite verb", "A quiet place, by the sea.", _has_fragment),
)


@augmentation(
    "Summarization",
    family="syntax",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter summarization_transformation (Dhole et al. 2021)",
    needs=("parse",),
    condition="a clause with something that it can do without",
    example=Example(
        "In 1920, the old bridge, which was built by monks, fell into the river (no one was hurt).",
        "The old bridge fell into the river.",
    ),
    refusals=REFUSALS,
)
def summarization(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Leave out what the main clause can do without; deterministic.

    That is: adverbials in front or between commas, clauses and appositions after a comma, brackets, reasons and times at the end, the
    place in a predicate ("is a village in Iran" -> "is a village"), and a second main clause after "and". Deviation from NL-Augmenter,
    which writes the head words of subject, verb and object and "!" for a negation: the result is a sentence. `fidelity="original"` does
    as NL-Augmenter.
    """
    if fidelity == "original":
        return _head_words(parse)
    tree = tree_of(parse)
    if refused(REFUSALS, tree):
        return None
    cuts = cuts_of(tree)
    summary, end_mark = apply_with_articles(parse.text, cuts), last_mark(parse.text)
    has_lost_mark = end_mark in ".!?" and last_mark(summary) != end_mark
    if not cuts or has_lost_mark:
        return None
    return capitalise(summary) if parse.text[:1].isupper() else summary


def _head_words(parse: Parse) -> str | None:
    """Return subject, verb and object of every verb as single words, "!" before a negated verb; None if no verb has a subject."""
    words: list[str] = []
    verbs = (index for index, upos in enumerate(parse.upos) if upos in ("VERB", "AUX") and parse.children(index, *SUBJECTS))
    for verb in verbs:
        negation = "!" if any(parse.is_negation(index) for index in parse.children(verb, "advmod")) else ""
        subjects, objects = parse.children(verb, *SUBJECTS), parse.children(verb, "obj", "obl", "xcomp")
        words += [*map(parse.token, subjects), negation + parse.tokens[verb], *map(parse.token, objects)]
    return " ".join(words) or None
