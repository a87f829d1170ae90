"""Which words are names: by their capitals, or, where those tell nothing, by how often such words have one elsewhere.

The table name_words.tsv was counted in Wikipedia: "jackie" always has a capital inside a sentence, "brown" half the time, and so do
the two words of "blue ridge" together.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from augcse.annotation.parse import Parse
from augcse.augmentations.text.tables import data_rows

_BEFORE_SENTENCE = frozenset((".", "?", "!", ":", "“", '"', "''", "``"))
_LONGEST_PHRASE = 4
_NAME_SHARE = 90
_LEADING_SHARE = 50


class Capitals(NamedTuple):
    """Percentages: how many occurrences of a word inside sentences have a capital, and how many of those another one after them."""

    share: int
    leading: int


@lru_cache(maxsize=1)
def _table() -> tuple[dict[str, Capitals], frozenset[str]]:
    """Return the words and the phrases."""
    *rows, (_, _, phrases) = data_rows(Path(__file__).with_name("name_words.tsv"))
    words = {word: Capitals(int(share), int(leading)) for share, leading, line in rows for word in line.split()}
    return words, frozenset(phrases.split())


def capitals(word: str) -> Capitals:
    """Return what is known of a word; nothing of one that is mostly written small.

    >>> capitals("jackie").share, capitals("dog").share
    (100, 0)
    """
    return _table()[0].get(word.lower(), Capitals(0, 0))


def has_own_capital(parse: Parse, index: int) -> bool:
    """Tell whether a token has a capital that no place gives it: inside a sentence, or at its opening before another ("White House")."""
    following = "".join(parse.tokens[index + 1 : index + 2])[:1]
    return parse.tokens[index][0].isupper() and (_has_own_case(parse, index) or following.isupper())


def is_name(parse: Parse, index: int) -> bool:
    """Tell whether a token has a capital of its own, or, where its place or the text decides that, nearly always has one elsewhere."""
    if not 0 <= index < len(parse) or not parse.tokens[index][0].isalpha() or parse.tokens[index] == "I":
        return False
    if _has_own_case(parse, index):
        return parse.tokens[index][0].isupper()
    return capitals(parse.tokens[index]).share >= _NAME_SHARE


def in_name(parse: Parse, index: int) -> bool:
    """Tell whether a token is a name or part of one: "White House", "jackie brown", the noun beside a name ("Guild leader")."""
    if is_name(parse, index) or has_own_capital(parse, index):
        return True
    if not _has_own_case(parse, index):
        leads = is_name(parse, index - 1) and capitals(parse.word(index - 1)).leading >= _LEADING_SHARE
        return (leads and parse.upos[index] in ("NOUN", "ADJ", "PROPN")) or in_phrase(parse, index)
    if parse.tags[index] in ("NN", "NNS") and parse.tag(index - 1) in ("NNP", "NNPS"):
        return True
    return parse.has_label(index, "compound") and parse.tokens[parse.heads[index]][0].isupper()


def in_phrase(parse: Parse, index: int) -> bool:
    """Tell whether a token whose case tells nothing is part of a phrase that is a name: the words of "blue ridge", "men in black"."""
    words = [token.lower() for token in parse.tokens[max(index - _LONGEST_PHRASE + 1, 0) : index + _LONGEST_PHRASE]]
    place = min(index, _LONGEST_PHRASE - 1)
    spans = ((first, last) for first in range(place + 1) for last in range(max(place, first + 1), first + _LONGEST_PHRASE))
    listed = any("_".join(words[first : last + 1]) in _table()[1] for first, last in spans if last < len(words))
    return listed and not _has_own_case(parse, index)


def _has_own_case(parse: Parse, index: int) -> bool:
    """Tell whether the case of a token says what it is: a capital that opens no sentence, or a small letter in a text with capitals."""
    if parse.tokens[index][0].isupper():
        return index > 0 and parse.tokens[index - 1] not in _BEFORE_SENTENCE
    return _has_capitals(parse.tokens)


@lru_cache(maxsize=64)
def _has_capitals(tokens: tuple[str, ...]) -> bool:
    return any(token.istitle() and token != "I" for token in tokens)
