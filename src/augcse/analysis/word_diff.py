"""What differs between two versions of a sentence, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

# Up to here a difference is as short as it can be.
_SHORT_TOKENS = 400
# A word with its apostrophes and hyphens, a run of spaces, or one mark.
_TOKEN = re.compile(r"\w+(?:['’-]\w+)*|\s+|[^\w\s]")


def tokens(text: str) -> list[str]:
    """Return words, runs of spaces and marks; joined they are the text.

    >>> tokens("It's 3 o'clock.")
    ["It's", ' ', '3', ' ', "o'clock", '.']
    """
    return _TOKEN.findall(text)


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
    # Of a long text, what repeats all through it (spaces) is not looked up at each of its places: that takes minutes.
    matcher = SequenceMatcher(None, old, new, autojunk=len(old) > _SHORT_TOKENS)
    for _, old_from, old_to, new_from, new_to in matcher.get_opcodes():
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
