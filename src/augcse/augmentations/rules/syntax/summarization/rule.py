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
from augcse.augmentations.rules.syntax.summarization.cuts import WORDS, Tree, cuts_of, read
from augcse.augmentations.text.edits import capitalise, last_mark


def _is_no_clause(tree: Tree) -> bool:
    return any(root not in tree.finite or root not in tree.subjects or _is_opened(tree, root) for root in tree.parse.roots())


def _is_opened(tree: Tree, root: int) -> bool:
    """Tell whether a subordinating word opens what the parser takes for the main clause: "When he came, ten people left"."""
    return (root, "mark") in tree.below or any(tree.parse.tags[index] == "WRB" for index in tree.below.get((root, "advmod"), ()))


REFUSALS: tuple[Refusal[[Tree]], ...] = (
    Refusal(
        "colon, dash or open bracket",
        "The bridge, an old one, fell: it rained.",
        lambda tree: not (is_balanced(tree.parse.text) and WORDS["MARK"].isdisjoint(tree.words)),
    ),
    Refusal("no subject with a finite verb", "A quiet place, by the sea.", _is_no_clause),
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

    That is: adverbials in front or between commas, clauses and appositions after a comma, brackets, reasons and times at the end, what is
    said more of a predicate ("is a village in Iran" -> "is a village"), and a second main clause after "and". Deviation from
    NL-Augmenter, which writes the head words of subject, verb and object and "!" for a negation: what is left is a sentence.
    `fidelity="original"` does as NL-Augmenter.
    """
    if fidelity == "original":
        return _head_words(parse)
    tree = read(parse)
    if refused(REFUSALS, tree):
        return None
    cuts = cuts_of(tree)
    text = apply_with_articles(parse.text, cuts)
    text = capitalise(text) if parse.text[:1].isupper() else text
    end = last_mark(parse.text)
    return text if cuts and (end not in ".!?" or last_mark(text) == end) else None


def _head_words(parse: Parse) -> str | None:
    """Return subject, verb and object of every verb as single words, "!" before what is negated."""
    words = []
    for verb in (index for index, upos in enumerate(parse.upos) if upos in ("VERB", "AUX") and parse.children(index, *SUBJECTS)):
        negated = any(parse.is_negation(index) for index in parse.children(verb, "advmod"))
        parts = [*parse.children(verb, *SUBJECTS), verb, *parse.children(verb, "obj", "obl", "xcomp")]
        words += ["!" * (negated and index == verb) + parse.tokens[index] for index in parts]
    return " ".join(words) or None
