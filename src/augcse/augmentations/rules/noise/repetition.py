"""Word repetition (ESimCSE): a positive of another length and the same meaning."""

from __future__ import annotations

from random import Random

from augcse.augmentations.base import ANY_LANGUAGE, Example, augmentation
from augcse.augmentations.text.edits import Edit, edited
from augcse.augmentations.text.words import find_words
from augcse.options import Share


@augmentation(
    "WordRepetition",
    family="noise",
    meaning="highly_preserving",
    source="ESimCSE (Wu et al. 2022), section 3.1; SDA (Mao et al. 2022), Table 6",
    example=Example(
        "My grandmother made a soup of carrots, and Mary's cat drank the milk.",
        "My grandmother made a soup soup of carrots, and Mary's cat cat drank the milk.",
        seed=7,
    ),
    languages=("en", ANY_LANGUAGE),
)
def word_repetition(sentence: str, rng: Random, *, rate: Share = 0.32) -> str | None:
    """Repeat some words.

    Of n words, k are repeated in place, with k drawn uniformly from 0 to max(2, floor(rate * n)) and at most n. With k = 0 the sentence
    is its own positive: None. The second occurrence follows the first after one space; a comma or bracket comes after both.

    Options:
        rate: the paper's dup_rate, the largest share of words repeated: 0.32 for BERT, 0.30 for RoBERTa, 0.28 for RoBERTa-large.

    Deviations: the paper repeats sub-words of the tokenised sentence, so that "microbiology" can become "micro micro biology"; as text
    that would be split into other pieces, hence whole words here, not counting marks. The published code draws k below
    min(10, rate * n), which caps it at 9 and leaves short sentences as they are; here it is the paper's formula. The capital of the first
    word is repeated too: only the encoder reads it.
    """
    words = find_words(sentence)
    if rate == 0.0 or not words:
        return None
    count = min(len(words), rng.randrange(max(2, int(rate * len(words))) + 1))
    return edited(sentence, [Edit(end, end, f" {sentence[start:end]}") for start, end in rng.sample(words, count)])
