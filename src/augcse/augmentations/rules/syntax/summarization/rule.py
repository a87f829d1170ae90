"""Summarization: the bare subject, verb and object of each clause."""

from __future__ import annotations

from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.tree import Tree
from augcse.augmentations.rules.syntax.summarization.clauses import is_sound, is_understood
from augcse.augmentations.rules.syntax.summarization.refusals import lacks_words
from augcse.augmentations.rules.syntax.summarization.summary import SUBJECTS, main_clauses, summarize


@augmentation(
    "Summarization",
    family="syntax",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter summarization_transformation (Dhole et al. 2021)",
    needs=("parse",),
    example=Example(
        "Stillwater is not a 2010 American live-action/animated dark fantasy adventure film.",
        "Stillwater !is film",
    ),
)
def summarization(parse: Parse, rng: Random) -> str | None:
    """Keep the subject, the verb and the object of the main clause; "!" marks a negated verb.

    Of a phrase its head word stays, of a name all of it, of a term of the dictionary too ("heart attack"); a predicate counts as
    object, an intransitive verb keeps its first complement with the preposition. Deterministic. None where the clause is coordinated,
    where the parse is in doubt, or where a word would stay without what it needs ("the campaign turned out"). Deviations from
    NL-Augmenter, whose result can be empty and cuts names ("Parsley Energy" -> "Energy"): names stay whole, auxiliaries stay ("can",
    "was"), a text without a verb is left alone.
    """
    tree = Tree(parse)
    heads = main_clauses(tree)
    if len(heads) != 1 or tree.children(heads[0], "mark") or not tree.children(heads[0], *SUBJECTS):
        return None
    if not is_sound(tree, heads[0]) or not is_understood(tree, heads):
        return None
    summary = summarize(tree, heads[0])
    if lacks_words(summary):
        return None
    return summary.text if _letters(summary.text) != _letters(parse.text) else None


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
