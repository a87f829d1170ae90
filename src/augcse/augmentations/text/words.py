"""The words of a text, each with the signs that belong to it and without the marks around it."""

from __future__ import annotations

from augcse.augmentations.text.marks import compiled

# Signs before a word that belong to it ("$5", "@user", "-3", "'90s"), and the apostrophe of a clitic in tokenised text ("it 's").
_BEFORE = r"(?:[$£€¥]|(?<!\S)(?:[#@+=/.-]|['’](?=(?:s|d|m|n|ll|re|ve|\d\ds?)\b)))?"
_LETTERS = r"[\w\p{M}]+"
# Marks join parts of a word ("http://a.org", "well-known"); dashes and dots in a row separate words ("so--he").
_JOINT = r"(?!--|\.\.)[!-/:-@\[-`{-~’–·\u200c\u200d]{1,3}"
# Signs after a word that belong to it ("5%", "mid-", "dogs'"), and the dot of an abbreviation inside the text; a dot after a long
# lower-case word ends a sentence.
_AFTER = r"(?:[%‰°/]|-(?!\S)|(?<=[sSzZxX])['’]|(?<![a-z]{4})\.(?=[^\w\s.]*\s+\S))?"
_WORD = rf"{_BEFORE}(?=\w*[^\W_]){_LETTERS}(?:\(\w*\)|{_JOINT}{_LETTERS})*{_AFTER}"


def find_words(text: str) -> list[tuple[int, int]]:
    """Return the spans of the words.

    >>> text = "(Smith's dog ate 5% of it.)"
    >>> [text[start:end] for start, end in find_words(text)]
    ["Smith's", 'dog', 'ate', '5%', 'of', 'it']
    """
    return [match.span() for match in compiled(_WORD).finditer(text)]
