"""Which words are names: by their capitals, or, where those say nothing, by how often a word has a capital in other texts.

The table name_words.txt was counted in Wikipedia (scripts/build_name_words.py): "jackie" always has a capital inside a sentence, "brown"
half the time, and the two words of "blue ridge" have one together.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.marks import opens_sentence
from augcse.augmentations.english.tags import NAMES, NOUNS
from augcse.augmentations.text.tables import word_sets

_LONGEST_PHRASE = 4


@lru_cache(maxsize=1)
def _words() -> dict[str, frozenset[str]]:
    """Return the names and the phrases."""
    return word_sets(Path(__file__).with_name("name_words.txt"))


def is_name(parse: Parse, index: int) -> bool:
    """Return whether a token is a name: by its capital, or, where its case says nothing, because it nearly always has one elsewhere.

    The capital of a sentence's first word counts if the next word has one too: "White House".
    """
    if not 0 <= index < len(parse):
        return False
    has_capital = parse.tokens[index][0].isupper()
    if _has_own_case(parse, index) or (has_capital and parse.token(index + 1)[:1].isupper()):
        return has_capital
    return parse.word(index) in _words()["NAME"]


def in_name(parse: Parse, index: int) -> bool:
    """Return whether a token is a name or part of one: "White House", "jackie brown", the noun after a name ("Guild leader")."""
    if is_name(parse, index):
        return True
    if _has_own_case(parse, index):
        return parse.tags[index] in NOUNS and parse.tag(index - 1) in NAMES
    return in_phrase(parse, index)


def in_phrase(parse: Parse, index: int) -> bool:
    """Return whether a token whose case says nothing is part of a phrase that is a name, such as "blue ridge"."""
    if _has_own_case(parse, index):
        return False
    spans = ((first, first + length) for length in range(2, _LONGEST_PHRASE + 1) for first in range(index - length + 1, index + 1))
    return any("_".join(map(parse.word, range(first, end))) in _words()["PHRASE"] for first, end in spans)


def _has_own_case(parse: Parse, index: int) -> bool:
    """Return whether the case of a token shows if it is a name: a capital inside a sentence, or lower case in a text with capitals."""
    if parse.tokens[index][0].isupper():
        return not opens_sentence(parse, index)
    return _has_capitals(parse.tokens)


@lru_cache(maxsize=64)
def _has_capitals(tokens: tuple[str, ...]) -> bool:
    return any(token.istitle() and token != "I" for token in tokens)
