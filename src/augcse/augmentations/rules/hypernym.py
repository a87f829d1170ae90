"""ReplaceHypernyms and ReplaceHyponyms: a noun replaced by a broader or a narrower one in the same form."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.edit import apply_edits
from augcse.augmentations.lexical import Word, free_words, in_expression, replace_word
from augcse.errors import UserError, unknown_name
from augcse.lexicon.base import Lexicon, Synset
from augcse.lexicon.open import BUNDLED_LEXICON, bundled_lexicon, open_lexicon

Words = Literal["reviewed", "first_sense"]
Find = Callable[[str, Lexicon], tuple[str, ...]]
# Broader than this a word says nothing: "entity", "abstraction", "whole" are less deep.
_LEAST_DEPTH = 4
_LEAST_COMMON = 36
_SENSES = 3
_CLIMB = 9
_DETERMINERS = frozenset({"DT", "PDT", "WDT", "PRP$", "WP$", "POS"})
_INSIDE_PHRASE = frozenset({"JJ", "JJR", "JJS", "NN", "NNS", "NNP", "NNPS", "CD", "VBN", "VBG", "RB", "HYPH"})
# Nouns that stand without an article, and not behind "a" or in the plural.
_ONLY_MASS = frozenset(
    """clothing footwear vegetation precipitation land gold silver iron copper zinc tin hydrogen oxygen nitrogen helium
    granite marble limestone basalt bread meat tea coffee wine beer physics chemistry biology astronomy morphine aspirin
    cocaine malaria cancer cholera wood leather water wool silk cotton alcohol fuel anger joy""".split()
)
# Nouns that stand both with and without one.
_ALSO_MASS = frozenset(
    """liquid food metal beverage disease illness fabric sport rock crime offense killing color fruit gas grain cereal
    alloy emotion feeling cheese chocolate paper murder robbery theft fraud fear conflict science""".split()
)


@augmentation(
    "ReplaceHypernyms",
    family="lexicon",
    meaning="alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter replace_with_hyponyms_hypernyms (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("The car stopped in front of an old house.", "The vehicle stopped in front of an old house."),
)
def replace_hypernyms(
    parse: Parse, rng: Random, *, nouns: int = 1, words: Words = "reviewed", lexicon: str = BUNDLED_LEXICON
) -> str | None:
    """Replace `nouns` random common nouns by a broader word of WordNet, in the same number; "a" and "an" follow.

    The paper takes the hypernyms that a masked language model finds likely (CheckList); without one,
    `words="reviewed"` takes broader words, up to nine levels up, that read well in the place of the noun, chosen by hand
    and listed in `data/hypernyms.tsv`. `words="first_sense"` takes the direct hypernym of the first sense, unless it is
    rare or so broad that it says nothing ("entity", "abstraction"). `lexicon` is "bundled" or "wndb:FOLDER".
    """
    return _replace(parse, rng, nouns, lexicon, {"reviewed": _reviewed_hypernyms, "first_sense": _first_hypernyms}, words)


@augmentation(
    "ReplaceHyponyms",
    family="lexicon",
    meaning="alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter replace_with_hyponyms_hypernyms (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("A bird sat on the roof.", "An owl sat on the roof."),
)
def replace_hyponyms(parse: Parse, rng: Random, *, nouns: int = 1, words: Words = "reviewed", lexicon: str = BUNDLED_LEXICON) -> str | None:
    """Replace `nouns` random common nouns by a narrower word of WordNet, in the same number; "a" and "an" follow.

    The paper takes the hyponyms that a masked language model finds likely (CheckList); without one,
    `words="reviewed"` takes narrower words that read well in the place of the noun, chosen by hand and listed in
    `data/hyponyms.tsv`. `words="first_sense"` takes a common one-word direct hyponym of the first sense whose own first
    sense it is. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    return _replace(parse, rng, nouns, lexicon, {"reviewed": _reviewed_hyponyms, "first_sense": _first_hyponyms}, words)


def _replace(parse: Parse, rng: Random, nouns: int, lexicon: str, finders: dict[str, Find], words: str) -> str | None:
    if nouns < 1:
        raise UserError(f"nouns is {nouns}; give how many nouns to replace, 1 or more")
    if words not in finders:
        raise unknown_name("words", words, finders)
    source = open_lexicon(lexicon)
    found: list[tuple[Word, list[str]]] = []
    for word in free_words(parse, source, ("n",)):
        fitting = [other for other in finders[words](word.lemma, source) if _fits(parse, word, other)]
        if fitting and not _is_in_compound(parse, word.index) and not in_expression(parse, word, source):
            found.append((word, fitting))
    chosen = rng.sample(found, min(nouns, len(found)))
    edits = [edit for word, fitting in chosen for edit in replace_word(parse, word, rng.choice(fitting))]
    return apply_edits(parse.text, edits) if edits else None


