"""What differs between two versions of a sentence, word by word."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from augcse.augmentations.text.marks import compiled

Span = tuple[int, int]
# Up to here a difference is as short as it can be.
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
    """Return the share of the old words that are deleted or replaced, or of inserted ones where these are more; 0 to 1, and above.

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
    found: list[tuple[str, str, str]] = []
    for _, old_from, old_to, new_from, new_to in _matched(old, new).get_opcodes():
        before, after = "".join(old[old_from:old_to]), "".join(new[new_from:new_to])
        if before == after:
            found.append(("", "", after))
        elif len(found) > 1 and found[-1][2].isspace():
            spaces = found.pop()[2]
            deleted, inserted, _ = found.pop()
            found.append((deleted + spaces + before, inserted + spaces + after, ""))
        else:
            found.append((before, after, ""))
    return found


@dataclass(frozen=True, slots=True)
class Change:
    """Characters `start` to `end` of the old text became `new_start` to `new_end` of the new one; empty where words were only put in."""

    start: int
    end: int
    new_start: int
    new_end: int


def changed_spans(old: str, new: str) -> list[Change]:
    """Return what changed, in whole words, from left to right.

    >>> changed_spans("It isn't late.", "It is not late.")
    [Change(start=3, end=8, new_start=3, new_end=9)]
    """
    before, after = tokens(old), tokens(new)
    old_at, new_at = _offsets(before), _offsets(after)
    return [
        Change(old_at[old_from], old_at[old_to], new_at[new_from], new_at[new_to])
        for kind, old_from, old_to, new_from, new_to in _matched(before, after).get_opcodes()
        if kind != "equal"
    ]


def carry(spans: Sequence[Span], changes: Sequence[Change]) -> list[Span | None]:
    """Return where each span (start, end) of the old text lies in the new one; None where something in it changed.

    >>> carry([(9, 13), (3, 8)], changed_spans("It isn't late.", "It is not late."))
    [(10, 14), None]
    """
    found: list[Span | None] = []
    for start, end in spans:
        shift = next((change.new_end - change.end for change in reversed(changes) if change.end <= start), 0)
        is_touched = any(change.start < end and change.end > start for change in changes)
        found.append(None if is_touched else (start + shift, end + shift))
    return found


def _offsets(parts: list[str]) -> list[int]:
    """Return where each part begins in the text that they make, and where that ends."""
    return list(itertools.accumulate(map(len, parts), initial=0))


def _matched(old: list[str], new: list[str]) -> SequenceMatcher[str]:
    # Of a long text, what repeats all through it (spaces) is not looked up at each of its places: that takes minutes.
    return SequenceMatcher(None, old, new, autojunk=len(old) > _SHORT_TOKENS)
