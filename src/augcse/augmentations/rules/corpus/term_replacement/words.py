"""Words of a sentence replaced by others: which may be, and how the new ones are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from augcse.augmentations.english.article import indefinite_article
from augcse.augmentations.rules.corpus.term_replacement.terms import is_word
from augcse.augmentations.text.edits import match_case

_ARTICLES = frozenset(("a", "an", "A", "An", "AN"))
_HOLD_NEXT = frozenset("$£€¥₹#@_+=<>/\\~^°%&*|")
_HOLD_LAST = frozenset("%°$£€_+=<>/\\~^&@*|′″")
_CLOSING = frozenset("\"'”’)]»")


def replaceable_terms(pieces: Sequence[str]) -> list[bool]:
    """Tell for each term of `split_terms` whether another word may stand in its place: a word without a dot or sign that belongs to it.

    >>> from augcse.augmentations.rules.corpus.term_replacement.terms import split_terms
    >>> replaceable_terms(split_terms("St. Louis paid $7."))
    [False, False, True, True, False, False, False]
    """
    terms = pieces[1::2]
    found = list(map(is_word, terms))
    for index, term in enumerate(terms):
        if found[index]:
            continue
        follows = index > 0 and not pieces[2 * index]
        if term == "." and follows and any(later not in _CLOSING for later in terms[index + 1 :]):
            found[index - 1] = False
        elif term in _HOLD_NEXT and index + 1 < len(terms) and not pieces[2 * index + 2]:
            found[index + 1] = False
        if term in _HOLD_LAST and follows:
            found[index - 1] = False
    return found


def replace_terms(pieces: Sequence[str], new: Mapping[int, str]) -> str:
    """Write `new[i]` over term i of `split_terms`, with the capitals of what it replaces; all else stays byte for byte.

    One exception: an "a" or "an" before a replaced term, itself not replaced, is made to fit.

    >>> from augcse.augmentations.rules.corpus.term_replacement.terms import split_terms
    >>> replace_terms(split_terms("A  Cat's paw."), {1: "owl"})
    "An  Owl's paw."
    """
    written = list(pieces)
    for term, word in new.items():
        index = 2 * term + 1
        written[index] = match_case(pieces[index], word)
        if term and term - 1 not in new and pieces[index - 2] in _ARTICLES:
            written[index - 2] = match_case(pieces[index - 2][0], indefinite_article(word))
    return "".join(written)
