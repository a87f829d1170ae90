"""Noise on whole words: swap, delete, crop, as EDA and nlpaug do, without touching punctuation or spacing."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from augcse.augmentations.base import ANY_LANGUAGE, Example, augmentation
from augcse.augmentations.english.whole_words import Span, first_as_inner, rearranged, without_words, word_text
from augcse.augmentations.text.words import find_words
from augcse.options import Share


@augmentation(
    "RandomSwap",
    family="noise",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; EDA (Wei and Zou 2019); nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The cat sat on mat the, again.", seed=10),
    languages=("en", ANY_LANGUAGE),
)
def random_swap(sentence: str, rng: Random, *, rate: Share = 0.3, adjacent: bool = True) -> str | None:
    """Exchange random pairs of words.

    Of n words, `max(1, round(rate * n / 2))` disjoint pairs are exchanged, so that a share `rate` of the words moves.
    A pair is two neighbours, as in nlpaug's default mode, or with `adjacent=False` any two words, as in EDA. Two
    equal words are never paired. None for fewer than two words.

    Deviations from nlpaug, which draws `int(0.3 * n)` swaps (1 to 10) that may overlap and undo each other: pairs are
    disjoint, commas, brackets and quotes stay in place, and the closing punctuation stays last.
    """
    words = find_words(sentence)
    if rate == 0.0 or len(words) < 2:
        return None
    pairs = _pairs(sentence, words, max(1, round(rate * len(words) / 2)), adjacent, rng)
    return rearranged(sentence, words, dict([*pairs, *((other, one) for one, other in pairs)])) if pairs else None


def _shuffled(count: int, rng: Random) -> Iterator[int]:
    """Yield 0 to `count` - 1 in random order; only the numbers that are asked for are drawn."""
    indices = list(range(count))
    for last in range(count - 1, -1, -1):
        bits = (last + 1).bit_length()
        drawn = rng.getrandbits(bits)
        while drawn > last:
            drawn = rng.getrandbits(bits)
        yield indices[drawn]
        indices[drawn] = indices[last]


def _pairs(sentence: str, words: list[Span], count: int, adjacent: bool, rng: Random) -> list[tuple[int, int]]:
    """Return up to `count` disjoint pairs of words to exchange."""
    order = _shuffled(len(words), rng)
    taken: set[int] = {len(words)}  # the index after the last word is not one
    pairs: list[tuple[int, int]] = []
    for one, other in ((one, one + 1) for one in order) if adjacent else pairwise(order):
        if one in taken or other in taken or word_text(sentence, words[one]).lower() == word_text(sentence, words[other]).lower():
            continue
        if (one == 0 or other == 0) and first_as_inner(sentence, words) is None:
            continue  # the capital may be that of a name
        if max(one, other) == len(words) - 1 and any("." in word_text(sentence, words[index]) for index in (one, other)):
            continue  # a word with a dot would come before the full stop: "Ltd.."
        if _opens_quote(sentence, words[one]) or _opens_quote(sentence, words[other]):
            continue
        pairs.append((one, other))
        if len(pairs) == count:
            break
        taken |= {one, other}
    return pairs


def _opens_quote(sentence: str, word: Span) -> bool:
    """Return whether the word has a capital after an opening quote or bracket, perhaps as the first word of a quotation."""
    start = word[0]
    return sentence[start].isupper() and start > 0 and not sentence[start - 1].isspace()


@augmentation(
    "RandomDeletion",
    family="noise",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; EDA (Wei and Zou 2019); nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The cat on mat, again.", seed=19),
    languages=("en", ANY_LANGUAGE),
)
def random_deletion(sentence: str, rng: Random, *, rate: Share = 0.3) -> str | None:
    """Delete each word with probability `rate`.

    If no word is drawn, a random one is deleted; if all are, a random one stays. The comma after a deleted word is deleted
    too, but not a bracket or quote whose partner stays. None for fewer than two words.

    Deviation from nlpaug, which deletes `int(0.3 * n)` words (1 to 10): the number is binomial, as in EDA.
    """
    words = find_words(sentence)
    if rate == 0.0 or len(words) < 2:
        return None
    deleted = [0] if rng.random() < rate else []
    random = rng.random  # bound after the first draw, which seeds the stream
    deleted += [index for index in range(1, len(words)) if random() < rate]
    if not deleted:
        deleted = [rng.randrange(len(words))]
    elif len(deleted) == len(words):
        del deleted[rng.randrange(len(words))]
    return without_words(sentence, words, deleted)


@augmentation(
    "RandomCrop",
    family="noise",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2 and Figure 6; nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The cat sat on the mat.", seed=6),
    languages=("en", ANY_LANGUAGE),
)
def random_crop(sentence: str, rng: Random, *, rate: Share = 0.1) -> str | None:
    """Delete one run of neighbouring words.

    The run has `max(1, round(rate * n))` of the n words (never all) and a uniformly random start. None for fewer than three words.

    Deviation from nlpaug, whose crop is bounded by at least 1 and at most 10 words: there is no upper bound.
    """
    words = find_words(sentence)
    if rate == 0.0 or len(words) < 3:
        return None
    length = min(len(words) - 1, max(1, round(rate * len(words))))
    start = rng.randrange(len(words) - length + 1)
    return without_words(sentence, words, range(start, start + length))


@augmentation(
    "RandomWordAugmentation",
    family="noise",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The sat on the mat, again.", seed=5),
    languages=("en", ANY_LANGUAGE),
)
def random_word_augmentation(sentence: str, rng: Random) -> str | None:
    """Apply one of RandomDeletion, RandomCrop and RandomSwap, chosen uniformly, with its default rate."""
    return rng.choice((random_deletion, random_crop, random_swap))(sentence, rng)
