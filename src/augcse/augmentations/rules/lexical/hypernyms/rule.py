"""ReplaceHypernyms and ReplaceHyponyms: a noun replaced by a broader or a narrower one in the same form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from itertools import islice
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.noun_kinds import levels
from augcse.augmentations.english.words import Word, as_listed, write_as_listed
from augcse.augmentations.judge.judge import open_judge
from augcse.augmentations.judge.proposal import Senses, sense_rank
from augcse.augmentations.judge.replacement import Replacement, Ways, is_new, write_chosen
from augcse.augmentations.option_types import Fidelity, JudgeName, LexiconName
from augcse.augmentations.rules.lexical.hypernyms.fitting import SENSES, broader_words, is_broader_there, is_narrower_there
from augcse.augmentations.rules.lexical.hypernyms.named_places import PLACE_REFUSALS, place_ways
from augcse.augmentations.rules.lexical.hypernyms.refusals import HYPERNYM_REFUSALS, HYPONYM_REFUSALS
from augcse.lexicon.base import Lexicon, Pos, Synset
from augcse.lexicon.open import BUNDLED_LEXICON, open_lexicon
from augcse.options import Count

# Less deep words are too general to say anything: "entity", "abstraction", "whole".
_LEAST_DEPTH = 4
# How many levels above or below a sense are used.
_STEPS = 3
_THINGS = frozenset(f"noun.{kind}" for kind in "animal artifact body food object person plant substance".split())


def _related(lemma: str, lexicon: Lexicon, step: Callable[[Synset], Iterable[Synset]]) -> dict[str, Senses]:
    """Return the words within some steps of the first senses, each with the first sense that leads to it."""
    senses = lexicon.synsets(lemma, "n")
    related: dict[str, Senses] = {}
    for rank, sense in enumerate(senses[:SENSES]):
        for steps, level in enumerate(islice(levels([sense], step), 1, _STEPS + 1), 1):
            for synset in level:
                for other in [other for other in synset.lemmas if other not in related and is_new(lemma, other)]:
                    other_rank = sense_rank(lexicon, other, "n", synset) or 0
                    related[other] = Senses(rank, len(senses), other_rank, len(lexicon.synsets(other, "n")), steps)
    return related


@lru_cache(maxsize=20_000)
def hypernyms_of(lemma: str, _: Pos, lexicon: Lexicon) -> dict[str, Senses]:
    """Return the hypernyms of the noun's first senses, without those that are too general to say anything."""
    return _related(lemma, lexicon, lambda synset: [b for b in lexicon.hypernyms(synset) if lexicon.depth(b) >= _LEAST_DEPTH])


@lru_cache(maxsize=20_000)
def hyponyms_of(lemma: str, _: Pos, lexicon: Lexicon) -> dict[str, Senses]:
    """Return the hyponyms of the noun's first senses that are things; those of others are near-synonyms ("choice", "preference")."""
    return _related(lemma, lexicon, lambda synset: lexicon.hyponyms(synset) if synset.category in _THINGS else ())


def _is_hypernym(word: Word, other: str, lexicon: Lexicon) -> bool:
    return other in broader_words(word.lemma, lexicon)


def _is_hyponym(word: Word, other: str, lexicon: Lexicon) -> bool:
    return word.lemma in broader_words(other, lexicon)


_FOLDER = Path(__file__).parent
HYPERNYMS = Replacement(
    "hypernym", ("n",), hypernyms_of, _FOLDER / "hypernyms.tsv", _is_hypernym, is_broader_there, HYPERNYM_REFUSALS, everywhere=True
)
HYPONYMS = Replacement(
    "hyponym", ("n",), hyponyms_of, _FOLDER / "hyponyms.tsv", _is_hyponym, is_narrower_there, HYPONYM_REFUSALS, everywhere=True
)


