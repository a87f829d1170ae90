"""What the lexicon knows of a noun that a colour stands before: an expression, a living being, a thing with a surface."""

from __future__ import annotations

import re
from functools import lru_cache

from augcse.lexicon.open import open_lexicon

_SENSES = 4
# Categories of the lexicon whose members have a surface: of what has none, is a kind (animals, plants, food) or is
# people, a colour is rarely how it looks ("white nights", "green areas", "red fox", "white chocolate").
_SURFACES = frozenset("noun.artifact noun.attribute noun.body noun.object noun.phenomenon noun.shape noun.substance".split())
_LIVING = frozenset(("noun.animal", "noun.food", "noun.person", "noun.plant"))
# Of the other categories, these nouns take colours as things do.
_THINGS = frozenset(
    """background band bar bird blossom border box cat circle cover cross design dog dot edge feather field flag flower fur horse ink
    jersey kit leaf leave letter lettering line livery logo mark marking mosaic paint panel patch
    pattern petal plumage scheme sepal shell shirt
    sign spot stem stripe stroke text tone trim uniform wing""".split()
)
BODY_PART = re.compile(r"(?:back|beard|bell|bill|breast|brow|cap|cheek|chest|collar|crest|crown|ear|eye|face|foot|front|hair|head|leg|"
                   r"lipp|mask|neck|nos|rump|should|skin|spott|tail|throat|toe|vent|wing)\w*ed")  # fmt: skip


def is_expression(words: tuple[str, ...]) -> bool:
    """Tell whether the lexicon lists the colour and the words after it as one noun, in either spelling of "gray"."""
    spellings = {words[0], words[0].replace("gray", "grey"), words[0].replace("grey", "gray")}
    phrases = {" ".join((color, *words[1:])) for color in spellings}
    # Not "Red Cross": written small, it is a cross.
    return any(phrase in synset.lemmas for phrase in phrases for synset in open_lexicon().synsets(phrase, "n"))


@lru_cache(maxsize=4096)
def is_creature(lemma: str) -> bool:
    """Tell whether the noun's usual meaning is a living being, not a part of one."""
    first = open_lexicon().synsets(lemma, "n")[:1]
    return lemma not in _THINGS and any(sense.category in _LIVING for sense in first)


@lru_cache(maxsize=4096)
def may_be_person(lemma: str) -> bool:
    """Tell whether the noun may mean people: "fan"."""
    senses = open_lexicon().synsets(lemma, "n")[:_SENSES]
    return lemma not in _THINGS and any(sense.category == "noun.person" for sense in senses)


@lru_cache(maxsize=4096)
def is_surface(lemma: str) -> bool:
    """Tell whether the noun is a thing that has a colour."""
    first = open_lexicon().synsets(lemma, "n")[:1]
    return lemma in _THINGS or any(sense.category in _SURFACES for sense in first)
