"""British spellings made American, or, in a sentence that has none, American ones made British."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import edited
from augcse.augmentations.text.phrase_map import PhraseMap
from augcse.augmentations.text.tables import data_rows

REFUSALS = (Refusal("in a name", "She joined the Labour Party in Gray County.", lambda around: around.in_name),)


@cache
def _new_spellings(to_american: bool) -> dict[str, str]:
    """Return the new spelling of each word; rows with a third cell are only for British to American."""
    rows = data_rows(Path(__file__).with_name("spellings.tsv"))
    if to_american:
        return {british: american for british, american, *_ in rows}
    return {row[1]: row[0] for row in rows if len(row) == 2}


@cache
def _table(to_american: bool) -> PhraseMap:
    return PhraseMap((old, lambda around: True, (new,)) for old, new in _new_spellings(to_american).items())


@augmentation(
    "SpellingVariants",
    family="surface",
    meaning="highly_preserving",
    condition="a word with two spellings",
    source="augcse; the idea: NL-Augmenter americanize_britishize_english (Dhole et al. 2021)",
    example=Example("She painted the centre grey.", "She painted the center gray."),
    refusals=REFUSALS,
)
def spelling_variants(sentence: str, rng: Random) -> str | None:
    """Spell the British words of a sentence the American way ("colour" becomes "color"); without any, American ones the British way.

    All words change in one direction, or none (names aside); "-ize", which is British too, becomes "-ise". Nothing is drawn from `rng`.
    """
    del rng
    for to_american in (True, False):
        if choices := list(_table(to_american).choices(sentence)):
            edits = [choice.edit(new) for choice in choices for new in choice.replacements if not refused(REFUSALS, choice.around)]
            # A word that cannot change, as part of a longer one ("well-organized"), is counted, but is not a choice: then none may change.
            count = sum(word in _new_spellings(to_american) for word in re.findall(r"[^\W\d_]+", sentence.lower()))
            return edited(sentence, edits) if count <= len(choices) else None
    return None
