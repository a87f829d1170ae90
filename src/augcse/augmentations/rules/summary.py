"""Summarization: the bare subject, verb and object of each clause."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.clause_doubt import has_lost_object, is_sound, is_understood
from augcse.augmentations.phrase import Tree
from augcse.augmentations.telegram import SUBJECTS, Piece, main_clauses, telegram
from augcse.augmentations.telegram_gap import lacks_words

_REPEATED = re.compile(r"\b(\S.*) and \1\b")
_COPULAS = frozenset({"is", "are", "was", "were"})


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
    """Keep the subject, the verb and the object of the main clause, as in a telegram; "!" marks a negated verb.

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
    pieces = telegram(tree, heads[0])
    summary = " ".join(piece.text for piece in pieces)
    if _says_nothing(pieces) or has_lost_object(tree, heads[0], pieces) or lacks_words(tree, heads, pieces):
        return None
    return summary if _letters(summary) != _letters(parse.text) else None


def _says_nothing(pieces: Sequence[Piece]) -> bool:
    """Tell whether a noun is said of itself, as in "proteins are proteins", or nothing but the subject is left."""
    words = [word.lower() for piece in pieces for word in piece.text.split()]
    nouns = [piece.text.lower() for piece in pieces if piece.kind == "noun"]
    return len(set(words) - _COPULAS) < 2 or len(nouns) > len(set(nouns))


def _letters(text: str) -> str:
    return "".join(filter(str.isalnum, text))
