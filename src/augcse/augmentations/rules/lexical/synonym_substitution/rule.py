"""SynonymSubstitution: words replaced by WordNet synonyms in the same form."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.conditions import Condition, is_beside_noun, read_condition
from augcse.augmentations.english.words import Word, free_words, in_expression, replace_word
from augcse.augmentations.option_types import LexiconName
from augcse.augmentations.text.edits import Edit, apply_edits
from augcse.lexicon.base import POS, Lexicon
from augcse.lexicon.open import BUNDLED_LEXICON, bundled_lexicon, open_lexicon
from augcse.options import Share

Words = Literal["reviewed", "first_sense"]
# Verbs that carry grammar rather than meaning, and words whose first sense is hardly ever the one meant.
_LIGHT = frozenset(
    """be have do make take get give go come keep put set let use can may must will need seem become begin look turn run
    one other such same own more most many much few little very so too as also then there here now well even just only
    not never ever yet still again up down out on off in over back away way thing case point place part time""".split()
)
_LEAST_COMMON = 36


@augmentation(
    "SynonymSubstitution",
    family="lexical",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter synonym_substitution (Dhole et al. 2021); EDA (Wei and Zou 2019)",
    needs=("parse",),
    example=Example("The students purchased a big car.", "The pupils bought a large automobile.", seed=5),
)
def synonym_substitution(
    parse: Parse, rng: Random, *, rate: Share = 0.5, words: Words = "reviewed", lexicon: LexiconName = BUNDLED_LEXICON
) -> str | None:
    """Replace nouns, verbs, adjectives and adverbs by WordNet synonyms, each with probability `rate`, in the same form.

    `words="reviewed"` replaces only words that have a synonym which reads well in their place; words and places are listed
    in `synonyms.tsv`, chosen by hand because in WordNet's own synsets most words stand beside rare or narrower ones
    ("car": "machine"). Nouns beside another noun, phrasal verbs and attributive participles are left alone.
    `words="first_sense"` takes any common one-word synonym of the first sense whose own first sense it is.
    NL-Augmenter takes the name of a random synset, whatever its sense, and does not inflect it.
    `lexicon` is "bundled" or "wndb:FOLDER". Names, listed expressions ("high school") and hyphenated words are left alone.
    """
    source = open_lexicon(lexicon)
    find = _reviewed if words == "reviewed" else _first_sense
    edits: list[Edit] = []
    for word in free_words(parse, source, POS):
        synonyms = find(parse, word, source)
        if synonyms and not in_expression(parse, word, source) and rng.random() < rate:
            edits += replace_word(parse, word, rng.choice(synonyms))
    return apply_edits(parse.text, edits) if edits else None


@lru_cache(maxsize=1)
def choices() -> dict[tuple[str, str], list[tuple[tuple[str, ...], Condition]]]:
    """Return the reviewed synonyms by part of speech and word: those of each of its rows, with the row's condition."""
    table = Path(__file__).with_name("synonyms.tsv").read_text("utf-8")
    found: dict[tuple[str, str], list[tuple[tuple[str, ...], Condition]]] = {}
    for line in table.splitlines():
        if not line.startswith("#"):
            pos, word, synonyms, condition = line.split("\t")
            found.setdefault((pos, word), []).append((tuple(synonyms.split()), read_condition(condition)))
    return found


def _reviewed(parse: Parse, word: Word, lexicon: Lexicon) -> list[str]:
    rows = choices().get((word.pos, word.lemma), [])
    if not rows or not _is_open(parse, word):
        return []
    synonyms = next((synonyms for synonyms, condition in rows if condition.fits(parse, word.index)), ())
    known = lexicon.synonyms(word.lemma, word.pos)
    return [synonym for synonym in synonyms if synonym in known and not _occurs(parse, synonym)]


def _is_open(parse: Parse, word: Word) -> bool:
    """Tell whether the word is no part of a compound noun, phrasal verb or participle that has become an adjective."""
    if word.pos == "n":
        return not is_beside_noun(parse, word.index)
    if word.pos == "v":
        return not parse.has_label(word.index, "amod", "compound") and not parse.children(word.index, "compound:prt")
    return True


def _occurs(parse: Parse, synonym: str) -> bool:
    """Tell whether the sentence has the synonym already: "grief and sorrow" is no "sorrow and sorrow"."""
    return synonym in parse.lemmas or synonym in parse.tokens


def _first_sense(parse: Parse, word: Word, lexicon: Lexicon) -> list[str]:
    """Return the common one-word synonyms of the first sense whose own first sense it is."""
    if word.lemma in _LIGHT:
        return []
    first = lexicon.synsets(word.lemma, word.pos)[:1]
    return [synonym for synonym in lexicon.synonyms(word.lemma, word.pos, 1) if _is_common(synonym) and
            lexicon.synsets(synonym, word.pos)[:1] == first]  # fmt: skip


def _is_common(word: str) -> bool:
    return word.isalpha() and word.islower() and bundled_lexicon().commonness(word) >= _LEAST_COMMON
