"""Words replaced by a mask: the discrete noise that SDA and SimCSE compare with."""

from __future__ import annotations

from random import Random

from augcse.augmentations.base import ANY_LANGUAGE, Example, augmentation
from augcse.augmentations.option_types import MaskText
from augcse.augmentations.text.edits import Edit, apply_edits
from augcse.augmentations.text.words import find_words
from augcse.options import Share


@augmentation(
    "WordMask",
    family="noise",
    meaning="possible_alteration",
    source='SDA (Mao et al. 2022), Table 6, "Mask 15%"',
    example=Example(
        "My grandmother made a soup of carrots, and Mary's cat drank the milk.",
        "My [MASK] made a [MASK] of carrots, and [MASK] cat [MASK] the milk.",
        seed=7,
    ),
    languages=("en", ANY_LANGUAGE),
)
def word_mask(sentence: str, rng: Random, *, rate: Share = 0.15, mask: MaskText = "[MASK]") -> str | None:
    """Replace each word with probability `rate` by the mask.

    If no word is drawn, a random one is masked. None if there are no words.

    Options:
        rate: share of words masked on average.
        mask: the encoder's mask token as text: "[MASK]" for BERT, "<mask>" for RoBERTa.

    Deviation: the paper's figures are those of SimCSE's "MLM 15%", where BERT fills the masks; here they stay masks, as the name says.
    """
    words = find_words(sentence)
    if rate == 0.0 or not words:
        return None
    chosen = [span for span in words if rng.random() < rate] or [rng.choice(words)]
    return apply_edits(sentence, [Edit(start, end, mask) for start, end in chosen])
