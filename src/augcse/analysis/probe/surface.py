"""Edit distance between sentences, in tokens."""

from __future__ import annotations

import re
from collections.abc import Sequence

from augcse.corpus.scripts import UNSPACED

# A token is a word, a punctuation mark or, in scripts without spaces between words, a character.
_TOKEN = re.compile(rf"[{UNSPACED}]|(?:(?![{UNSPACED}])\w)+|[^\w\s]")


def tokens(text: str) -> list[str]:
    """Split a text into words, punctuation marks, and the characters of scripts without spaces between words.

    >>> tokens("He can't come."), tokens("我不去。")
    (['He', 'can', "'", 't', 'come', '.'], ['我', '不', '去', '。'])
    """
    return _TOKEN.findall(text)


def edit_distance(first: Sequence[str], second: Sequence[str]) -> int:
    """Return the edit distance: the minimum number of insertions, deletions and replacements (Levenshtein 1966).

    >>> edit_distance(tokens("He comes."), tokens("He does not come."))
    3
    """
    start = 0
    while start < min(len(first), len(second)) and first[start] == second[start]:
        start += 1
    first, second = first[start:], second[start:]
    row = list(range(len(second) + 1))
    for above, left in enumerate(first, start=1):
        diagonal, row[0] = row[0], above
        for column, right in enumerate(second, start=1):
            replacement = diagonal if left == right else diagonal + 1
            diagonal, row[column] = row[column], min(replacement, row[column] + 1, row[column - 1] + 1)
    return row[-1]
