"""SynonymSubstitution: words replaced by WordNet synonyms in the same form."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.conditions import is_compound_modifier
from augcse.augmentations.english.words import POS_OF_UPOS, Word, as_listed, in_expression, write_as_listed
from augcse.augmentations.judge.judge import open_judge
from augcse.augmentations.judge.proposal import Senses, sense_rank
from augcse.augmentations.judge.replacement import Replacement, Ways, WordRefusal, is_new, write_chosen
from augcse.augmentations.option_types import Fidelity, JudgeName, LexiconName
from augcse.augmentations.refusals import Refusal
from augcse.lexicon.base import POS, Lexicon, Pos
from augcse.lexicon.open import BUNDLED_LEXICON, open_lexicon
from augcse.options import Share

# How many senses of a word are looked at.
_SENSES = 4


@lru_cache(maxsize=50_000)
def synonyms_of(lemma: str, pos: Pos, lexicon: Lexicon) -> dict[str, Senses]:
    """Return the synonyms of the first senses, each with the first sense that it shares."""
    synsets = lexicon.synsets(lemma, pos)
    synonyms: dict[str, Senses] = {}
    for rank, synset in enumerate(synsets[:_SENSES]):
        for other in synset.lemmas:
            if other in synonyms or not is_new(lemma, other):
                continue
            other_rank = sense_rank(lexicon, other, pos, synset)
            if other_rank is not None:
                synonyms[other] = Senses(rank, len(synsets), other_rank, len(lexicon.synsets(other, pos)))
    return synonyms


def _is_synonym(word: Word, other: str, lexicon: Lexicon) -> bool:
    return any(other in synset.lemmas for synset in lexicon.synsets(word.lemma, word.pos))


def _is_attributive_verb(parse: Parse, word: Word, _: Lexicon) -> bool:
    return word.pos == "v" and parse.has_label(word.index, "amod", "compound")


REFUSALS: tuple[WordRefusal, ...] = (
    Refusal(
        "noun before a noun", "The lawyer joke failed.", lambda parse, word, _: word.pos == "n" and is_compound_modifier(parse, word.index)
    ),
    Refusal("verb with a particle", "They bought it out.", lambda parse, word, _: bool(parse.children(word.index, "compound:prt"))),
    Refusal("participle before a noun", "The purchased house fell.", _is_attributive_verb),
    Refusal("listed expression", "Many European countries agreed.", in_expression),
)
SYNONYMS = Replacement("synonym", POS, synonyms_of, Path(__file__).with_name("synonyms.tsv"), _is_synonym, lambda *_: True, REFUSALS)


@augmentation(
    "SynonymSubstitution",
    family="lexical",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter synonym_substitution (Dhole et al. 2021); EDA (Wei and Zou 2019)",
    needs=("parse",),
    batched=True,
    example=Example("The students purchased a big car.", "The students bought a large car."),
    refusals=REFUSALS,
)
def synonym_substitution(
    parses: Sequence[Parse],
    rngs: Sequence[Random],
    *,
    rate: Share = 0.5,
    judge: JudgeName = "lexical",
    fidelity: Fidelity = "grammatical",
    lexicon: LexiconName = BUNDLED_LEXICON,
) -> list[str | None]:
    """Replace nouns, verbs, adjectives and adverbs by WordNet synonyms, in the same form.

    Of n words that have a plausible synonym `round(rate * n)`, at least one, are replaced. Synonyms in `synonyms.tsv`, chosen by hand
    with the places where they read well, are taken as they are; every other synonym of the first four senses must pass the `judge`:
    "lexical", "parse", a masked language model ("mini-bert", a folder, a hub name), or "none", which accepts all.
    `fidelity="original"` is NL-Augmenter's: each word with probability `rate` becomes the name of a random synset, whatever its sense,
    not inflected. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    source = open_lexicon(lexicon)
    if fidelity == "original":
        return [_as_published(parse, rng, rate, source) for parse, rng in zip(parses, rngs, strict=True)]
    rows = zip(parses, rngs, SYNONYMS.ways(parses, source, open_judge(judge)), strict=True)
    return [_substituted(parse, rng, ways, rate) for parse, rng, ways in rows]


def _substituted(parse: Parse, rng: Random, ways: Ways, rate: float) -> str | None:
    count = max(1, round(rate * len(ways))) if ways and rate else 0
    return write_chosen(parse, rng, ways, sorted(rng.sample(sorted(ways), count)))


def _as_published(parse: Parse, rng: Random, rate: float, lexicon: Lexicon) -> str | None:
    """Replace as NL-Augmenter does: by the first word of a random synset of the token's lemma."""
    names_at = as_listed(parse, POS_OF_UPOS, lambda lemma, pos: [synset.lemmas[0] for synset in lexicon.synsets(lemma, pos)])
    return write_as_listed(parse, {index: rng.choice(names) for index, names in names_at.items() if rng.random() < rate})
