"""ReplaceHypernyms and ReplaceHyponyms: a noun replaced by a broader or a narrower one in the same form."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.conditions import Condition, determiner, is_beside_noun, read_condition
from augcse.augmentations.english.words import Word, free_words, in_expression, replace_word
from augcse.augmentations.option_types import LexiconName
from augcse.augmentations.text.edits import apply_edits
from augcse.lexicon.base import Lexicon, Synset
from augcse.lexicon.open import BUNDLED_LEXICON, bundled_lexicon, open_lexicon
from augcse.options import Count

Words = Literal["reviewed", "first_sense"]
Find = Callable[[Parse, Word, Lexicon], tuple[str, ...]]
# Broader than this a word says nothing: "entity", "abstraction", "whole" are less deep.
_LEAST_DEPTH = 4
_LEAST_COMMON = 36
_SENSES = 3
_CLIMB = 9
# How far from the noun a word that falls under the same broader one may not stand.
_NEAR = 5
_AGES = frozenset("boy girl child man woman teenager infant baby toddler youth lady".split())
_NARROWING = frozenset({"JJ", "JJR", "JJS", "VBN", "VBG"})
# Adjectives that leave open what kind of thing the noun means.
_NEUTRAL = frozenset(
    """new old young small large big little local famous popular first second third fourth fifth last next same different several
    many few great good important certain various additional numerous whole entire main own favorite favourite early late
    elderly wealthy rich poor beautiful successful prominent notable leading former fellow skilled foreign senior british
    contemporary modern western early later dead tall fresh nearby mature ancient private professional married older prolific
    talented brilliant powerful violent severe heavy famous short noted opening slow upstairs adjoining separate wounded rural
    largest permanent distant close single public parked stolen traditional fallen""".split()
)
_SPECIFYING = frozenset(
    "( [ : - – — -- such like including namely e.g. i.e. called named known titled entitled especially particularly".split()
)
_LISTING = frozenset({"include", "includes", "included", "including", ":"})
# Nouns that stand without an article, and not after "a" or in the plural.
_ONLY_MASS = frozenset(
    """clothing footwear vegetation precipitation land gold silver iron copper zinc tin hydrogen oxygen nitrogen helium
    granite marble limestone basalt bread meat tea coffee wine beer physics chemistry biology astronomy morphine aspirin
    cocaine malaria cancer cholera wood leather water wool silk cotton alcohol fuel anger joy""".split()
)
# Nouns that stand both with and without one.
_ALSO_MASS = frozenset(
    """liquid food metal disease illness fabric sport rock crime offense killing color fruit gas grain cereal
    alloy emotion feeling cheese chocolate paper murder robbery theft fraud fear science cancer wine tax""".split()
)


@augmentation(
    "ReplaceHypernyms",
    family="lexical",
    meaning="alteration",
    condition="a common noun with a broader word in WordNet",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter replace_with_hyponyms_hypernyms (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("The car stopped in front of an old house.", "The vehicle stopped in front of an old house."),
)
def replace_hypernyms(
    parse: Parse, rng: Random, *, nouns: Count = 1, words: Words = "reviewed", lexicon: LexiconName = BUNDLED_LEXICON
) -> str | None:
    """Replace `nouns` random common nouns by a broader word of WordNet, in the same number; "a" and "an" follow.

    The paper takes the hypernyms that a masked language model finds likely (CheckList); without one,
    `words="reviewed"` takes broader words, up to nine levels up, that read well in the place of the noun, chosen by hand
    and listed in `hypernyms.tsv`. `words="first_sense"` takes the direct hypernym of the first sense, unless it is
    rare or so broad that it says nothing ("entity", "abstraction"). `lexicon` is "bundled" or "wndb:FOLDER".
    """
    return _replace(parse, rng, nouns, lexicon, {"reviewed": _reviewed_hypernyms, "first_sense": _first_hypernyms}, words)


@augmentation(
    "ReplaceHyponyms",
    family="lexical",
    meaning="alteration",
    condition="a common noun with a narrower word in WordNet",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter replace_with_hyponyms_hypernyms (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("A bird sat on the roof.", "An owl sat on the roof."),
)
def replace_hyponyms(
    parse: Parse, rng: Random, *, nouns: Count = 1, words: Words = "reviewed", lexicon: LexiconName = BUNDLED_LEXICON
) -> str | None:
    """Replace `nouns` random common nouns by a narrower word of WordNet, in the same number; "a" and "an" follow.

    The paper takes the hyponyms that a masked language model finds likely (CheckList); without one,
    `words="reviewed"` takes narrower words that read well in the place of the noun, chosen by hand and listed in
    `hyponyms.tsv`. `words="first_sense"` takes a common one-word direct hyponym of the first sense whose own first
    sense it is. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    return _replace(parse, rng, nouns, lexicon, {"reviewed": _reviewed_hyponyms, "first_sense": _first_hyponyms}, words)


