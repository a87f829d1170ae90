"""Which words of a sentence may be replaced, and how the new ones are written."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from augcse.augmentations.english.article import indefinite_article
from augcse.augmentations.rules.corpus.term_replacement.terms import is_word
from augcse.augmentations.text.cut import CLOSING
from augcse.augmentations.text.edits import match_case

_ARTICLES = frozenset(("a", "an", "A", "An", "AN"))
# Signs that belong to the term after them, and to the term before them, if no space is in between.
_BOUND_TO_NEXT = frozenset("$£€¥₹#@_+=<>/\\~^°%&*|")
_BOUND_TO_PREVIOUS = frozenset("%°$£€_+=<>/\\~^&@*|′″")


def replaceable_terms(pieces: Sequence[str]) -> list[bool]:
    """Return for each term of `split_terms` whether another word may replace it: a word without a dot or sign that belongs to it.

    >>> from augcse.augmentations.rules.corpus.term_replacement.terms import split_terms
    >>> replaceable_terms(split_terms("St. Louis paid $7."))
    [False, False, True, True, False, False, False]
    """
    terms = pieces[1::2]
    replaceable = list(map(is_word, terms))
    for index, term in enumerate(terms):
        if replaceable[index]:
            continue
        touches_previous = index > 0 and not pieces[2 * index]
        if term == "." and touches_previous and any(later not in CLOSING for later in terms[index + 1 :]):
            replaceable[index - 1] = False
        elif term in _BOUND_TO_NEXT and index + 1 < len(terms) and not pieces[2 * index + 2]:
            replaceable[index + 1] = False
        if term in _BOUND_TO_PREVIOUS and touches_previous:
            replaceable[index - 1] = False
    return replaceable


def replace_terms(pieces: Sequence[str], new: Mapping[int, str]) -> str:
    """Write `new[i]` in place of term i of `split_terms`, with its capitals; everything else stays byte for byte.

    One exception: an "a" or "an" before a replaced term is adapted, unless it is replaced itself.

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
