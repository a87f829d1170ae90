"""Format characters at the ends of a text: no rule reads them, since they hide the mark that ends it, and its first word.

They are left by the source of a text: the zero-width space of a web page, the marks around a text that is written from right to left,
the byte order mark of a file that another was joined to.
"""

from __future__ import annotations

import re

# Those of category Cf that stand for themselves; joiners (U+200C, U+200D) and tags belong to the letter or emoji before them.
_FORMAT = "\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
_OUTER = re.compile(rf"(?:\s*[{_FORMAT}])+")


def split_ends(text: str) -> tuple[str, str, str]:
    r"""Return the format characters before a text, the text, and those after it, each with the blanks outside of them.

    >>> split_ends(" \u200eHe left.\u200b\n")
    (' \u200e', 'He left.', '\u200b\n')
    """
    if text.isascii():
        return "", text, ""
    start, end = _outer_length(text), len(text) - _outer_length(text[::-1])
    return (text[:start], text[start:end], text[end:]) if start < end else ("", text, "")


def _outer_length(text: str) -> int:
    found = _OUTER.match(text)
    return found.end() if found else 0
