"""Contractions written out, or, in a sentence that has none, pairs of words contracted."""

from __future__ import annotations

from pathlib import Path
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.text.edits import edited
from augcse.augmentations.text.phrase_map import read_phrase_map

_DATA = Path(__file__).parent


@augmentation(
    "ContractionExpansions",
    family="surface",
    meaning="highly_preserving",
    condition="a contraction, or words that contract",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter contraction_expansions; CheckList (Ribeiro et al. 2020)",
    example=Example("He often doesn't come to school.", "He often does not come to school."),
)
def contraction_expansions(sentence: str, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Write out the contractions ("doesn't" becomes "does not"); in a sentence without any, contract instead.

    All contractions of the sentence are written out, including those without their apostrophe ("dont") and those that a tokeniser split
    ("is n't"); or all contractible pairs are contracted, left to right without overlap. Nothing is drawn from `rng`.

    Deviations from CheckList, so that the result reads well: `'s` and `'d` become "has", "had" where the next words need it; a question
    keeps its order ("Isn't he coming?" becomes "Is he not coming?", and is left alone when the subject is a longer phrase); "ain't" agrees
    with "I", "you", "we", "they"; possessives stay; a pair is not contracted where its verb is stressed ("yes, he is", "how old he is").
    `fidelity="original"` replaces every entry of the two lists in any context.
    """
    del rng
    apostrophe = "’" if "’" in sentence else "'"
    for table in ("contractions.tsv", "contractible_pairs.tsv"):
        choices = read_phrase_map(_DATA / table).choices(sentence, always=fidelity == "original")
        edits = [choice.edit(choice.replacements[0].replace("'", apostrophe)) for choice in choices if choice.replacements]
        if edits:
            return edited(sentence, edits)
    return None
