"""The words of a sentence, fast: rules that read the string only are to look at 40,000 sentences a second."""

from __future__ import annotations

import re
from collections.abc import Set

_LETTERS = re.compile(r"[^\W\d_]+")
_WORD = re.compile(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_BLANKS = bytes(code if code < 128 and chr(code).isalpha() else 32 for code in range(256))


def letters_of(sentence: str) -> list[str]:
    """Return the stretches of letters; of ASCII text without a regular expression, which takes ten times as long."""
    if sentence.isascii():
        return sentence.encode("ascii").translate(_BLANKS).decode("ascii").split()
    return _LETTERS.findall(sentence)


def words_among(sentence: str, candidates: Set[str]) -> list[re.Match[str]]:
    """Return the words that are among the candidates, and all words with a hyphen, in their order."""
    if "-" in sentence or not sentence.isascii():
        return [word for word in _WORD.finditer(sentence) if (text := word[0]) in candidates or "-" in text]
    found: dict[int, re.Match[str]] = {}
    for text in candidates:
        start = sentence.find(text)
        while start >= 0:
            word = _WORD.match(sentence, start)
            if word is not None and word[0] == text and not (start and sentence[start - 1].isalpha()):
                found[start] = word
            start = sentence.find(text, start + len(text))
    return [found[start] for start in sorted(found)]
