"""Edits by character span: what a rule does not touch stays byte for byte as it was."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from augcse.augmentations.text.cut import CLOSING

# No sentence begins after "c.", "a.d.", "ca." and "vs.".
_SENTENCE_START = re.compile(r"(?:\A|(?<!\b\w)(?<!\bca)(?<!\bvs)[.!?][\"'”’)]*\s+)[\s\"'“‘(\[`—–-]*\Z")
_FIRST_LETTER = re.compile(r"\W*[^\W\d_]")
_ADDRESS = re.compile(r"\W*(?:\w+://|www\.|\S+@\w)|[@#]\w")
_SPACED_MARK = re.compile(r"\w [,.](?: |$)")
_TIGHT_COMMA = re.compile(r"\w,(?:\s|$)")


@dataclass(frozen=True, slots=True, order=True)
class Edit:
    """Replace `text[start:end]` with `replacement`; `start == end` inserts."""

    start: int
    end: int
    replacement: str


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """Apply non-overlapping edits; an edit that overlaps an earlier one is left out.

    >>> apply_edits("it is hot", [Edit(6, 9, "cold")])
    'it is cold'
    """
    pieces: list[str] = []
    position = 0
    for edit in sorted(edits):
        if edit.start < position:
            continue
        pieces += [text[position : edit.start], edit.replacement]
        position = edit.end
    return "".join([*pieces, text[position:]])


def edited(text: str, edits: Sequence[Edit] | None) -> str | None:
    """Return the text with the edits applied; None if there are no edits."""
    return apply_edits(text, edits) if edits else None


def match_case(pattern: str, word: str) -> str:
    """Return `word` in the case of `pattern`: in capitals, or with an initial capital; else it stays as it is.

    >>> match_case("Hot", "cold"), match_case("HOT", "cold"), match_case("hot", "cold")
    ('Cold', 'COLD', 'cold')
    """
    letters = list(filter(str.isalpha, pattern))
    if not letters or not letters[0].isupper():
        return word
    return word.upper() if len(letters) > 1 and all(map(str.isupper, letters)) else capitalise(word)


def is_all_capitals(text: str) -> bool:
    """Return whether every letter is a capital; letters of scripts without case are not.

    >>> is_all_capitals("IT FELL!"), is_all_capitals("NASA left."), is_all_capitals("他在NBA打球。")
    (True, False, False)
    """
    return text.isupper() and all(map(str.isupper, filter(str.isalpha, text)))


def capitalise(text: str) -> str:
    """Make the first letter a capital and leave the rest alone; an address, which is lower case, stays.

    >>> capitalise("iPhone users"), capitalise("'tis"), capitalise("https://a.org is up")
    ('IPhone users', "'Tis", 'https://a.org is up')
    """
    up_to_letter = _FIRST_LETTER.match(text)
    if up_to_letter is None or _ADDRESS.match(text):
        return text
    end = up_to_letter.end()
    return text[: end - 1] + text[end - 1].upper() + text[end:]


def opens_sentence(text: str, start: int) -> bool:
    """Return whether a sentence starts at an offset, perhaps with quotation marks, brackets or a dash before it.

    >>> opens_sentence("He came. “No”", 10), opens_sentence("Cats vs. dogs", 9)
    (True, False)
    """
    return _SENTENCE_START.search(text, max(0, start - 12), start) is not None


def last_mark(text: str) -> str:
    """Return the last character except for closing quotes, brackets and spaces: the end mark, if there is one.

    >>> last_mark('He said "no."'), last_mark("The end")
    ('.', 'd')
    """
    return text.rstrip(f" {CLOSING}")[-1:]


def comma_in(text: str) -> str:
    """Return a comma as the text writes its marks: tokenised text has a space before all of them.

    >>> comma_in("It is thin, but good."), comma_in("it is thin , but good ."), comma_in("In the Times , it is thin, but good.")
    (',', ' ,', ',')
    """
    return " ," if _SPACED_MARK.search(text) and not _TIGHT_COMMA.search(text) else ","


def delete_word(text: str, start: int, end: int) -> Edit:
    """Return the edit that deletes a word and the space before it (or, at the start of the text, the one after it).

    >>> apply_edits("we did not go", [delete_word("we did not go", 7, 10)])
    'we did go'
    """
    if text[start - 1 : start].isspace():
        return Edit(start - 1, end, "")
    if text[end : end + 1].isspace() and start == 0:
        return Edit(start, end + 1, "")
    return Edit(start, end, "")
