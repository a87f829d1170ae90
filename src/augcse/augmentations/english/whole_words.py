"""Whole words of a text, reordered or left out, while its punctuation, spacing and first capital stay correct."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from augcse.augmentations.english.capitals import as_inner
from augcse.augmentations.text.cut import CLOSING, PAUSES, cut_spans, tidy_end
from augcse.augmentations.text.edits import Edit, apply_edits, capitalise
from augcse.corpus.scripts import END_MARKS

_LAST_MARKS = re.compile(rf"\s*[{END_MARKS}][{END_MARKS}{re.escape(CLOSING)}\s]*\Z")
# The comma that is removed with a word; in tokenised text with a space before it ("Hello , world").
_PAUSE = re.compile(rf"[{PAUSES}]+|\s[{PAUSES}](?=\s)")
Span = tuple[int, int]


def word_text(text: str, word: Span) -> str:
    """Return a word."""
    return text[word[0] : word[1]]


def first_as_inner(text: str, words: list[Span]) -> str | None:
    """Return the first of several words as it is written further on; None if its capital is in doubt."""
    return as_inner(word_text(text, words[0]), word_text(text, words[1]))


def rearranged(text: str, words: list[Span], sources: Mapping[int, int]) -> str:
    """Return the text with word `sources[i]` in the place of word i; the capital that opens the sentence stays at its start."""
    new = {index: word_text(text, words[source]) for index, source in sources.items()}
    if 0 in new and not text[words[0][0]].islower():
        target = next(index for index, source in sources.items() if source == 0)
        new[target] = first_as_inner(text, words) or new[target]
        new[0] = capitalise(new[0]) if new[0].lower() == new[0] else new[0]
    return apply_edits(text, [Edit(*words[index], word) for index, word in new.items()])


def without_words(text: str, words: list[Span], indices: Sequence[int]) -> str:
    """Return the text without the words at some indices and the comma after each; the closing marks stay."""
    closing = _LAST_MARKS.search(text)
    shortened = cut_spans(text, [(words[index][0], _pause_end(text, words[index][1])) for index in indices])
    # Without closing marks, a comma or space at the end was there before.
    if closing or not (text[-1] in PAUSES or text[-1].isspace()):
        shortened = tidy_end(shortened, closing.group() if closing else "")
    # A number at the start has no case, so the next word gets its capital too.
    return capitalise(shortened) if 0 in indices and not text[words[0][0]].islower() else shortened


def _pause_end(text: str, end: int) -> int:
    pause = _PAUSE.match(text, end)
    return pause.end() if pause else end
