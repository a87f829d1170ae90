"""Whole words of a text, exchanged or left out, while punctuation, spacing and the first capital stay in order.

A word is a maximal run of non-blank characters that holds a letter or a digit, without the brackets, quotes and
commas around it: a lone dash or an emoji is no word, stays where it is and does not count. The closing `.`, `?` or
`!` of the text stays at its end, and the capital of the first word is re-aligned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from augcse.augmentations.english.capitals import as_inner
from augcse.augmentations.text.cut import cut_spans, tidy_end
from augcse.augmentations.text.edits import capitalise

_ALNUM = re.compile(r"[^\W_]")
_MARKS = ".?!…"
_AFTER_MARKS = "\"'”’)]»"
_OPEN = "([{\"'“‘«¿¡*"
_CLOSE = ")]}\"'”’»*"
_STOP = ",;:!?…"
# "Hello , world" of tokenised text.
_PARTED_PAUSE = re.compile(r"\s[,;:](?=\s)")
_OPENER_OF = {")": "(", "]": "[", "}": "{"}
_PLAIN_END = frozenset(_CLOSE + _STOP) - {"'", "’"}
_CLOSING_SINGLE = re.compile(r"[^\s'][’'](?!\w)")
# A token `text[start:end]` and, inside it, the word proper `text[left:right]`. A bare tuple: a million sentences hold 20 million words.
Word = tuple[int, int, int, int]


def _trim(text: str, start: int, end: int) -> tuple[int, int]:
    left, right = start, end
    while left < right and text[left] in _OPEN:
        if text[left] == "'" and not _CLOSING_SINGLE.search(text, left + 1):
            break  # the apostrophe of "'n" or "'76"
        left += 1
    while right > left and (text[right - 1] in _CLOSE or text[right - 1] in _STOP):
        is_possessive = text[right - 1] in "'’" and text[max(left, right - 2)] in "sSzZxX"  # "workers' rights"
        if is_possessive or text.find(_OPENER_OF.get(text[right - 1], "\n"), left, right) >= 0:
            break
        right -= 1
    # A dot inside the text closes a sentence only after a long lower-case word; after others it is an abbreviation's.
    if right - left > 4 and text[right - 1] == "." and text[left : right - 1].isalpha() and text[left:right].islower():
        right -= 1
    return left, right


def _tail_start(text: str) -> int:
    """Return where the closing marks of the text begin, with the quotes and blanks around them; its length if there are none."""
    quoted = text.rstrip().rstrip(_AFTER_MARKS)
    return len(quoted.rstrip(_MARKS).rstrip()) if quoted.endswith(tuple(_MARKS)) else len(text)


def find_words(text: str) -> list[Word]:
    """Return the words in order."""
    words: list[Word] = []
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


def _as_first(word: str) -> str:
    return word if any(character.isupper() for character in word) else capitalise(word)


def word_text(text: str, word: Word) -> str:
    """Return the word proper."""
    return text[word[2] : word[3]]


def first_as_inner(text: str, words: list[Word]) -> str | None:
    """Return the first of several words as it is written further on; None where one cannot tell whether the capital is its own."""
    return as_inner(word_text(text, words[0]), word_text(text, words[1]))


def rearranged(text: str, words: list[Word], sources: Mapping[int, int]) -> str:
    """Write word `sources[i]` in the place of word i; a capital that the first word has for being first stays there."""
    new = {index: word_text(text, words[source]) for index, source in sources.items()}
    if 0 in new and not text[words[0][2]].islower():
        goal = next(index for index, source in sources.items() if source == 0)
        new[goal] = first_as_inner(text, words) or new[goal]
        new[0] = _as_first(new[0])
    parts: list[str] = []
    position = 0
    for index in sorted(new):
        parts += (text[position : words[index][2]], new[index])
        position = words[index][3]
    return "".join((*parts, text[position:]))


def without_words(text: str, words: list[Word], indices: Sequence[int]) -> str:
    """Leave out the words at some indices, each with the comma right after it, or one blank apart where the text is tokenised."""
    spans = [(left, _after_stops(text, right, end)) for _, end, left, right in map(words.__getitem__, indices)]
    shortened = cut_spans(text, spans)
    closing = text[_tail_start(text) :]
    # Without closing marks, a pause or blank at the end is the text's own.
    if closing or not (text[-1] in ",;:" or text[-1].isspace()):
        shortened = tidy_end(shortened, closing)
    # A sentence may begin with a number, which wears no capital to hand on.
    return capitalise(shortened) if 0 in indices and not text[words[0][2]].islower() else shortened


def _after_stops(text: str, right: int, end: int) -> int:
    """Return where the stops end that go with a word."""
    if right == end:
        parted = _PARTED_PAUSE.match(text, end)
        return parted.end() if parted else end
    while right < end and text[right] in _STOP:
        right += 1
    return right