@augmentation(
    "ReplaceHypernyms",
    family="lexical",
    meaning="alteration",
    condition="a common noun with a broader word in WordNet, or the name of a city, state or country",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter replace_with_hyponyms_hypernyms (Dhole et al. 2021)",
    needs=("parse",),
    batched=True,
    example=Example("The car stopped in front of an old house.", "The vehicle stopped in front of an old house."),
    refusals=(*HYPERNYM_REFUSALS, *PLACE_REFUSALS),
)
def replace_hypernyms(
    parses: Sequence[Parse],
    rngs: Sequence[Random],
    *,
    nouns: Count = 1,
    judge: JudgeName = "lexical",
    fidelity: Fidelity = "grammatical",
    lexicon: LexiconName = BUNDLED_LEXICON,
) -> list[str | None]:
    """Replace `nouns` random nouns: common ones by a broader word of WordNet, in the same number, names of places by their kind.

    "A" and "an" are adapted. A common noun that occurs several times is replaced by the same word each time, or stays. Names of large or
    well-known cities, of countries and of some of their states become "a city", "a country", "a state" or "a province", of which they are
    instances in WordNet; the table and the judge are not used for them.

    The paper takes the hypernyms that a masked language model finds probable (CheckList). Here broader words in `hypernyms.tsv`, reviewed
    beforehand, are taken as they are; every other hypernym up to three levels above the first senses, unless it is too general to say
    anything, must pass the `judge`: "lexical", "parse", a masked language model ("mini-bert", a folder, a hub name), or "none".
    `fidelity="original"` takes any hypernym of any sense, not inflected. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    source = open_lexicon(lexicon)
    if fidelity == "original":
        return [_as_published(parse, rng, nouns, source, source.hypernyms) for parse, rng in zip(parses, rngs, strict=True)]
    rows = zip(parses, rngs, HYPERNYMS.ways(parses, source, open_judge(judge)), strict=True)
    return [_replaced(parse, rng, ways | place_ways(parse), nouns) for parse, rng, ways in rows]


@augmentation(
    "ReplaceHyponyms",
    family="lexical",
    meaning="alteration",
    condition="a common noun with a narrower word in WordNet",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter replace_with_hyponyms_hypernyms (Dhole et al. 2021)",
    needs=("parse",),
    batched=True,
    example=Example("A bird sat on the roof.", "An owl sat on the roof."),
    refusals=HYPONYM_REFUSALS,
)
def replace_hyponyms(
    parses: Sequence[Parse],
    rngs: Sequence[Random],
    *,
    nouns: Count = 1,
    judge: JudgeName = "lexical",
    fidelity: Fidelity = "grammatical",
    lexicon: LexiconName = BUNDLED_LEXICON,
) -> list[str | None]:
    """Replace `nouns` random common nouns by a narrower word of WordNet, in the same number; "a" and "an" are adapted.

    A noun that occurs several times is replaced by the same word each time, or stays.

    The paper takes the hyponyms that a masked language model finds probable (CheckList). Here narrower words in `hyponyms.tsv`,
    reviewed beforehand, are taken as they are; every other hyponym up to three levels below the first senses must pass the `judge`:
    "lexical", "parse", a masked language model ("mini-bert", a folder, a hub name), or "none". `fidelity="original"` takes any hyponym of
    any sense, not inflected. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    source = open_lexicon(lexicon)
    if fidelity == "original":
        return [_as_published(parse, rng, nouns, source, source.hyponyms) for parse, rng in zip(parses, rngs, strict=True)]
    rows = zip(parses, rngs, HYPONYMS.ways(parses, source, open_judge(judge)), strict=True)
    return [_replaced(parse, rng, ways, nouns) for parse, rng, ways in rows]


def _replaced(parse: Parse, rng: Random, ways: Ways, nouns: int) -> str | None:
    chosen = rng.sample(sorted(ways), min(nouns, len(ways)))
    return write_chosen(parse, rng, ways, chosen)


def _as_published(parse: Parse, rng: Random, nouns: int, lexicon: Lexicon, step: Callable[[Synset], Iterable[Synset]]) -> str | None:
    """Replace as NL-Augmenter does, without its language model: by any word one step from any sense, as it is listed."""

    def words_one_step_away(lemma: str, pos: Pos) -> list[str]:
        return [other for sense in lexicon.synsets(lemma, pos) for synset in step(sense) for other in synset.lemmas]

    words_at = as_listed(parse, {"NOUN": "n"}, words_one_step_away)
    chosen = rng.sample(list(words_at), min(nouns, len(words_at)))
    return write_as_listed(parse, {index: rng.choice(words_at[index]) for index in chosen})
