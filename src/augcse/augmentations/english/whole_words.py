"""Whole words of a text, exchanged or left out, while punctuation, spacing and the first capital stay in order.

The closing `.`, `?` or `!` of the text stays at its end, and the capital of the first word is re-aligned.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from augcse.augmentations.english.capitals import as_inner
from augcse.augmentations.text.cut import PAUSES, cut_spans, tidy_end
from augcse.augmentations.text.edits import Edit, apply_edits, capitalise
from augcse.corpus.scripts import END_MARKS

_CLOSING = re.compile(rf"\s*[{END_MARKS}][{END_MARKS}\s\"'”’)\]»]*\Z")
# What goes with a word: the comma after it, apart in tokenised text ("Hello , world").
_PAUSE = re.compile(rf"[{PAUSES}]+|\s[{PAUSES}](?=\s)")
Span = tuple[int, int]


def word_text(text: str, word: Span) -> str:
    """Return a word."""
    return text[word[0] : word[1]]


def first_as_inner(text: str, words: list[Span]) -> str | None:
    """Return the first of several words as it is written further on; None where one cannot tell whether the capital is its own."""
    return as_inner(word_text(text, words[0]), word_text(text, words[1]))


def rearranged(text: str, words: list[Span], sources: Mapping[int, int]) -> str:
    """Write word `sources[i]` in the place of word i; a capital that the first word has for being first stays there."""
    new = {index: word_text(text, words[source]) for index, source in sources.items()}
    if 0 in new and not text[words[0][0]].islower():
        goal = next(index for index, source in sources.items() if source == 0)
        new[goal] = first_as_inner(text, words) or new[goal]
        new[0] = capitalise(new[0]) if new[0].lower() == new[0] else new[0]
    return apply_edits(text, [Edit(*words[index], word) for index, word in new.items()])


def without_words(text: str, words: list[Span], indices: Sequence[int]) -> str:
    """Leave out the words at some indices, each with the comma right after it, or one blank apart where the text is tokenised."""
    found = _CLOSING.search(text)
    tail = found.start() if found else len(text)
    shortened = cut_spans(text, [(words[index][0], _pause_end(text, words[index][1])) for index in indices])
    # Without closing marks, a pause or blank at the end is the text's own.
    if found or not (text[-1] in PAUSES or text[-1].isspace()):
        shortened = tidy_end(shortened, text[tail:])
    # A sentence may begin with a number, which wears no capital to hand on.
    return capitalise(shortened) if 0 in indices and not text[words[0][0]].islower() else shortened


def _pause_end(text: str, end: int) -> int:
    pause = _PAUSE.match(text, end)
    return pause.end() if pause else end
