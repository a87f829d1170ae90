"""Terms: the words and marks of a sentence, each with its place in the text.

Similar to NLTK's `word_tokenize`, which UNA's published code uses: words and marks are terms, `'s`, `'ll`, `'re`, `'ve`, `'d`, `'m` are
separate terms, hyphenated words, numbers (`1,000`, `12:30`), spans (`1999–2003`), initials (`J.`) and dotted abbreviations (`U.S.`) are one
term each. Unlike there, terms keep their place in the text, `"` stays `"`, `don't` is one term (its halves are not words), and the dot of
`Mr.` is a separate term. In any script, combining marks, and joiners inside a word, belong to the word. Terms are compared in lower case.
"""

from __future__ import annotations

from collections.abc import Sequence

from augcse.augmentations.text.marks import compiled

# Fitted statistics depend on it: raise it with every change of `_TERM` or `is_plain_word`.
TERMS_VERSION = 3

_CLITIC = r"['’](?:[sdmSDM]|[lL][lL]|[rRvV][eE])(?![\w'’\p{M}])"
# What may follow a letter inside a word: a combining mark, then perhaps joiners, even at the end of the word (Malayalam); or joiners.
_MARK_OR_JOINER = r"(?:[\p{M}][\u200c\u200d]*|[\u200c\u200d]+(?=\w))"
_LETTERS = rf"[^\W\d_]+(?:{_MARK_OR_JOINER}[^\W\d_]*)*"
_PLAIN_WORD = rf"{_LETTERS}(?:[-–'’]{_LETTERS})*|\d+(?:[.,]\d+)*"
_TERM = (
    r"([A-Za-z]+(?=[ ,])"  # a plain word; only for speed, since the last alternative but one would match it too
    r"|(?:[^\W\d_]\.){2,}+(?![\"'”’)\]]*\s*\Z)"  # U.S.; at the end of the text its last dot closes the sentence
    r"|[^\W\d_]\.(?=\s+\S)"  # J. Smith
    rf"|{_CLITIC}"
    rf"|\w+(?:(?!{_CLITIC})(?:[-–.&/·'’]|(?<=\d)[,:](?=\d))\w+|{_MARK_OR_JOINER}\w*)*"
    r"|\.{2,}|--+|\S)"
)


def split_terms(sentence: str) -> list[str]:
    """Split a sentence into a list with the terms at odd indices and the text between them at even ones; joined, it is the sentence.

    >>> split_terms("Don't  go.")
    ['', "Don't", '  ', 'go', '', '.', '']
    """
    return compiled(_TERM).split(sentence)


def lower_terms(pieces: Sequence[str]) -> list[str]:
    """Return the terms of `split_terms` in lower case.

    >>> lower_terms(split_terms("Don't  go."))
    ["don't", 'go', '.']
    """
    # One call for all terms: no term contains a line break, and none is lower-cased differently next to one.
    return "\n".join(pieces[1::2]).lower().split("\n") if len(pieces) > 1 else []


def term_texts(sentence: str) -> list[str]:
    """Return the terms of a sentence in lower case.

    >>> term_texts("Don't say “J. Smith's 1,000-dollar U.S. car”!")
    ["don't", 'say', '“', 'j.', 'smith', "'s", '1,000-dollar', 'u.s.', 'car', '”', '!']
    """
    return lower_terms(split_terms(sentence))


def is_word(term: str) -> bool:
    """Return whether a term is a word or number, not a mark or a clitic such as `'s`."""
    return term[:1].isalnum()


def is_plain_word(term: str) -> bool:
    """Return whether a term is a word or number, not a dotted abbreviation, file name, code, or letters with digits.

    >>> [is_plain_word(term) for term in ("café", "well-known", "1,000", "o'clock", "u.s.", "a_b", "index.html", "b52", "x4", "r&b")]
    [True, True, True, True, False, False, False, False, False, False]
    """
    return term.isalpha() or compiled(_PLAIN_WORD).fullmatch(term) is not None
