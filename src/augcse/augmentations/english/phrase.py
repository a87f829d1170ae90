"""The text of a sequence of tokens: its brackets, its ends, the capital of its first word."""

from __future__ import annotations

import re
from collections.abc import Sequence

from augcse.annotation.parse import Parse
from augcse.augmentations.english.capitals import opening_case
from augcse.augmentations.english.marks import APOSTROPHES, CLOSING, OPENING
from augcse.augmentations.text.edits import Edit, apply_edits, capitalise

_WORD = re.compile(r"\w")
_PAIRS = (("(", ")"), ("[", "]"), ("“", "”"), ("«", "»"))
# Marks and signs that belong to the word before or after them.
_ATTACHED_BEFORE = CLOSING | APOSTROPHES | {"%", "°"}
_ATTACHED_AFTER = OPENING | APOSTROPHES | {"$", "£", "€", "#"}


def lower_first(parse: Parse, index: int, text: str) -> str:
    """Return `text`, which token `index` begins, without the capital that it has only because it opens the sentence."""
    return text[0].lower() + text[1:] if opening_case(parse, index) == "lower" else text


def raise_first(text: str, like: str) -> str:
    """Return `text` with a capital, or unchanged if `like` begins in lower case."""
    return text if next(filter(str.isalnum, like), "").islower() else capitalise(text)


def pronoun_at(parse: Parse, index: int) -> str:
    """Return a word in lower case if it is a personal pronoun, else "": the tag tells "us" from "the US"."""
    return parse.word(index) if parse.tags[index] == "PRP" else ""


def is_balanced(text: str) -> bool:
    """Return whether brackets and quotes come in pairs.

    >>> is_balanced('the (old) "man"'), is_balanced("man)")
    (True, False)
    """
    return text.count('"') % 2 == 0 and all(text.count(opening) == text.count(closing) for opening, closing in _PAIRS)


def words_only(parse: Parse, first: int, last: int) -> tuple[int, int] | None:
    """Return a sequence of tokens without the marks at its ends, brackets, quotation marks and signs aside; None if nothing is left."""
    while first <= last and not _WORD.search(parse.tokens[last]) and parse.tokens[last] not in _ATTACHED_BEFORE:
        last -= 1
    while first <= last and not _WORD.search(parse.tokens[first]) and parse.tokens[first] not in _ATTACHED_AFTER:
        first += 1
    return (first, last) if first <= last else None


def slice_text(parse: Parse, first: int, last: int, replacements: Sequence[tuple[int, str]] = ()) -> str:
    """Return the text from token `first` to token `last`, with some tokens replaced."""
    start, end = parse.span(first, last)
    return apply_edits(parse.text[start:end], [Edit(parse.starts[at] - start, parse.end(at) - start, new) for at, new in replacements])
