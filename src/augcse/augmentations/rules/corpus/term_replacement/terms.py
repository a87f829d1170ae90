"""Terms: the words and marks of a sentence, each with its place in the text.

In the spirit of NLTK's `word_tokenize`, on which UNA's published code rests: words and marks are terms, `'s`, `'ll`, `'re`, `'ve`,
`'d`, `'m` are terms of their own, hyphenated words, numbers (`1,000`, `12:30`), spans (`1999–2003`), initials (`J.`) and dotted
abbreviations (`U.S.`) are one term each. Unlike there, terms keep their place in the text, `"` stays `"`, `don't` is one term (its halves
are no words), and the dot of `Mr.` is a term of its own. In any writing the marks that letters wear, and the joiners inside a word, belong
to it. Terms are compared in lower case.
"""

from __future__ import annotations

from collections.abc import Sequence

from augcse.augmentations.text.marks import compiled

# Part of what fitted statistics depend on: raise it with every change of `_TERM` or `is_plain_word`.
TERMS_VERSION = 3

_CLITIC = r"['’](?:[sdmSDM]|[lL][lL]|[rRvV][eE])(?![\w'’\p{M}])"
# How a word goes on after a letter that is not its last: a mark, after which a joiner may end the word too (Malayalam), or joiners.
_GOES_ON = r"(?:[\p{M}][\u200c\u200d]*|[\u200c\u200d]+(?=\w))"
_LETTERS = rf"[^\W\d_]+(?:{_GOES_ON}[^\W\d_]*)*"
_PLAIN_WORD = rf"{_LETTERS}(?:[-–'’]{_LETTERS})*|\d+(?:[.,]\d+)*"
_TERM = (
    r"([A-Za-z]+(?=[ ,])"  # a plain word; the alternative for words would find the same, more slowly
    r"|(?:[^\W\d_]\.){2,}+(?![\"'”’)\]]*\s*\Z)"  # U.S.; at the end of the text its last dot closes the sentence
    r"|[^\W\d_]\.(?=\s+\S)"  # J. Smith
    rf"|{_CLITIC}"
    rf"|\w+(?:(?!{_CLITIC})(?:[-–.&/·'’]|(?<=\d)[,:](?=\d))\w+|{_GOES_ON}\w*)*"
    r"|\.{2,}|--+|\S)"
)


def split_terms(sentence: str) -> list[str]:
    """Return the text between the terms at the even places of a list, the terms at the odd ones; joined, they are the sentence.

    >>> split_terms("Don't  go.")
    ['', "Don't", '  ', 'go', '', '.', '']
    """
    return compiled(_TERM).split(sentence)


def lower_terms(pieces: Sequence[str]) -> list[str]:
    """Return the terms of `split_terms` in lower case.

    >>> lower_terms(split_terms("Don't  go."))
    ["don't", 'go', '.']
    """
    # One call for all of them; no term holds a line break, and none is special beside one.
    return "\n".join(pieces[1::2]).lower().split("\n") if len(pieces) > 1 else []


def term_texts(sentence: str) -> list[str]:
    """Return the terms of a sentence in lower case.

    >>> term_texts("Don't say “J. Smith's 1,000-dollar U.S. car”!")
    ["don't", 'say', '“', 'j.', 'smith', "'s", '1,000-dollar', 'u.s.', 'car', '”', '!']
    """
    return lower_terms(split_terms(sentence))


def is_word(term: str) -> bool:
    """Tell words and numbers from marks and from what hangs on a word, such as `'s`."""
    return term[:1].isalnum()


def is_plain_word(term: str) -> bool:
    """Tell words that may be written anywhere from dotted abbreviations, file names, codes and digits glued to letters.

    >>> [is_plain_word(term) for term in ("café", "well-known", "1,000", "o'clock", "u.s.", "a_b", "index.html", "b52", "x4", "r&b")]
    [True, True, True, True, False, False, False, False, False, False]
    """
    return term.isalpha() or compiled(_PLAIN_WORD).fullmatch(term) is not None
