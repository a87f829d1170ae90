"""Noise on whole words: swap, delete, crop, as EDA and nlpaug do, without touching punctuation or spacing.

A word is a maximal run of non-blank characters that holds a letter or a digit, without the brackets, quotes and
commas around it: a lone dash or an emoji is no word, stays where it is and does not count. The closing `.`, `?` or
`!` of the text stays at its end, and the capital of the first word is re-aligned.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from random import Random

from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.capitals import as_inner
from augcse.augmentations.text.cut import cut_spans, tidy_end
from augcse.augmentations.text.edits import capitalise
from augcse.options import Share

_TOKEN = re.compile(r"\S+")
_ALNUM = re.compile(r"[^\W_]")
_MARKS = ".?!…"
_AFTER_MARKS = "\"'”’)]»"
_OPEN = "([{\"'“‘«¿¡*"
_CLOSE = ")]}\"'”’»*"
_STOP = ",;:!?…"
_OPENER_OF = {")": "(", "]": "[", "}": "{"}
_PLAIN_END = frozenset(_CLOSE + _STOP) - {"'", "’"}
# An opening single quote; where there is one, the apostrophe after a later word may close it.
_SINGLE_QUOTE = re.compile(r"(?<![^\s(\[\"“])['‘](?=\w)")
_CLOSING_SINGLE = re.compile(r"[^\s'][’'](?!\w)")


# A token `text[start:end]` and, inside it, the word proper `text[left:right]`. A bare tuple: a million sentences hold 20 million words.
_Word = tuple[int, int, int, int]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    left, right = start, end
    while left < right and text[left] in _OPEN:
        if text[left] == "'" and not _CLOSING_SINGLE.search(text, left + 1):
            break  # the apostrophe of "'n" or "'76"
        left += 1
    while right > left and (text[right - 1] in _CLOSE or text[right - 1] in _STOP):
        if _is_possessive(text, left, right) or text.find(_OPENER_OF.get(text[right - 1], "\n"), left, right) >= 0:
            break
        right -= 1
    # A dot inside the text closes a sentence only after a long lower-case word; after others it is an abbreviation's.
    if right - left > 4 and text[right - 1] == "." and text[left : right - 1].isalpha() and text[left:right].islower():
        right -= 1
    return left, right


def _is_possessive(text: str, left: int, right: int) -> bool:
    """Tell whether what ends here is the "workers'" of "workers' rights", and the apostrophe no closing quote."""
    if text[right - 1] not in "'’" or text[max(left, right - 2)] not in "sSzZxX":
        return False
    return _SINGLE_QUOTE.search(text, 0, left + 1) is None


def _tail_start(text: str) -> int:
    """Return where the closing marks of the text begin, with the quotes and blanks around them; its length if there are none."""
    quoted = text.rstrip().rstrip(_AFTER_MARKS)
    body = quoted.rstrip(_MARKS).rstrip()
    # Marks apart from other marks ("Well. . .") close nothing.
    return len(text) if not quoted.endswith(tuple(_MARKS)) or body.endswith(tuple(_MARKS)) else len(body)


def _words(text: str) -> list[_Word]:
    words: list[_Word] = []
    start = end = 0
    body = text[: _tail_start(text)]
    tokens = body.split()
    # Mostly one blank, or a tab, stands between each two; else every token is looked up.
    evenly = sum(map(len, tokens)) + len(tokens) - 1 == len(body)
    for token in tokens:
        if not evenly:
            start = body.index(token, end)
        end = start + len(token)
        if token.isalnum():
            words.append((start, end, start, end))
        elif token[-1] in _PLAIN_END and token[:-1].isalnum():
            words.append((start, end, start, end - 1))
        elif _ALNUM.search(token):
            words.append((start, end, *_trim(text, start, end)))
        start = end + 1
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


@augmentation(
    "RandomSwap",
    family="noise",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; EDA (Wei and Zou 2019); nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The cat sat on mat the, again.", seed=10),
)
def random_swap(sentence: str, rng: Random, *, rate: Share = 0.3, adjacent: bool = True) -> str | None:
    """Exchange random pairs of words.

    Of n words, `max(1, round(rate * n / 2))` disjoint pairs are exchanged, so that a share `rate` of the words moves.
    A pair is two neighbours, as in nlpaug's default mode, or with `adjacent=False` any two words, as in EDA. Two
    equal words are never paired. None for fewer than two words.

    Deviations from nlpaug, which draws `int(0.3 * n)` swaps (1 to 10) that may overlap and undo each other: pairs are
    disjoint, commas, brackets and quotes stay in place, and the closing punctuation stays last.
    """
    words = _words(sentence)
    if rate == 0.0 or len(words) < 2:
        return None
    moved: dict[int, str] = {}
    for one, other in _pairs(sentence, words, max(1, round(rate * len(words) / 2)), adjacent, rng):
        moved[one], moved[other] = _text(sentence, words[other]), _text(sentence, words[one])
        if (one == 0 or other == 0) and not sentence[words[0][2]].islower():
            moved[one + other] = _first_as_inner(sentence, words) or moved[one + other]
            moved[0] = _as_first(moved[0])
    return _spliced(sentence, [(words[index][2], words[index][3], moved[index]) for index in sorted(moved)]) if moved else None


def _text(sentence: str, word: _Word) -> str:
    return sentence[word[2] : word[3]]


def _first_as_inner(sentence: str, words: list[_Word]) -> str | None:
    return as_inner(_text(sentence, words[0]), _text(sentence, words[1]))


def _shuffled(count: int, rng: Random) -> Iterator[int]:
    """Yield 0 to `count` - 1 in random order; only those asked for cost a draw."""
    indices = list(range(count))
    for last in range(count - 1, -1, -1):
        bits = (last + 1).bit_length()
        drawn = rng.getrandbits(bits)
        while drawn > last:
            drawn = rng.getrandbits(bits)
        yield indices[drawn]
        indices[drawn] = indices[last]


def _pairs(sentence: str, words: list[_Word], count: int, adjacent: bool, rng: Random) -> list[tuple[int, int]]:
    order = _shuffled(len(words), rng)
    taken: set[int] = {len(words)}  # after the last word stands none
    pairs: list[tuple[int, int]] = []
    for one, other in ((one, one + 1) for one in order) if adjacent else pairwise(order):
        if one in taken or other in taken or _text(sentence, words[one]).lower() == _text(sentence, words[other]).lower():
            continue
        if (one == 0 or other == 0) and _first_as_inner(sentence, words) is None:
            continue  # one cannot tell whether the capital is the word's own
        if _opens_quote(sentence, words[one]) or _opens_quote(sentence, words[other]):
            continue
        pairs.append((one, other))
        if len(pairs) == count:
            break
        taken |= {one, other}
    return pairs


def _opens_quote(sentence: str, word: _Word) -> bool:
    """Tell whether the word wears a capital after an opening quote or bracket: as the first of what is quoted, perhaps."""
    start, _, left, _ = word
    return start < left and sentence[left].isupper()


@augmentation(
    "RandomDeletion",
    family="noise",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; EDA (Wei and Zou 2019); nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The cat on mat, again.", seed=19),
)
def random_deletion(sentence: str, rng: Random, *, rate: Share = 0.3) -> str | None:
    """Delete each word with probability `rate`.

    When the draw spares all words, one at random goes; when it takes all, one at random stays. A deleted word takes
    its comma with it, but not a bracket or quote whose partner stays. None for fewer than two words.

    Deviation from nlpaug, which deletes `int(0.3 * n)` words (1 to 10): the number is binomial, as in EDA.
    """
    words = _words(sentence)
    if rate == 0.0 or len(words) < 2:
        return None
    doomed = [0] if rng.random() < rate else []
    random = rng.random  # bound after the first draw, which seeds the stream
    doomed += [index for index in range(1, len(words)) if random() < rate]
    if not doomed:
        doomed = [rng.randrange(len(words))]
    elif len(doomed) == len(words):
        del doomed[rng.randrange(len(words))]
    return _without(sentence, words, doomed)


@augmentation(
    "RandomCrop",
    family="noise",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2 and Figure 6; nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The cat sat on the mat.", seed=6),
)
def random_crop(sentence: str, rng: Random, *, rate: Share = 0.1) -> str | None:
    """Delete one run of neighbouring words.

    The run holds `max(1, round(rate * n))` of the n words (never all) and starts at a uniformly random place. None
    for fewer than three words.

    Deviation from nlpaug, whose crop is bounded by at least 1 and at most 10 words: there is no upper bound.
    """
    words = _words(sentence)
    if rate == 0.0 or len(words) < 3:
        return None
    length = min(len(words) - 1, max(1, round(rate * len(words))))
    start = rng.randrange(len(words) - length + 1)
    return _without(sentence, words, range(start, start + length))


def _without(text: str, words: list[_Word], doomed: Sequence[int]) -> str:
    spans = [(left, right if right == end else _after_stops(text, right, end)) for _, end, left, right in map(words.__getitem__, doomed)]
    shortened = cut_spans(text, spans)
    if text[-1:] not in (",", ";", ":", " ", "\t"):
        shortened = tidy_end(shortened, text[_tail_start(text) :])
    # A sentence may begin with a number, which wears no capital to hand on.
    return _capitalise_first(shortened) if 0 in doomed and not text[words[0][2]].islower() else shortened


def _after_stops(text: str, right: int, end: int) -> int:
    """A deleted word takes the comma along that stands right after it."""
    while right < end and text[right] in _STOP:
        right += 1
    return right


def _capitalise_first(text: str) -> str:
    for token in _TOKEN.finditer(text):
        if found := _ALNUM.search(token[0]):
            left = token.start() + found.start()
            return text[:left] + _as_first(text[left : token.end()]) + text[token.end() :]
    return text


@augmentation(
    "RandomWordAugmentation",
    family="noise",
    meaning="possible_alteration",
    source="AugCSE (Tang et al. 2022), A.2; nlpaug (Ma 2019)",
    example=Example("The cat sat on the mat, again.", "The sat on the mat, again.", seed=5),
)
def random_word_augmentation(sentence: str, rng: Random) -> str | None:
    """Apply one of RandomDeletion, RandomCrop and RandomSwap, chosen uniformly, with its default rate."""
    return rng.choice((random_deletion, random_crop, random_swap))(sentence, rng)
