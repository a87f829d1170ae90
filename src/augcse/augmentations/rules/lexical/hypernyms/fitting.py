"""Whether a broader or narrower word may stand in a noun's place: by its number, its article and the nouns near it."""

from __future__ import annotations

from functools import lru_cache
from itertools import islice

from augcse.annotation.parse import Parse
from augcse.augmentations.english.conditions import determiner
from augcse.augmentations.english.noun_kinds import levels, mass_nouns
from augcse.augmentations.english.words import Word
from augcse.lexicon.base import Lexicon

# How far from the noun words that fall under the same broader one may not stand.
_NEAR = 5
_OF_ONE = frozenset("a an each every another one this that".split())
# How many senses of a noun are looked at, and how far up from them a word is still broader.
SENSES, _CLIMB = 3, 9


def may_stand(parse: Parse, word: Word, other: str) -> bool:
    """Tell whether the other noun goes with the article (or none) and the number that the noun has."""
    kind, mass = other.endswith(f" {word.lemma}"), mass_nouns()
    article = determiner(parse, word.index)
    if word.tag == "NNS" or article is not None:
        return kind or mass.get(other) != "only" or (word.tag != "NNS" and article not in _OF_ONE)
    if parse.tag(word.index + 1) == "NNP":  # "the film by actor Tom Smith"
        return mass.get(other) != "only"
    # A capital may be a name's: "Steel was born in Durham".
    return parse.tokens[word.index].islower() and (word.lemma if kind else other) in mass


@lru_cache(maxsize=5_000)
def broader_words(lemma: str, lexicon: Lexicon) -> frozenset[str]:
    """Return all words above the first few senses of the lemma."""
    above = islice(levels(lexicon.synsets(lemma, "n")[:SENSES], lexicon.hypernyms), 1, _CLIMB + 1)
    return frozenset(word.lower() for level in above for synset in level for word in synset.lemmas)


def is_broader_there(parse: Parse, word: Word, other: str, lexicon: Lexicon) -> bool:
    """Tell whether a hypernym may stand, and no neighbour falls under it too: "a dog saw a dog", "dogs and cats"."""
    around = {*range(max(word.index - _NEAR, 0), min(word.index + _NEAR + 1, len(parse)))} - {word.index}
    beside = {parse.lemmas[place].lower() for place in around if parse.upos[place] == "NOUN"}
    return may_stand(parse, word, other) and not any(other in broader_words(lemma, lexicon) for lemma in beside)


def is_narrower_there(parse: Parse, word: Word, other: str, lexicon: Lexicon) -> bool:
    """Tell whether a hyponym may stand, and says nothing that the sentence says already: "the committee and its committee meeting"."""
    said = {token.lower() for token in parse.tokens} | set(parse.lemmas)
    return may_stand(parse, word, other) and said.isdisjoint(set(other.split()) - {word.lemma, "of"})
