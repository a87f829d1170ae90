"""Noise on whole words: swap, delete, crop, as EDA and nlpaug do, without touching punctuation or spacing.

A word is a maximal run of non-blank characters that holds a letter or a digit, without the brackets, quotes and
commas around it: a lone dash or an emoji is no word, stays where it is and does not count. The closing `.`, `?` or
`!` of the text stays at its end, and the capital of the first word is re-aligned.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from random import Random

from augcse.augmentations.base import Example, augmentation, check_rate
from augcse.augmentations.edit import Edit, apply_edits, capitalise

_TOKEN = re.compile(r"\S+")
_ALNUM = re.compile(r"[^\W_]")
_TAIL = re.compile(r"(?<![.?!…\s])\s*[.?!…]+[\"'”’)\]»]*\s*\Z")
_OPEN = "([{\"'“‘«¿¡*"
_CLOSE = ")]}\"'”’»*"
_STOP = ",;:!?…"
_EMPTY_PAIR = re.compile(r"\s?(?:\(\)|\[\]|\{\}|\"\"|“”|‘’|«»|'')")
_PAIRS = {"(": ")", "[": "]", "{": "}", '"': '"', "'": "'", "“": "”", "‘": "’", "«": "»", "*": "*"}
# Proper nouns keep their capital when they leave the first place; only these surely wore it for being first.
_FUNCTION_WORDS = frozenset(
    """a after all although an and another any are as at because before both but by can could despite did do does
    during each either every few for from had has have he her here his how however if in instead is it its later
    like many most my neither no nor not now of on once one only or other our over she should since so some such
    than that the their then there therefore these they this those though through thus to two under until up upon
    was we were what when where which while who why will with within without would yes yet you your""".split()
)


@dataclass(frozen=True, slots=True)
class _Word:
    """A token `text[start:end]` and, inside it, the word proper `text[left:right]`."""

    start: int
    end: int
    left: int
    right: int


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    left, right = start, end
    while left < right and text[left] in _OPEN:
        left += 1
    while right > left and (text[right - 1] in _CLOSE or text[right - 1] in _STOP):
        right -= 1
    # A dot inside the text closes a sentence only behind a long lower-case word; behind others it is an abbreviation's.
    if right - left > 4 and text[right - 1] == "." and text[left : right - 1].isalpha() and text[left:right].islower():
        right -= 1
    return left, right


def _words(text: str) -> list[_Word]:
    tail = _TAIL.search(text)
    limit = tail.start() if tail else len(text)
    found = []
    for token in _TOKEN.finditer(text, 0, limit):
        left, right = _trim(text, token.start(), token.end())
        if _ALNUM.search(text, left, right):
            found.append(_Word(token.start(), token.end(), left, right))
    return found


def _as_first(word: str) -> str:
    return word if any(character.isupper() for character in word) else capitalise(word)


def _as_inner(word: str) -> str:
    plain = word.istitle() and word.lower() in _FUNCTION_WORDS
    return word.lower() if plain else word


@augmentation(
    "RandomSwap",
    family="word",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; EDA (Wei and Zou 2019); nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The cat sat on mat the, again.", seed=1),
)
def random_swap(sentence: str, rng: Random, *, rate: float = 0.3, adjacent: bool = True) -> str | None:
    """Exchange random pairs of words.

    Of n words, `max(1, round(rate * n / 2))` disjoint pairs are exchanged, so that a share `rate` of the words moves.
    A pair is two neighbours, as in nlpaug's default mode, or with `adjacent=False` any two words, as in EDA. Two
    equal words are never paired. None for fewer than two words.

    Deviations from nlpaug, which draws `int(0.3 * n)` swaps (1 to 10) that may overlap and undo each other: pairs are
    disjoint, commas, brackets and quotes stay in place, and the closing punctuation stays last.
    """
    check_rate(rate)
    words = _words(sentence)
    if rate == 0.0 or len(words) < 2:
        return None
    texts = [sentence[word.left : word.right] for word in words]
    order = list(range(len(words)))
    pairs = _pairs(texts, max(1, round(rate * len(words) / 2)), adjacent, rng)
    if not pairs:
        return None
    for one, other in pairs:
        order[one], order[other] = order[other], order[one]
    moved = [texts[place] for place in order]
    if texts[0][:1].isupper() and order[0] != 0:
        moved = [_as_inner(word) if place == 0 else word for place, word in zip(order, moved, strict=True)]
        moved[0] = _as_first(moved[0])
    return apply_edits(sentence, [Edit(word.left, word.right, new) for word, new in zip(words, moved, strict=True)])


def _pairs(texts: list[str], count: int, adjacent: bool, rng: Random) -> list[tuple[int, int]]:
    places = list(range(len(texts)))
    rng.shuffle(places)
    partners = [place + 1 for place in places] if adjacent else places[1:] + places[:1]
    taken: set[int] = set()
    pairs: list[tuple[int, int]] = []
    for one, other in zip(places, partners, strict=True):
        free = other < len(texts) and one != other and not taken & {one, other}
        if len(pairs) < count and free and texts[one].lower() != texts[other].lower():
            pairs.append((one, other))
            taken |= {one, other}
    return pairs


@augmentation(
    "RandomDeletion",
    family="word",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; EDA (Wei and Zou 2019); nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The cat on mat, again.", seed=19),
)
def random_deletion(sentence: str, rng: Random, *, rate: float = 0.3) -> str | None:
    """Delete each word with probability `rate`.

    When the draw spares all words, one at random goes; when it takes all, one at random stays. A deleted word takes
    its comma with it, but not a bracket or quote whose partner stays. None for fewer than two words.

    Deviation from nlpaug, which deletes `int(0.3 * n)` words (1 to 10): the number is binomial, as in EDA.
    """
    check_rate(rate)
    words = _words(sentence)
    if rate == 0.0 or len(words) < 2:
        return None
    doomed = {place for place in range(len(words)) if rng.random() < rate}
    if not doomed:
        doomed = {rng.randrange(len(words))}
    elif len(doomed) == len(words):
        doomed.remove(rng.randrange(len(words)))
    return _without(sentence, words, doomed)


@augmentation(
    "RandomCrop",
    family="word",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2 and Figure 6; nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The cat sat on the mat.", seed=6),
)
def random_crop(sentence: str, rng: Random, *, rate: float = 0.1) -> str | None:
    """Delete one run of neighbouring words.

    The run holds `max(1, round(rate * n))` of the n words (never all) and starts at a uniformly random place. None
    for fewer than three words.

    Deviation from nlpaug, whose crop is bounded by at least 1 and at most 10 words: there is no upper bound.
    """
    check_rate(rate)
    words = _words(sentence)
    if rate == 0.0 or len(words) < 3:
        return None
    length = min(len(words) - 1, max(1, round(rate * len(words))))
    start = rng.randrange(len(words) - length + 1)
    return _without(sentence, words, range(start, start + length))


def _without(text: str, words: list[_Word], doomed: Collection[int]) -> str:
    edits: list[Edit] = []
    for place in sorted(doomed):
        edits.append(_deletion(text, words[place], edits[-1].end if edits else 0))
    shortened = _tidy_end(_EMPTY_PAIR.sub("", apply_edits(text, edits)), text)
    first = text[words[0].left : words[0].right]
    return _capitalise_first(shortened) if 0 in doomed and first[:1].isupper() else shortened


def _deletion(text: str, word: _Word, done: int) -> Edit:
    """Delete the token, except half pairs of brackets or quotes, and a blank; all up to `done` is gone already."""
    before = text[word.start : word.left]
    after = text[word.right : word.end].strip(_STOP + ".")
    if "".join(_PAIRS.get(mark, mark) for mark in reversed(before)) == after:
        before = after = ""  # the word carries both marks of a pair: `(1994)`
    start, end = word.start, word.end
    while start > done and text[start - 1] in " \t":
        start -= 1
    if before or start == done:
        start = word.start
        while end < len(text) and text[end] in " \t":
            end += 1
    return Edit(start, end, before + after)


def _tidy_end(text: str, original: str) -> str:
    """Remove the blank or comma that a deleted last word leaves before the closing mark."""
    tail = _TAIL.search(original)
    closing = original[tail.start() :] if tail else ""
    if not text.endswith(closing) or original[-1:] in tuple(",;: \t"):
        return text
    return text[: len(text) - len(closing)].rstrip(",;: \t") + closing


def _capitalise_first(text: str) -> str:
    words = _words(text)
    if not words:
        return text
    word = words[0]
    return text[: word.left] + _as_first(text[word.left : word.right]) + text[word.right :]


@augmentation(
    "RandomWordAugmentation",
    family="word",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The sat on the mat, again.", seed=5),
)
def random_word_augmentation(sentence: str, rng: Random) -> str | None:
    """Apply one of RandomDeletion, RandomCrop and RandomSwap, chosen uniformly, with its default rate."""
    return rng.choice((random_deletion, random_crop, random_swap))(sentence, rng)
