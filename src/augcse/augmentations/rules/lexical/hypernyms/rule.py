"""ReplaceHypernyms and ReplaceHyponyms: a noun replaced by a broader or a narrower one in the same form."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.words import free_words, is_same_stem
from augcse.augmentations.judge.judge import open_judge
from augcse.augmentations.judge.proposal import Proposal, Relation, Senses, proposed, sense_rank
from augcse.augmentations.option_types import Fidelity, JudgeName, LexiconName
from augcse.augmentations.refusals import refused
from augcse.augmentations.rules.lexical.hypernyms.refusals import HYPERNYM_REFUSALS, HYPONYM_REFUSALS, NounRefusal, may_stand
from augcse.augmentations.rules.lexical.hypernyms.reviewed import falls_beside, reviewed
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.lexicon.base import Lexicon, Synset
from augcse.lexicon.open import BUNDLED_LEXICON, open_lexicon
from augcse.options import Count

# Broader than this a word says nothing: "entity", "abstraction", "whole" are less deep.
_LEAST_DEPTH = 4
# How many senses of the noun, and how many steps up or down, are looked at.
_SENSES = 3
_STEPS = 3
_UNJUDGED = Senses(0, 1, 0, 1)
Candidates = Callable[[str, Lexicon], dict[str, Senses]]


@augmentation(
    "ReplaceHypernyms",
    family="lexical",
    meaning="alteration",
    condition="a common noun with a broader word in WordNet",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter replace_with_hyponyms_hypernyms (Dhole et al. 2021)",
    needs=("parse",),
    batched=True,
    example=Example("The car stopped in front of an old house.", "The vehicle stopped in front of an old house."),
    refusals=HYPERNYM_REFUSALS,
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
    """Replace `nouns` random common nouns by a broader word of WordNet, in the same number; "a" and "an" follow.

    The paper takes the hypernyms that a masked language model finds likely (CheckList). Here broader words in `hypernyms.tsv`,
    chosen by hand, are taken as they are; every other hypernym up to three levels above the first senses, unless it is so broad that it
    says nothing, has to please the `judge`: "lexical", a masked language model ("mini-bert", a folder, a hub name), or "none".
    `fidelity="original"` takes any hypernym of any sense, not inflected. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    source = open_lexicon(lexicon)
    if fidelity == "original":
        return [_original(parse, rng, nouns, source, source.hypernyms) for parse, rng in zip(parses, rngs, strict=True)]
    proposals = [list(_proposals(parse, source, "hypernym", HYPERNYM_REFUSALS, hypernyms_of)) for parse in parses]
    return _chosen(parses, rngs, open_judge(judge).keep(parses, proposals), nouns)


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
    """Replace `nouns` random common nouns by a narrower word of WordNet, in the same number; "a" and "an" follow.

    The paper takes the hyponyms that a masked language model finds likely (CheckList). Here narrower words in `hyponyms.tsv`,
    chosen by hand, are taken as they are; every other hyponym up to three levels below the first senses has to please the `judge`:
    "lexical", a masked language model ("mini-bert", a folder, a hub name), or "none". `fidelity="original"` takes any hyponym of
    any sense, not inflected. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    source = open_lexicon(lexicon)
    if fidelity == "original":
        return [_original(parse, rng, nouns, source, source.hyponyms) for parse, rng in zip(parses, rngs, strict=True)]
    proposals = [list(_proposals(parse, source, "hyponym", HYPONYM_REFUSALS, hyponyms_of)) for parse in parses]
    return _chosen(parses, rngs, open_judge(judge).keep(parses, proposals), nouns)


def _chosen(parses: Sequence[Parse], rngs: Sequence[Random], kept: Sequence[Sequence[Proposal]], nouns: int) -> list[str | None]:
    results: list[str | None] = []
    for parse, rng, proposals in zip(parses, rngs, kept, strict=True):
        of_noun: dict[int, list[Proposal]] = {}
        for proposal in proposals:
            of_noun.setdefault(proposal.index, []).append(proposal)
        chosen = rng.sample(sorted(of_noun), min(nouns, len(of_noun)))
        edits = [edit for index in chosen for edit in rng.choice(of_noun[index]).edits]
        results.append(apply_edits(parse.text, edits) if edits else None)
    return results


def _proposals(
    parse: Parse, lexicon: Lexicon, relation: Relation, refusals: tuple[NounRefusal, ...], candidates: Candidates
) -> Iterator[Proposal]:
    for word in free_words(parse, lexicon, ("n",)):
        listed = reviewed(relation, parse, word, lexicon)
        # What the list says of a noun counts: elsewhere it is left alone.
        found = dict.fromkeys(listed, _UNJUDGED) if listed is not None else candidates(word.lemma, lexicon)
        if not found or refused(refusals, parse, word, lexicon):
            continue
        for other, senses in found.items():
            if may_stand(parse, word, other) and not (relation == "hypernym" and falls_beside(parse, word, other, lexicon)):
                yield from proposed(parse, word, other, relation, senses, is_reviewed=listed is not None)


@lru_cache(maxsize=20_000)
def hypernyms_of(lemma: str, lexicon: Lexicon) -> dict[str, Senses]:
    """Return what stands above the first senses of the noun, without what is so broad that it says nothing."""
    return _related(lemma, lexicon, lambda synset: [b for b in lexicon.hypernyms(synset) if lexicon.depth(b) >= _LEAST_DEPTH])


@lru_cache(maxsize=20_000)
def hyponyms_of(lemma: str, lexicon: Lexicon) -> dict[str, Senses]:
    """Return what stands below the first senses of the noun."""
    return _related(lemma, lexicon, lexicon.hyponyms)


def _related(lemma: str, lexicon: Lexicon, step: Callable[[Synset], Iterable[Synset]]) -> dict[str, Senses]:
    """Return the words within some steps of the first senses, each with the nearest meaning that leads to it."""
    senses = lexicon.synsets(lemma, "n")
    found: dict[str, Senses] = {}
    for rank, sense in enumerate(senses[:_SENSES]):
        level = [sense]
        for steps in range(1, _STEPS + 1):
            level = list(dict.fromkeys(other for synset in level for other in step(synset)))
            for synset in level:
                for other in filter(lambda other: _is_new(lemma, other), synset.lemmas):
                    place = sense_rank(lexicon, other, "n", synset) or 0
                    found.setdefault(other, Senses(rank, len(senses), place, len(lexicon.synsets(other, "n")), steps))
    return found


def _is_new(lemma: str, other: str) -> bool:
    return other.isalpha() and other.islower() and not is_same_stem(lemma, other)


def _original(parse: Parse, rng: Random, nouns: int, lexicon: Lexicon, step: Callable[[Synset], Iterable[Synset]]) -> str | None:
    """Replace as NL-Augmenter does, but for its language model: by any word one step from any sense, as it is listed."""
    found = []
    for index, upos in enumerate(parse.upos):
        if upos == "NOUN":
            senses = lexicon.synsets(parse.lemmas[index].lower(), "n")
            found.append((index, [other for sense in senses for synset in step(sense) for other in synset.lemmas]))
    usable = [(index, others) for index, others in found if others]
    chosen = rng.sample(usable, min(nouns, len(usable)))
    edits = [Edit(parse.starts[i], parse.end(i), match_case(parse.tokens[i], rng.choice(others))) for i, others in chosen]
    return apply_edits(parse.text, edits) if edits else None
