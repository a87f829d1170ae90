"""The reasons to leave a noun alone, whatever broader or narrower word is proposed for it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import is_beside_noun, is_compound_modifier
from augcse.augmentations.english.marks import DASHES
from augcse.augmentations.english.noun_kinds import first_kind
from augcse.augmentations.english.words import Word, in_expression
from augcse.augmentations.judge.replacement import WordRefusal
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import Lexicon

_JOINTS = frozenset({"and", "or"})
# How far after the noun its examples are looked for, and the words and marks before them.
_NEAR = 4
_BEFORE_APPOSITION = DASHES | {"-", "(", ":"}
_BEFORE_EXAMPLES = frozenset({"such", "include", "includes", "included", "including", "namely", "e.g.", "i.e."})


def _is_compared(parse: Parse, word: Word, _: Lexicon) -> bool:
    """Return whether "as" or "like" introduces the noun."""
    return any(parse.word(case) in ("as", "like") for case in parse.children(word.index, "case"))


def _is_joined(parse: Parse, word: Word, _: Lexicon) -> bool:
    """Return whether "and" or "or" pairs the noun with another one: "brothers and sisters", not "the book, and a man"."""
    sides = ((parse.word(word.index + side), parse.tag(word.index + 2 * side)) for side in (-1, 1))
    return any(joint in _JOINTS and tag.startswith("NN") for joint, tag in sides)


def _is_restricted(parse: Parse, word: Word, _: Lexicon) -> bool:
    """Return whether an adjective before the noun may already say what kind it is."""
    if word.index == 0 or not parse.has_label(word.index - 1, "amod"):
        return False
    return parse.word(word.index - 1) not in _neutral_adjectives() and parse.tokens[word.index - 1].islower()


def _has_examples(parse: Parse, word: Word, _: Lexicon) -> bool:
    """Return whether examples of the noun or an apposition follow it: "birds, such as the robin", "birds (robins)"."""
    following = parse.word(word.index + 1)
    near = range(word.index + 1, min(word.index + _NEAR + 1, len(parse)))
    has_apposition = following in _BEFORE_APPOSITION or (following == "," and bool(parse.children(word.index, "appos")))
    return has_apposition or any(parse.word(index) in _BEFORE_EXAMPLES for index in near)


def _is_named_kind(parse: Parse, word: Word, _: Lexicon) -> bool:
    """Return whether the noun is an animal or plant whose kind a noun before it names: "poison dart frog"."""
    return parse.tag(word.index - 1) == "NN" and first_kind(word.lemma) in ("noun.animal", "noun.plant")


HYPERNYM_REFUSALS: tuple[WordRefusal, ...] = (
    Refusal("as or like somebody", "It sings like a bird.", _is_compared),
    Refusal("noun before a noun", "The dog door fell.", lambda parse, word, _: is_compound_modifier(parse, word.index)),
    Refusal("kind of animal or plant", "He keeps a poison dart frog.", _is_named_kind),
    Refusal("listed expression", "They lived in rural areas.", in_expression),
)
HYPONYM_REFUSALS: tuple[WordRefusal, ...] = (
    Refusal("joined by and, or", "He saw the dog and Ann.", _is_joined),
    Refusal("noun beside a noun", "The guard dog barked.", lambda parse, word, _: is_beside_noun(parse, word.index)),
    Refusal("adjective that may say which kind", "Some wild birds came.", _is_restricted),
    Refusal("examples after the noun", "Many birds, such as the robin, came.", _has_examples),
    Refusal("listed expression", "She heard a bird of prey.", in_expression),
)


@lru_cache(maxsize=1)
def _neutral_adjectives() -> frozenset[str]:
    return frozenset(adjective for (adjective,) in data_rows(Path(__file__).with_name("neutral_adjectives.txt")))