def _is_in_compound(parse: Parse, index: int) -> bool:
    """Tell whether the noun stands directly beside another common noun: together they often mean something else."""
    beside = parse.tags[max(index - 1, 0) : index] + parse.tags[index + 1 : index + 2]
    return parse.has_label(index, "compound") or any(tag in ("NN", "NNS") for tag in beside)


def _fits(parse: Parse, word: Word, other: str) -> bool:
    """Tell whether the other noun goes with the article (or none) and the number that the noun has."""
    if other in {token.lower() for token in parse.tokens[max(word.index - 3, 0) : word.index + 4]}:
        return False
    if word.tag == "NNS":
        return other not in _ONLY_MASS
    determiner = _determiner(parse, word.index)
    if determiner is None:
        return other in _ONLY_MASS or other in _ALSO_MASS
    return other not in _ONLY_MASS or determiner not in ("a", "an", "each", "every", "another", "one", "this", "that")


def _determiner(parse: Parse, index: int) -> str | None:
    """Return the article or possessive that opens the noun's phrase, in lower case, or None."""
    for place in range(index - 1, -1, -1):
        if parse.tags[place] in _DETERMINERS or parse.tokens[place].lower() == "one":
            return parse.tokens[place].lower()
        if parse.tags[place] not in _INSIDE_PHRASE:
            break
    return None


@lru_cache(maxsize=2)
def reviewed_nouns(name: str) -> dict[str, tuple[str, ...]]:
    """Return the table `data/{name}.tsv`: the words each noun may be replaced by."""
    table = resources.files("augcse.augmentations").joinpath(f"data/{name}.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if not line.startswith("#"))
    return {noun: tuple(others.split("|")) for noun, others in rows}


@lru_cache(maxsize=20_000)
def _reviewed_hypernyms(lemma: str, lexicon: Lexicon) -> tuple[str, ...]:
    chosen = reviewed_nouns("hypernyms").get(lemma, ())
    return tuple(other for other in chosen if other in _broader_words(lemma, lexicon))


@lru_cache(maxsize=20_000)
def _reviewed_hyponyms(lemma: str, lexicon: Lexicon) -> tuple[str, ...]:
    chosen = reviewed_nouns("hyponyms").get(lemma, ())
    return tuple(other for other in chosen if lemma in _broader_words(other, lexicon))


@lru_cache(maxsize=5_000)
def _broader_words(lemma: str, lexicon: Lexicon) -> frozenset[str]:
    """Return all words above the first few senses of the lemma."""
    found: set[Synset] = set()
    level = set(lexicon.synsets(lemma, "n")[:_SENSES])
    for _ in range(_CLIMB):
        level = {broader for synset in level for broader in lexicon.hypernyms(synset)} - found
        found |= level
    return frozenset(word.lower() for synset in found for word in synset.lemmas)


@lru_cache(maxsize=20_000)
def _first_hypernyms(lemma: str, lexicon: Lexicon) -> tuple[str, ...]:
    first = lexicon.synsets(lemma, "n")[:1]
    above = [broader for synset in first for broader in lexicon.hypernyms(synset) if lexicon.depth(broader) >= _LEAST_DEPTH]
    return tuple(synset.lemmas[0] for synset in above if _is_common(synset.lemmas[0]))


@lru_cache(maxsize=20_000)
def _first_hyponyms(lemma: str, lexicon: Lexicon) -> tuple[str, ...]:
    first = lexicon.synsets(lemma, "n")[:1]
    below = [narrower for synset in first for narrower in lexicon.hyponyms(synset)]
    words = [(synset.lemmas[0], synset) for synset in below if " " not in synset.lemmas[0]]
    return tuple(word for word, synset in words if _is_common(word) and lexicon.synsets(word, "n")[:1] == (synset,))


def _is_common(word: str) -> bool:
    plain = word.replace(" ", "").isalpha() and word.islower()
    return plain and all(bundled_lexicon().commonness(part) >= _LEAST_COMMON for part in word.split())