def _replace(parse: Parse, rng: Random, nouns: int, lexicon: str, finders: dict[str, Find], words: str) -> str | None:
    source = open_lexicon(lexicon)
    found: list[tuple[Word, list[str]]] = []
    for word in free_words(parse, source, ("n",)):
        fitting = [other for other in finders[words](parse, word, source) if _fits(parse, word, other)]
        if fitting and not is_beside_noun(parse, word.index) and not in_expression(parse, word, source):
            found.append((word, fitting))
    chosen = rng.sample(found, min(nouns, len(found)))
    edits = [edit for word, fitting in chosen for edit in replace_word(parse, word, rng.choice(fitting))]
    return apply_edits(parse.text, edits) if edits else None


def _fits(parse: Parse, word: Word, other: str) -> bool:
    """Tell whether the other noun goes with the article (or none) and the number that the noun has."""
    beside = {token.lower() for token in parse.tokens[max(word.index - 3, 0) : word.index + 4]}
    if not beside.isdisjoint((other, other.split()[0])) or other in parse.lemmas:
        return False
    kind = other.endswith(f" {word.lemma}")
    if word.tag == "NNS":
        return kind or other not in _ONLY_MASS
    article = determiner(parse, word.index)
    if kind:
        return article is not None or (word.lemma in _ALSO_MASS and parse.tokens[word.index].islower())
    if article is None:  # A capital may be a name's: "Steel was born in Durham".
        return parse.tokens[word.index].islower() and other in _ONLY_MASS | _ALSO_MASS
    return other not in _ONLY_MASS or article not in ("a", "an", "each", "every", "another", "one", "this", "that")


@lru_cache(maxsize=2)
def reviewed_nouns(name: str) -> dict[str, list[tuple[tuple[str, ...], Condition]]]:
    """Return the table `{name}.tsv`: the words each noun may be replaced by, those of each row with its condition."""
    table = Path(__file__).with_name(f"{name}.tsv").read_text("utf-8")
    found: dict[str, list[tuple[tuple[str, ...], Condition]]] = {}
    for line in table.splitlines():
        if not line.startswith("#"):
            noun, others, condition = line.split("\t")
            found.setdefault(noun, []).append((tuple(others.split("|")), read_condition(condition)))
    return found


def _reviewed(name: str, parse: Parse, word: Word) -> tuple[str, ...]:
    """Return the words of the noun's first row whose condition holds there."""
    rows = reviewed_nouns(name).get(word.lemma, ())
    if not rows or _is_age(parse, word) or _is_bracketed(parse, word.index) or _is_simile(parse, word.index):
        return ()
    return next((others for others, condition in rows if condition.fits(parse, word.index)), ())


def _is_age(parse: Parse, word: Word) -> bool:
    """Tell whether "as a boy" tells when, not as what."""
    before = [token.lower() for token in parse.tokens[max(word.index - 3, 0) : word.index]]
    return word.lemma in _AGES and "as" in before


def _is_bracketed(parse: Parse, index: int) -> bool:
    """Tell whether a bracket opens before the noun, which then explains a name: "Ursidae (bears)"."""
    return parse.tokens[index - 1 : index] in (("(",), ("[",))


def _is_simile(parse: Parse, index: int) -> bool:
    """Tell whether the noun is what something is likened to: "layered like an onion"."""
    return any(token.lower() == "like" for token in parse.tokens[max(index - 3, 0) : index])


