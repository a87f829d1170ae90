"""SynonymSubstitution: words replaced by WordNet synonyms in the same form."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation, check_rate
from augcse.augmentations.edit import Edit, apply_edits
from augcse.augmentations.lexical import Word, free_words, in_expression, replace_word
from augcse.errors import unknown_name
from augcse.lexicon.base import POS, Lexicon
from augcse.lexicon.open import BUNDLED_LEXICON, bundled_lexicon, open_lexicon

Words = Literal["reviewed", "first_sense"]
# Verbs that carry grammar rather than meaning, and words whose first sense is hardly ever the one meant.
_LIGHT = frozenset(
    """be have do make take get give go come keep put set let use can may must will need seem become begin look turn run
    one other such same own more most many much few little very so too as also then there here now well even just only
    not never ever yet still again up down out on off in over back away way thing case point place part time""".split()
)
_LEAST_COMMON = 36


@dataclass(frozen=True, slots=True)
class _Choice:
    """The synonyms a word may be replaced by, and the words that must (or must not) stand behind it."""

    synonyms: tuple[str, ...]
    required: frozenset[str]
    forbidden: frozenset[str]

    def fits_before(self, following: str) -> bool:
        return following not in self.forbidden and (not self.required or following in self.required)


@augmentation(
    "SynonymSubstitution",
    family="lexicon",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter synonym_substitution (Dhole et al. 2021); EDA (Wei and Zou 2019)",
    needs=("parse",),
    example=Example("The students purchased a big car.", "The pupils bought a large automobile.", seed=5),
)
def synonym_substitution(
    parse: Parse, rng: Random, *, rate: float = 0.5, words: Words = "reviewed", lexicon: str = BUNDLED_LEXICON
) -> str | None:
    """Replace nouns, verbs, adjectives and adverbs by WordNet synonyms, each with probability `rate`, in the same form.

    `words="reviewed"` replaces only words that have a synonym which reads well wherever the word stands; they are listed
    in `data/synonyms.tsv`, chosen by hand because in WordNet's own synsets most words stand beside rare or narrower ones
    ("car": "machine"). `words="first_sense"` takes any common one-word synonym of the first sense whose own first sense it
    is. NL-Augmenter takes the name of a random synset, whatever its sense, and does not inflect it.
    `lexicon` is "bundled" or "wndb:FOLDER". Names, listed expressions ("high school") and hyphenated words are left alone.
    """
    check_rate(rate)
    if words not in ("reviewed", "first_sense"):
        raise unknown_name("words", words, ("reviewed", "first_sense"))
    source = open_lexicon(lexicon)
    find = _reviewed if words == "reviewed" else _first_sense
    edits: list[Edit] = []
    for word in free_words(parse, source, POS):
        synonyms = find(parse, word, source)
        if synonyms and not in_expression(parse, word, source) and rng.random() < rate:
            edits += replace_word(parse, word, rng.choice(synonyms))
    return apply_edits(parse.text, edits) if edits else None


@lru_cache(maxsize=1)
def choices() -> dict[tuple[str, str], _Choice]:
    """Return the reviewed synonyms by part of speech and word."""
    table = resources.files("augcse.augmentations").joinpath("data/synonyms.tsv").read_text(encoding="utf-8")
    found = {}
    for line in table.splitlines():
        if not line.startswith("#"):
            pos, word, synonyms, condition = line.split("\t")
            neighbours = frozenset(filter(None, condition[1:].split(",")))
            required, forbidden = (neighbours, frozenset[str]()) if condition.startswith("+") else (frozenset[str](), neighbours)
            found[pos, word] = _Choice(tuple(synonyms.split()), required, forbidden)
    return found


def _reviewed(parse: Parse, word: Word, lexicon: Lexicon) -> list[str]:
    choice = choices().get((word.pos, word.lemma))
    following = parse.tokens[word.index + 1].lower() if word.index + 1 < len(parse) else ""
    if choice is None or not choice.fits_before(following):
        return []
    known = lexicon.synonyms(word.lemma, word.pos)
    return [synonym for synonym in choice.synonyms if synonym in known]


def _first_sense(parse: Parse, word: Word, lexicon: Lexicon) -> list[str]:
    """Return the common one-word synonyms of the first sense whose own first sense it is."""
    if word.lemma in _LIGHT:
        return []
    first = lexicon.synsets(word.lemma, word.pos)[:1]
    return [synonym for synonym in lexicon.synonyms(word.lemma, word.pos, 1) if _is_common(synonym) and
            lexicon.synsets(synonym, word.pos)[:1] == first]  # fmt: skip


def _is_common(word: str) -> bool:
    return word.isalpha() and word.islower() and bundled_lexicon().commonness(word) >= _LEAST_COMMON
