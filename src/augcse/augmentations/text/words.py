"""The words of a text, each with the signs that belong to it and without the marks around it."""

from __future__ import annotations

from augcse.augmentations.text.marks import compiled

# "$5", "@user", "-3", "'90s", and the clitics of tokenised text ("it 's").
_BEFORE = r"(?:[$£€¥]|(?<!\S)(?:[#@+=/.-]|['’](?=(?:s|d|m|n|ll|re|ve|\d\ds?)\b)))?"
_LETTERS = r"[\w\p{M}]+"
# Marks join parts of a word ("http://a.org", "well-known"); dashes and dots in a row separate words ("so--he").
_JOINT = r"(?!--|\.\.)[!-/:-@\[-`{-~’–·\u200c\u200d]{1,3}"
# "5%", "mid-", "the dogs' tails", and the dot of an abbreviation inside the text; after a long lower-case word a dot ends a sentence.
_AFTER = r"(?:[%‰°/]|-(?!\S)|(?<=[sSzZxX])['’]|(?<![a-z]{4})\.(?=[^\w\s.]*\s+\S))?"
_WORD = rf"{_BEFORE}(?=\w*[^\W_]){_LETTERS}(?:\(\w*\)|{_JOINT}{_LETTERS})*{_AFTER}"


def find_words(text: str) -> list[tuple[int, int]]:
    """Return the spans of the words.

    >>> text = "(Smith's dog ate 5% of it.)"
    >>> [text[start:end] for start, end in find_words(text)]
    ["Smith's", 'dog', 'ate', '5%', 'of', 'it']
    """
    return [match.span() for match in compiled(_WORD).finditer(text)]