def _reviewed_hypernyms(parse: Parse, word: Word, lexicon: Lexicon) -> tuple[str, ...]:
    """Return the broader words that no neighbour falls under too: "dogs and cats" are no "animals and cats"."""
    chosen = [other for other in _reviewed("hypernyms", parse, word) if other in _broader_words(word.lemma, lexicon)]
    if not chosen:
        return ()
    around = range(max(word.index - _NEAR, 0), min(word.index + _NEAR + 1, len(parse)))
    beside = {parse.lemmas[place].lower() for place in around if parse.upos[place] == "NOUN"} - {word.lemma}
    return tuple(other for other in chosen if not any(other in _broader_words(lemma, lexicon) for lemma in beside))


def _reviewed_hyponyms(parse: Parse, word: Word, lexicon: Lexicon) -> tuple[str, ...]:
    chosen = _reviewed("hyponyms", parse, word)
    if not chosen or _is_restricted(parse, word.index) or _is_specified(parse, word.index):
        return ()
    return tuple(other for other in chosen if word.lemma in _broader_words(other, lexicon))


def _is_restricted(parse: Parse, index: int) -> bool:
    """Tell whether what stands before the noun narrows it already, or sets it off from others: "higher mammals", "other weapons"."""
    if index == 0:
        return False
    before, tag = parse.tokens[index - 1], parse.tags[index - 1]
    return before.lower() in ("other", "such") or (tag in _NARROWING and before.islower() and before not in _NEUTRAL)


def _is_specified(parse: Parse, index: int) -> bool:
    """Tell whether what stands after the noun says which ones are meant: a name, an apposition, examples, brackets."""
    after = [token.lower() for token in parse.tokens[index + 1 : index + 3]] + ["", ""]
    following = parse.tokens[index + 1] if index + 1 < len(parse) else ""
    if following[:1].isupper() or following.isdigit() or after[0] in _SPECIFYING or parse.children(index, "appos"):
        return True
    if any(token.lower() in _LISTING for token in parse.tokens[index + 1 : index + _NEAR]):
        return True
    return after[0] == "," and (
        after[1] in _SPECIFYING or after[1] in ("a", "an", "the") or "".join(parse.tokens[index + 2 : index + 3])[:1].isupper()
    )


@lru_cache(maxsize=5_000)
def _broader_words(lemma: str, lexicon: Lexicon) -> frozenset[str]:
    """Return all words above the first few senses of the lemma."""
    found: set[Synset] = set()
    level = set(lexicon.synsets(lemma, "n")[:_SENSES])
    for _ in range(_CLIMB):
        level = {broader for synset in level for broader in lexicon.hypernyms(synset)} - found
        found |= level
    return frozenset(word.lower() for synset in found for word in synset.lemmas)


def _first_hypernyms(parse: Parse, word: Word, lexicon: Lexicon) -> tuple[str, ...]:
    first = lexicon.synsets(word.lemma, "n")[:1]
    above = [broader for synset in first for broader in lexicon.hypernyms(synset) if lexicon.depth(broader) >= _LEAST_DEPTH]
    return tuple(synset.lemmas[0] for synset in above if _is_common(synset.lemmas[0]))


def _first_hyponyms(parse: Parse, word: Word, lexicon: Lexicon) -> tuple[str, ...]:
    return _narrower_words(word.lemma, lexicon)


@lru_cache(maxsize=20_000)
def _narrower_words(lemma: str, lexicon: Lexicon) -> tuple[str, ...]:
    first = lexicon.synsets(lemma, "n")[:1]
    below = [narrower for synset in first for narrower in lexicon.hyponyms(synset)]
    words = [(synset.lemmas[0], synset) for synset in below if " " not in synset.lemmas[0]]
    return tuple(word for word, synset in words if _is_common(word) and lexicon.synsets(word, "n")[:1] == (synset,))


def _is_common(word: str) -> bool:
    plain = word.replace(" ", "").isalpha() and word.islower()
    return plain and all(bundled_lexicon().commonness(part) >= _LEAST_COMMON for part in word.split())
