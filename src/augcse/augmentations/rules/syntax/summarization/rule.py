"""Summarization: the bare subject, verb and object of each clause."""

from __future__ import annotations

from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.tree import Tree
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.refusals import refused
from augcse.augmentations.rules.syntax.summarization.refusals import REFUSALS
from augcse.augmentations.rules.syntax.summarization.summary import SUBJECTS, is_clause, summarize


@augmentation(
    "Summarization",
    family="syntax",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter summarization_transformation (Dhole et al. 2021)",
    needs=("parse",),
    condition="a statement with a subject and a verb",
    example=Example(
        "Stillwater is not a 2010 American live-action/animated dark fantasy adventure film.",
        "Stillwater !is film",
    ),
    refusals=REFUSALS,
)
def summarization(parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Keep the subject, the verb and the object of the main clause; "!" marks a negated verb.

    Of a phrase its head word stays, of a name all of it, of a term of the dictionary too ("heart attack"); a predicate counts as
    object, an intransitive verb keeps its first complement with the preposition, coordinated words and clauses stay together.
    Deterministic. Deviations from NL-Augmenter, whose result can be empty and cuts names ("Parsley Energy" -> "Energy"): names stay
    whole, auxiliaries stay ("can", "was"). `fidelity="original"` writes the head words of subject, verb and object as NL-Augmenter does.
    """
    tree = Tree(parse)
    if fidelity == "original":
        return _head_words(tree)
    roots = parse.roots()
    if len(roots) != 1 or not is_clause(tree, roots[0]) or not tree.children(roots[0], *SUBJECTS):
        return None
    summary = summarize(tree, roots[0])
    if refused(REFUSALS, summary):
        return None
    return summary.text if _letters(summary.text) != _letters(parse.text) else None


def _head_words(tree: Tree) -> str | None:
    """Return subject, verb and object of every verb as single words, "!" before what is negated."""
    parse, words = tree.parse, []
    for verb in (place for place, upos in enumerate(parse.upos) if upos in ("VERB", "AUX") and tree.children(place, *SUBJECTS)):
        negated = any(parse.is_negation(place) for place in tree.children(verb, "advmod"))
        parts = [*tree.children(verb, *SUBJECTS), verb, *tree.children(verb, "obj", "obl", "xcomp")]
        words += ["!" * (negated and place == verb) + parse.tokens[place] for place in parts]
    return " ".join(words) or None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
