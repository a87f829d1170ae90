"""What a noun is left alone for, whatever broader or narrower word is proposed for it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import is_beside_noun, is_compound_modifier
from augcse.augmentations.english.words import Word, in_expression
from augcse.augmentations.judge.replacement import WordRefusal
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.rules.lexical.hypernyms.fitting import NEAR, WORDS, broader_words
from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import Lexicon

_JOINTS = frozenset({"and", "or"})


def _is_compared(parse: Parse, word: Word, _: Lexicon) -> bool:
    return not {"as", "like"}.isdisjoint(token.lower() for token in parse.tokens[max(word.index - 3, 0) : word.index])


def _is_restricted(parse: Parse, word: Word, _: Lexicon) -> bool:
    """Tell whether an adjective before the noun may say already what kind it is."""
    if word.index == 0:
        return False
    before = parse.tokens[word.index - 1]
    adjective = parse.has_label(word.index - 1, "amod") and before.islower() and before not in _neutral_adjectives()
    return adjective or before.lower() in ("other", "such")


def _is_specified(parse: Parse, word: Word, _: Lexicon) -> bool:
    """Tell whether what stands after the noun says which ones are meant: a name, an apposition, examples, brackets."""
    index = word.index
    following, second = ((*parse.tokens[index + 1 : index + 3], "", "")[:2]) if index + 1 < len(parse) else ("", "")
    if following[:1].isupper() or following.isdigit() or following.lower() in WORDS["SPECIFYING"] or parse.children(index, "appos"):
        return True
    if any(token.lower() in WORDS["LISTING"] for token in parse.tokens[index + 1 : index + NEAR]):
        return True
    return following == "," and (second.lower() in (*WORDS["SPECIFYING"], "a", "an", "the") or second[:1].isupper())


def _has_kind_elsewhere(parse: Parse, word: Word, lexicon: Lexicon) -> bool:
    """Tell whether another noun is a kind of the word, which may be meant by it: "where dogs run free, no poodle comes home"."""
    nouns = {parse.lemmas[index].lower() for index, upos in enumerate(parse.upos) if upos == "NOUN"} - {word.lemma}
    return any(word.lemma in broader_words(noun, lexicon) for noun in nouns)


def _is_joined(parse: Parse, word: Word, _: Lexicon) -> bool:
    return not _JOINTS.isdisjoint((parse.word(word.index - 1), parse.word(word.index + 1)))


def _is_counted(parse: Parse, word: Word, _: Lexicon) -> bool:
    """Tell whether what is said holds for this kind, and need not for a wider or narrower one: "each spring", "the first shotgun"."""
    near = range(max(word.index - 3, 0), word.index)
    return any(parse.tags[index] == "JJS" or parse.word(index) in WORDS["COUNTING"] for index in near)


_SHARED: tuple[WordRefusal, ...] = (
    Refusal("as or like somebody", "It sings like a bird.", _is_compared),
    Refusal("joined by and, or", "He saw the dog and Ann.", _is_joined),
    Refusal("each, the first, the oldest", "Every dog barked.", _is_counted),
)
HYPERNYM_REFUSALS: tuple[WordRefusal, ...] = (
    *_SHARED,
    Refusal("noun before a noun", "The dog door fell.", lambda parse, word, _: is_compound_modifier(parse, word.index)),
    Refusal("listed expression", "They lived in rural areas.", in_expression),
)
HYPONYM_REFUSALS: tuple[WordRefusal, ...] = (
    *_SHARED,
    Refusal("noun beside a noun", "The guard dog barked.", lambda parse, word, _: is_beside_noun(parse, word.index)),
    Refusal("adjective that may say which kind", "Some wild birds came.", _is_restricted),
    Refusal("kind named after the noun", "Many birds, such as the robin, came.", _is_specified),
    Refusal("kind named elsewhere", "The birds sang when an owl came.", _has_kind_elsewhere),
    Refusal("listed expression", "She heard a bird of prey.", in_expression),
)


@lru_cache(maxsize=1)
def _neutral_adjectives() -> frozenset[str]:
    return frozenset(adjective for (adjective,) in data_rows(Path(__file__).with_name("neutral_adjectives.txt")))
