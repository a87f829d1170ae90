"""Noise on whole words: swap, delete, crop, as EDA and nlpaug do, without touching punctuation or spacing.

A word is a maximal run of non-blank characters that holds a letter or a digit, without the brackets, quotes and
commas around it: a lone dash or an emoji is no word, stays where it is and does not count. The closing `.`, `?` or
`!` of the text stays at its end, and the capital of the first word is re-aligned.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from random import Random

from augcse.augmentations.base import Example, augmentation, check_rate
from augcse.augmentations.edit import capitalise

_TOKEN = re.compile(r"\S+")
_ALNUM = re.compile(r"[^\W_]")
_MARKS = ".?!…"
_BEHIND_MARKS = "\"'”’)]»"
_OPEN = "([{\"'“‘«¿¡*"
_CLOSE = ")]}\"'”’»*"
_STOP = ",;:!?…"
_AFTER = _CLOSE + _STOP
_EMPTY_PAIRS = ("()", "[]", "{}", '""', "“”", "‘’", "«»", "''")
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


# A token `text[start:end]` and, inside it, the word proper `text[left:right]`. A bare tuple: a million sentences hold 20 million words.
_Word = tuple[int, int, int, int]


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


def _tail_start(text: str) -> int:
    """Return where the closing marks of the text begin, with the quotes and blanks around them; its length if there are none."""
    quoted = text.rstrip().rstrip(_BEHIND_MARKS)
    body = quoted.rstrip(_MARKS).rstrip()
    # Marks apart from other marks ("Well. . .") close nothing.
    return len(text) if not quoted.endswith(tuple(_MARKS)) or body.endswith(tuple(_MARKS)) else len(body)


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    end = 0
    for token in text[: _tail_start(text)].split():
        start = text.index(token, end)
        end = start + len(token)
        if token.isalnum():
            words.append((start, end, start, end))
        elif token[-1] in _AFTER and token[:-1].isalnum():
            words.append((start, end, start, end - 1))
        elif _ALNUM.search(token):
            words.append((start, end, *_trim(text, start, end)))
    return words


def _spliced(text: str, pieces: Iterable[tuple[int, int, str]]) -> str:
    """Replace spans that are in order and do not overlap; sorting them, as `apply_edits` does, takes as long as a whole rule here."""
    parts: list[str] = []
    position = 0
    for start, end, new in pieces:
        parts += (text[position:start], new)
        position = end
    return "".join((*parts, text[position:]))


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
    texts = [sentence[left:right] for _, _, left, right in words]
    moved: dict[int, str] = {}
    for one, other in _pairs(texts, max(1, round(rate * len(words) / 2)), adjacent, rng):
        moved[one], moved[other] = texts[other], texts[one]
        if (one == 0 or other == 0) and texts[0][0].isupper():
            moved[one + other] = _as_inner(texts[0])
            moved[0] = _as_first(moved[0])
    return _spliced(sentence, [(words[place][2], words[place][3], moved[place]) for place in sorted(moved)]) if moved else None


def _shuffled(count: int, rng: Random) -> list[int]:
    """Shuffle 0 to `count` - 1 as `rng.shuffle` does, draw for draw, in half its time."""
    places = list(range(count))
    for last in range(count - 1, 0, -1):
        bits = (last + 1).bit_length()
        drawn = rng.getrandbits(bits)
        while drawn > last:
            drawn = rng.getrandbits(bits)
        places[last], places[drawn] = places[drawn], places[last]
    return places


def _pairs(texts: list[str], count: int, adjacent: bool, rng: Random) -> list[tuple[int, int]]:
    places = _shuffled(len(texts), rng)
    taken: set[int] = {len(texts)}  # behind the last word stands none
    pairs: list[tuple[int, int]] = []
    for place, one in enumerate(places):
        other = one + 1 if adjacent else places[(place + 1) % len(places)]
        if one in taken or other in taken or texts[one].lower() == texts[other].lower():
            continue
        pairs.append((one, other))
        if len(pairs) == count:
            break
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
    pieces: list[tuple[int, int, str]] = []
    for place in sorted(doomed):
        pieces.append(_deletion(text, words[place], pieces[-1][1] if pieces else 0))
    shortened = _spliced(text, pieces)
    if any(pair in shortened for pair in _EMPTY_PAIRS):
        shortened = _EMPTY_PAIR.sub("", shortened)
    shortened = _tidy_end(shortened, text)
    return _capitalise_first(shortened) if 0 in doomed and text[words[0][2]].isupper() else shortened


def _deletion(text: str, word: _Word, done: int) -> tuple[int, int, str]:
    """Delete the token, except half pairs of brackets or quotes, and a blank; all up to `done` is gone already."""
    start, end, left, right = word
    before = after = ""
    if left > start or right < end:
        before, after = text[start:left], text[right:end].strip(_STOP + ".")
        if "".join(_PAIRS.get(mark, mark) for mark in reversed(before)) == after:
            before = after = ""  # the word carries both marks of a pair: `(1994)`
    first = start
    while start > done and text[start - 1] in " \t":
        start -= 1
    if before or start == done:
        start = first
        while end < len(text) and text[end] in " \t":
            end += 1
    return start, end, before + after


def _tidy_end(text: str, original: str) -> str:
    """Remove the blank or comma that a deleted last word leaves before the closing mark."""
    closing = original[_tail_start(original) :]
    if not text.endswith(closing) or original[-1:] in tuple(",;: \t"):
        return text
    return text[: len(text) - len(closing)].rstrip(",;: \t") + closing


def _capitalise_first(text: str) -> str:
    for token in _TOKEN.finditer(text):
        if _ALNUM.search(token[0]):
            left, right = _trim(text, *token.span())
            return text[:left] + _as_first(text[left:right]) + text[right:]
    return text


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
