"""Discourse markers replaced by markers of the same Penn Discourse Treebank class, where the position allows it."""

from __future__ import annotations

from pathlib import Path
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.option_types import Fidelity
from augcse.augmentations.text.edits import apply_edits
from augcse.augmentations.text.phrase_map import read_phrase_map

_DATA = Path(__file__).parent
_TABLES = {"grammatical": _DATA / "discourse_markers.tsv", "original": _DATA / "original_markers.tsv"}


@augmentation(
    "DiscourseMarkerSubstitution",
    family="surface",
    meaning="highly_preserving",
    condition="a discourse marker with another one for the same relation",
    source="AugCSE (Tang et al. 2022), A.2; Pitler et al. (2008); PDTB 2.0 (Prasad et al. 2008)",
    example=Example("He stayed at home because he was ill.", "He stayed at home since he was ill."),
)
def discourse_marker_substitution(sentence: str, rng: Random, *, fidelity: Fidelity = "grammatical") -> str | None:
    """Replace one discourse marker by another that signals the same relation.

    One marker of the sentence and one of its substitutes are drawn from `rng`.

    A word is replaced only where it is a discourse marker, as the paper's text requires: adverbs must be set off by commas or come before
    a verb, subordinators must open a clause, "since" must give a reason ("since July" and "two years later" stay), and substitutes fit the
    marker's position. `fidelity="original"` replaces the markers of NL-Augmenter's list in any context, which gives the paper's own example
    ("13% since July" becomes "13% inasmuch as July").
    """
    choices = [choice for choice in read_phrase_map(_TABLES[fidelity]).choices(sentence) if choice.replacements]
    if not choices:
        return None
    choice = rng.choice(choices)
    return apply_edits(sentence, [choice.edit(rng.choice(choice.replacements))])
