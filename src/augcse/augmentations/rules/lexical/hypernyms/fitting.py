"""Whether a broader or narrower word fits a noun's place: its number, its article and the nouns near it."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import determiner
from augcse.augmentations.english.noun_kinds import levels, mass_nouns
from augcse.augmentations.english.words import Word
from augcse.lexicon.base import Lexicon

# Within this distance of the noun, no other noun may have the same hypernym.
_NEAR = 5
_OF_ONE = frozenset("a an each every another one this that".split())
# How many senses of a noun are looked at, and how many levels above them.
SENSES, _CLIMB = 3, 9


def may_stand(parse: Parse, word: Word, other: str) -> bool:
    """Return whether the other noun goes with the noun's article (or lack of one) and number."""
    # A compound of the noun itself ("lung cancer" for "cancer") is used as the noun is.
    is_compound = other.endswith(f" {word.lemma}")
    is_mass_only = mass_nouns().get(other) == "only"
    article = determiner(parse, word.index)
    if word.tag == "NNS":
        return is_compound or not is_mass_only
    if article is not None:
        return is_compound or not is_mass_only or article not in _OF_ONE
    if parse.tag(word.index + 1) == "NNP":  # a title needs no article: "the film by actor Tom Smith"
        return not is_mass_only
    # Else only mass nouns have no article. One with a capital may be a name: "Steel was born in Durham".
    return parse.tokens[word.index].islower() and (word.lemma if is_compound else other) in mass_nouns()


@lru_cache(maxsize=5_000)
def broader_words(lemma: str, lexicon: Lexicon) -> frozenset[str]:
    """Return all hypernyms of the first few senses of the lemma."""
    hypernyms = islice(levels(lexicon.synsets(lemma, "n")[:SENSES], lexicon.hypernyms), 1, _CLIMB + 1)
    return frozenset(word.lower() for level in hypernyms for synset in level for word in synset.lemmas)


def is_broader_there(parse: Parse, word: Word, other: str, lexicon: Lexicon) -> bool:
    """Return whether a hypernym fits, and is not one of a noun nearby too: "a dog saw a dog", "dogs and cats"."""
    places = {*range(max(word.index - _NEAR, 0), min(word.index + _NEAR + 1, len(parse)))} - {word.index}
    near_nouns = {parse.lemmas[place].lower() for place in places if parse.upos[place] == "NOUN"}
    return may_stand(parse, word, other) and not any(other in broader_words(lemma, lexicon) for lemma in near_nouns)


def is_narrower_there(parse: Parse, word: Word, other: str, lexicon: Lexicon) -> bool:
    """Return whether a hyponym fits, and repeats no word of the sentence: "the committee and its committee meeting"."""
    words = {*parse.words, *parse.lemmas}
    return may_stand(parse, word, other) and words.isdisjoint(set(other.split()) - {word.lemma, "of"})
