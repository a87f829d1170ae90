"""What a noun is left alone for, whatever broader or narrower word is proposed for it."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import determiner, is_beside_noun, is_compound_modifier
from augcse.augmentations.english.words import Word, in_expression
from augcse.augmentations.judge.replacement import WordRefusal
from augcse.augmentations.refusals import Refusal
from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import Lexicon, Synset

_SPECIFYING = frozenset("( [ : - – — -- such like including namely e.g. i.e. called named known titled entitled".split())
_LISTING = frozenset({"include", "includes", "included", "including", ":"})
_JOINTS = frozenset({"and", "or"})
_COUNTING = frozenset({"each", "every", "any", "no", "all", "most", "first", "only"})
# How far from the noun examples, and words that fall under the same broader one, may not stand.
_NEAR = 5
_SENSES, _CLIMB = 3, 9
_OF_ONE = ("a", "an", "each", "every", "another", "one", "this", "that")


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
    if following[:1].isupper() or following.isdigit() or following.lower() in _SPECIFYING or parse.children(index, "appos"):
        return True
    if any(token.lower() in _LISTING for token in parse.tokens[index + 1 : index + _NEAR]):
        return True
    return following == "," and (second.lower() in (*_SPECIFYING, "a", "an", "the") or second[:1].isupper())


def _is_named_twice(parse: Parse, word: Word, _: Lexicon) -> bool:
    return [lemma.lower() for lemma in parse.lemmas].count(word.lemma) > 1


def _is_joined(parse: Parse, word: Word, _: Lexicon) -> bool:
    return not _JOINTS.isdisjoint((parse.word(word.index - 1), parse.word(word.index + 1)))


def _is_counted(parse: Parse, word: Word, _: Lexicon) -> bool:
    """Tell whether what is said holds for this kind, and need not for a wider or narrower one: "each spring", "the first shotgun"."""
    near = range(max(word.index - 3, 0), word.index)
    return any(parse.tags[index] == "JJS" or parse.word(index) in _COUNTING for index in near)


_SHARED: tuple[WordRefusal, ...] = (
    Refusal("as or like somebody", "It sings like a bird.", _is_compared),
    Refusal("noun named twice", "The car stopped where he had bought the car.", _is_named_twice),
    Refusal("joined by and, or", "He saw the dog and Ann.", _is_joined),
    Refusal("each, the first, the oldest", "Every dog barked.", _is_counted),
)
HYPERNYM_REFUSALS: tuple[WordRefusal, ...] = (
    *_SHARED,
    Refusal("noun before a noun", "The dog door fell.", lambda parse, word, _: is_compound_modifier(parse, word.index)),
    Refusal("listed expression", "She saw a man of letters.", in_expression),
)
HYPONYM_REFUSALS: tuple[WordRefusal, ...] = (
    *_SHARED,
    Refusal("noun beside a noun", "The jazz song ended.", lambda parse, word, _: is_beside_noun(parse, word.index)),
    Refusal("adjective that may say which kind", "Some wild birds came.", _is_restricted),
    Refusal("kind named after the noun", "Many birds, such as the robin, came.", _is_specified),
    Refusal("listed expression", "She heard a bird of prey.", in_expression),
)


def may_stand(parse: Parse, word: Word, other: str, _: Lexicon) -> bool:
    """Tell whether the other noun goes with the article (or none) and the number that the noun has."""
    beside = {token.lower() for token in parse.tokens[max(word.index - 3, 0) : word.index + 4]}
    if other.split()[0] in beside:
        return False
    kind, mass = other.endswith(f" {word.lemma}"), _mass_nouns()
    if word.tag == "NNS":
        return kind or mass.get(other) != "only"
    article = determiner(parse, word.index)
    if article is not None:
        return kind or mass.get(other) != "only" or article not in _OF_ONE
    # A capital may be a name's: "Steel was born in Durham".
    return parse.tokens[word.index].islower() and (word.lemma if kind else other) in mass


@lru_cache(maxsize=5_000)
def broader_words(lemma: str, lexicon: Lexicon) -> frozenset[str]:
    """Return all words above the first few senses of the lemma."""
    found: set[Synset] = set()
    level = set(lexicon.synsets(lemma, "n")[:_SENSES])
    for _ in range(_CLIMB):
        level = {broader for synset in level for broader in lexicon.hypernyms(synset)} - found
        found |= level
    return frozenset(word.lower() for synset in found for word in synset.lemmas)


def is_broader_there(parse: Parse, word: Word, other: str, lexicon: Lexicon) -> bool:
    """Tell whether a hypernym may stand, and no neighbour falls under it too: "a dog saw a dog", "dogs and cats"."""
    around = {*range(max(word.index - _NEAR, 0), min(word.index + _NEAR + 1, len(parse)))} - {word.index}
    beside = {parse.lemmas[place].lower() for place in around if parse.upos[place] == "NOUN"}
    return may_stand(parse, word, other, lexicon) and not any(other in broader_words(lemma, lexicon) for lemma in beside)


@lru_cache(maxsize=1)
def _mass_nouns() -> dict[str, str]:
    return {noun: kind for noun, kind in data_rows(Path(__file__).with_name("mass_nouns.tsv"))}


@lru_cache(maxsize=1)
def _neutral_adjectives() -> frozenset[str]:
    return frozenset(adjective for (adjective,) in data_rows(Path(__file__).with_name("neutral_adjectives.txt")))
