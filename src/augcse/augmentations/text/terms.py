"""Terms: the words and marks of a sentence, each with its place in the text.

In the spirit of NLTK's `word_tokenize`, on which UNA's published code rests: words and marks are terms, `'s`, `'ll`, `'re`, `'ve`,
`'d`, `'m` are terms of their own, hyphenated words, numbers (`1,000`, `12:30`), spans (`1999–2003`), initials (`J.`) and dotted
abbreviations (`U.S.`) are one term each. Unlike there, terms keep their place in the text, `"` stays `"`, `don't` is one term (its halves
are no words), and the dot of `Mr.` is a term of its own. Terms are compared in lower case.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from augcse.augmentations.english.article import indefinite_article
from augcse.augmentations.text.edits import match_case

_ARTICLES = frozenset(("a", "an", "A", "An", "AN"))
# Part of what fitted statistics depend on: raise it with every change of `_TERM` or `is_plain_word`.
TERMS_VERSION = 2

_CLITIC = r"['’](?:[sdmSDM]|[lL][lL]|[rRvV][eE])(?![\w'’])"
_HOLD_NEXT = frozenset("$£€¥₹#@_+=<>/\\~^°%&*|")
_HOLD_LAST = frozenset("%°$£€_+=<>/\\~^&@*|′″")
_CLOSING = frozenset("\"'”’)]»")
_PLAIN_WORD = re.compile(r"[^\W\d_]+(?:[-–'’][^\W\d_]+)*|\d+(?:[.,]\d+)*")
_TERM = re.compile(
    r"([A-Za-z]+(?=[ ,])"  # a plain word; the alternative for words would find the same, more slowly
    r"|(?:[^\W\d_]\.){2,}+(?![\"'”’)\]]*\s*\Z)"  # U.S.; at the end of the text its last dot closes the sentence
    r"|[^\W\d_]\.(?=\s+\S)"  # J. Smith
    rf"|{_CLITIC}"
    rf"|\w+(?:(?!{_CLITIC})(?:[-–.&/·'’]|(?<=\d)[,:](?=\d))\w+|[\u0300-\u036f]+\w*)*"
    r"|\.{2,}|--+|\S)"
)


def split_terms(sentence: str) -> list[str]:
    """Return the text between the terms at the even places of a list, the terms at the odd ones; joined, they are the sentence.

    >>> split_terms("Don't  go.")
    ['', "Don't", '  ', 'go', '', '.', '']
    """
    return _TERM.split(sentence)


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
    return lower_terms(_TERM.split(sentence))


def is_word(term: str) -> bool:
    """Tell words and numbers from marks and from what hangs on a word, such as `'s`."""
    return term[:1].isalnum()


def is_plain_word(term: str) -> bool:
    """Tell words that may be written anywhere from dotted abbreviations, file names, codes and digits glued to letters.

    >>> [is_plain_word(term) for term in ("café", "well-known", "1,000", "o'clock", "u.s.", "a_b", "index.html", "b52", "x4", "r&b")]
    [True, True, True, True, False, False, False, False, False, False]
    """
    return term.isalpha() or _PLAIN_WORD.fullmatch(term) is not None


def replaceable_terms(pieces: Sequence[str]) -> list[bool]:
    """Tell for each term of `split_terms` whether another word may stand in its place: a word without a dot or sign that belongs to it.

    >>> replaceable_terms(split_terms("St. Louis paid $7."))
    [False, False, True, True, False, False, False]
    """
    terms = pieces[1::2]
    found = [term[:1].isalnum() for term in terms]
    for place, term in enumerate(terms):
        if found[place] or len(term) > 1:
            continue
        if term == "." and place and not pieces[2 * place] and _goes_on(pieces, place):
            found[place - 1] = False
        elif term in _HOLD_NEXT and place + 1 < len(terms) and not pieces[2 * place + 2]:
            found[place + 1] = False
        if term in _HOLD_LAST and place and not pieces[2 * place]:
            found[place - 1] = False
    return found


def _goes_on(pieces: Sequence[str], place: int) -> bool:
    """Tell whether more than closing marks stands after the term."""
    return any(term not in _CLOSING for term in pieces[2 * place + 3 :: 2])


def find_words(sentence: str) -> list[tuple[int, int]]:
    """Return the spans of the words, each with what hangs on it.

    >>> text = "(Smith's dog.)"
    >>> [text[start:end] for start, end in find_words(text)]
    ["Smith's", 'dog']
    """
    spans: list[tuple[int, int]] = []
    for match in _TERM.finditer(sentence):
        start, end = match.span()
        if is_word(match[0]):
            spans.append((start, end))
        elif end - start > 1 and match[0][-1].isalpha() and spans and spans[-1][1] == start:
            spans[-1] = (spans[-1][0], end)
    return spans


def replace_terms(pieces: Sequence[str], new: Mapping[int, str]) -> str:
    """Write `new[i]` over term i of `split_terms`, with the capitals of what it replaces; all else stays byte for byte.

    One exception: an "a" or "an" before a replaced term, itself not replaced, is made to fit.

    >>> replace_terms(split_terms("A  Cat's paw."), {1: "owl"})
    "An  Owl's paw."
    """
    written = list(pieces)
    for term, word in new.items():
        place = 2 * term + 1
        written[place] = _like(pieces[place], word)
        if term and term - 1 not in new and pieces[place - 2] in _ARTICLES:
            written[place - 2] = match_case(pieces[place - 2][0], indefinite_article(word))
    return "".join(written)


def _like(pattern: str, word: str) -> str:
    """Give `word`, a term in lower case, the capitals of `pattern`: what `match_case` does, faster where one look tells."""
    if pattern.islower():
        return word
    return word[:1].upper() + word[1:] if pattern.istitle() and pattern.isalpha() else match_case(pattern, word)
