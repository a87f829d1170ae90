"""Which words are names: by their capitals, or, where those tell nothing, by how often such words have one elsewhere.

The table name_words.txt was counted in Wikipedia (scripts/build_name_words.py): "jackie" always has a capital inside a sentence, "brown"
half the time, and the two words of "blue ridge" have one together.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.text.tables import word_sets

_BEFORE_SENTENCE = frozenset((".", "?", "!", ":", "“", '"', "''", "``"))
_LONGEST_PHRASE = 4


@lru_cache(maxsize=1)
def _words() -> dict[str, frozenset[str]]:
    """Return the names and the phrases."""
    return word_sets(Path(__file__).with_name("name_words.txt"))


def is_name(parse: Parse, index: int) -> bool:
    """Tell whether a token has a capital of its own, or, where its place or the text decides that, nearly always has one elsewhere.

    The capital that opens a sentence is one where the next word has one too: "White House".
    """
    if not 0 <= index < len(parse):
        return False
    before_name = parse.token(index + 1)[:1].isupper()
    if _has_own_case(parse, index) or (parse.tokens[index][0].isupper() and before_name):
        return parse.tokens[index][0].isupper()
    return parse.word(index) in _words()["NAME"]


def in_name(parse: Parse, index: int) -> bool:
    """Tell whether a token is a name or part of one: "White House", "jackie brown", the noun beside a name ("Guild leader")."""
    if is_name(parse, index):
        return True
    if _has_own_case(parse, index):
        return parse.tags[index] in ("NN", "NNS") and parse.tag(index - 1) in ("NNP", "NNPS")
    return in_phrase(parse, index)


def in_phrase(parse: Parse, index: int) -> bool:
    """Tell whether a token whose case tells nothing is part of a phrase that is a name, such as "blue ridge"."""
    if _has_own_case(parse, index):
        return False
    spans = ((first, first + length) for length in range(2, _LONGEST_PHRASE + 1) for first in range(index - length + 1, index + 1))
    return any("_".join(map(parse.word, range(first, end))) in _words()["PHRASE"] for first, end in spans)


def _has_own_case(parse: Parse, index: int) -> bool:
    """Tell whether the case of a token says what it is: a capital that opens no sentence, or a small letter in a text with capitals."""
    if parse.tokens[index][0].isupper():
        return index > 0 and parse.tokens[index - 1] not in _BEFORE_SENTENCE
    return _has_capitals(parse.tokens)


@lru_cache(maxsize=64)
def _has_capitals(tokens: tuple[str, ...]) -> bool:
    return any(token.istitle() and token != "I" for token in tokens)
