"""What differs between two versions of a sentence, word by word."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from augcse.augmentations.text.marks import compiled

Span = tuple[int, int]
# Texts of at most this many tokens get the shortest possible difference.
_SHORT_TOKENS = 400
# A word with its apostrophes and hyphens, a run of spaces, or one mark.
_TOKEN = r"[\w\p{M}]+(?:['’-][\w\p{M}]+)*|\s+|[^\w\s\p{M}]"


def tokens(text: str) -> list[str]:
    """Return words, runs of spaces and marks; joined they are the text.

    >>> tokens("It's 3 o'clock.")
    ["It's", ' ', '3', ' ', "o'clock", '.']
    >>> tokens("मैं पढ़ता हूँ")
    ['मैं', ' ', 'पढ़ता', ' ', 'हूँ']
    """
    return compiled(_TOKEN).findall(text)


def changed_share(old: str, new: str) -> float:
    """Return how many words are deleted or replaced, or inserted if these are more, as a share of the old words; it may exceed 1.

    >>> changed_share("one two three four", "one 2 three four")
    0.25
    """
    deleted = inserted = 0
    for before, after, _ in changes(tokens(old), tokens(new)):
        deleted += len(before.split())
        inserted += len(after.split())
    return max(deleted, inserted) / max(len(old.split()), 1)


def changes(old: list[str], new: list[str]) -> list[tuple[str, str, str]]:
    """Return (deleted, inserted, kept) from left to right; two changes with only spaces between them are one."""
    stretches: list[tuple[str, str, str]] = []
    for _, old_from, old_to, new_from, new_to in _matched(old, new).get_opcodes():
        before, after = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
        if before == after:
            stretches.append(("", "", after))
        elif len(stretches) > 1 and stretches[-1][2].isspace():
            spaces = stretches.pop()[2]
            deleted, inserted, _ = stretches.pop()
            stretches.append((deleted + spaces + before, inserted + spaces + after, ""))
        else:
            stretches.append((before, after, ""))
    return stretches


@dataclass(frozen=True, slots=True)
class Change:
    """Characters `start` to `end` of the old text became `new_start` to `new_end` of the new one; an insertion has `start == end`."""

    start: int
    end: int
    new_start: int
    new_end: int


def changed_spans(old: str, new: str) -> list[Change]:
    """Return what changed, in whole words, from left to right.

    >>> changed_spans("It isn't late.", "It is not late.")
    [Change(start=3, end=8, new_start=3, new_end=9)]
    """
    old_tokens, new_tokens = tokens(old), tokens(new)
    old_starts, new_starts = _offsets(old_tokens), _offsets(new_tokens)
    return [
        Change(old_starts[old_from], old_starts[old_to], new_starts[new_from], new_starts[new_to])
        for operation, old_from, old_to, new_from, new_to in _matched(old_tokens, new_tokens).get_opcodes()
        if operation != "equal"
    ]


def carry(spans: Sequence[Span], changes: Sequence[Change]) -> list[Span | None]:
    """Return where each span (start, end) of the old text is in the new one; None where something in it changed.

    >>> carry([(9, 13), (3, 8)], changed_spans("It isn't late.", "It is not late."))
    [(10, 14), None]
    """
    carried: list[Span | None] = []
    for start, end in spans:
        shift = next((change.new_end - change.end for change in reversed(changes) if change.end <= start), 0)
        is_touched = any(change.start < end and change.end > start for change in changes)
        carried.append(None if is_touched else (start + shift, end + shift))
    return carried


def _offsets(pieces: list[str]) -> list[int]:
    """Return where each piece begins in the text that they make, and where that ends."""
    return list(itertools.accumulate(map(len, pieces), initial=0))


def _matched(old: list[str], new: list[str]) -> SequenceMatcher[str]:
    # In a long text, tokens that occur all through it (spaces) are not matched at each of their places, which would take minutes.
    return SequenceMatcher(None, old, new, autojunk=len(old) > _SHORT_TOKENS)
