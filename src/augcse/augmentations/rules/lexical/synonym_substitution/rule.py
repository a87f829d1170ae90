"""SynonymSubstitution: words replaced by WordNet synonyms in the same form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from random import Random

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.conditions import Condition, is_compound_modifier, read_condition
from augcse.augmentations.english.words import Word, free_words, in_expression, is_same_stem
from augcse.augmentations.judge.judge import open_judge
from augcse.augmentations.judge.proposal import Proposal, Senses, proposed, sense_rank
from augcse.augmentations.option_types import Fidelity, JudgeName, LexiconName
from augcse.augmentations.refusals import Refusal, refused
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.base import POS, Lexicon, Pos
from augcse.lexicon.open import BUNDLED_LEXICON, open_lexicon
from augcse.options import Share

# Meanings that are looked at, of the word and of the synonym.
_SENSES = 4
_ORIGINAL_POS: dict[str, Pos] = {"NOUN": "n", "VERB": "v", "ADV": "r", "ADJ": "a"}


def _is_in_expression(parse: Parse, word: Word, lexicon: Lexicon) -> bool:
    return in_expression(parse, word, lexicon)


def _is_before_noun(parse: Parse, word: Word, _: Lexicon) -> bool:
    return word.pos == "n" and is_compound_modifier(parse, word.index)


def _has_particle(parse: Parse, word: Word, _: Lexicon) -> bool:
    return word.pos == "v" and bool(parse.children(word.index, "compound:prt"))


def _is_attributive_verb(parse: Parse, word: Word, _: Lexicon) -> bool:
    return word.pos == "v" and parse.has_label(word.index, "amod", "compound")


REFUSALS: tuple[Refusal[[Parse, Word, Lexicon]], ...] = (
    Refusal("listed expression", "He went to high school.", _is_in_expression),
    Refusal("noun before a noun", "The lawyer joke failed.", _is_before_noun),
    Refusal("verb with a particle", "He picked it up.", _has_particle),
    Refusal("participle before a noun", "The printed page fell.", _is_attributive_verb),
)


@augmentation(
    "SynonymSubstitution",
    family="lexical",
    meaning="highly_preserving",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter synonym_substitution (Dhole et al. 2021); EDA (Wei and Zou 2019)",
    needs=("parse",),
    batched=True,
    example=Example("The students purchased a big car.", "The students bought a big automobile.", seed=5),
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
    with the places where they read well, are taken as they are; every other synonym of the first four senses has to please the `judge`:
    "lexical", a masked language model ("mini-bert", a folder, a hub name), or "none", which takes all.
    `fidelity="original"` is NL-Augmenter's: each word with probability `rate` becomes the name of a random synset, whatever its sense,
    not inflected. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    source = open_lexicon(lexicon)
    if fidelity == "original":
        return [_original(parse, rng, rate, source) for parse, rng in zip(parses, rngs, strict=True)]
    proposals = [list(_proposals(parse, source)) for parse in parses]
    kept = open_judge(judge).keep(parses, proposals)
    return [_substituted(parse, rng, some, rate) for parse, rng, some in zip(parses, rngs, kept, strict=True)]


def _substituted(parse: Parse, rng: Random, proposals: Sequence[Proposal], rate: float) -> str | None:
    of_word: dict[int, list[Proposal]] = {}
    for proposal in proposals:
        of_word.setdefault(proposal.index, []).append(proposal)
    number = max(1, round(rate * len(of_word))) if of_word and rate else 0
    chosen = rng.sample(sorted(of_word), number)
    edits = [edit for index in sorted(chosen) for edit in rng.choice(of_word[index]).edits]
    return apply_edits(parse.text, edits) if edits else None


def _proposals(parse: Parse, lexicon: Lexicon) -> Iterator[Proposal]:
    for word in free_words(parse, lexicon, POS):
        found = synonyms_of(word.lemma, word.pos, lexicon)
        rows = choices().get((word.pos, word.lemma))
        if not found or refused(REFUSALS, parse, word, lexicon):
            continue
        listed = next((synonyms for synonyms, condition in rows or () if condition.fits(parse, word.index)), ())
        for synonym, senses in found.items():
            # What the list says of a word counts: elsewhere the word is left alone.
            if synonym in listed or (rows is None and _is_new(word.lemma, synonym)):
                yield from proposed(parse, word, synonym, "synonym", senses, is_reviewed=synonym in listed)


@lru_cache(maxsize=1)
def choices() -> dict[tuple[str, str], list[tuple[tuple[str, ...], Condition]]]:
    """Return the reviewed synonyms by part of speech and word: those of each of its rows, with the row's condition."""
    found: dict[tuple[str, str], list[tuple[tuple[str, ...], Condition]]] = {}
    for pos, word, synonyms, condition in data_rows(Path(__file__).with_name("synonyms.tsv")):
        found.setdefault((pos, word), []).append((tuple(synonyms.split()), read_condition(condition)))
    return found


@lru_cache(maxsize=50_000)
def synonyms_of(lemma: str, pos: Pos, lexicon: Lexicon) -> dict[str, Senses]:
    """Return the synonyms of the first senses, each with the first sense it shares."""
    synsets = lexicon.synsets(lemma, pos)
    found: dict[str, Senses] = {}
    for rank, synset in enumerate(synsets[:_SENSES]):
        for other in synset.lemmas:
            place = sense_rank(lexicon, other, pos, synset)
            if other != lemma and other not in found and place is not None:
                found[other] = Senses(rank, len(synsets), place, len(lexicon.synsets(other, pos)))
    return found


def _is_new(lemma: str, synonym: str) -> bool:
    return synonym.isalpha() and synonym.islower() and not is_same_stem(lemma, synonym)


def _original(parse: Parse, rng: Random, rate: float, lexicon: Lexicon) -> str | None:
    """Replace as NL-Augmenter does: by the first word of a random synset of the token's lemma."""
    edits = []
    for index, upos in enumerate(parse.upos):
        pos = _ORIGINAL_POS.get(upos)
        synsets = lexicon.synsets(parse.lemmas[index].lower(), pos) if pos else ()
        if synsets and rng.random() < rate:
            name = rng.choice(synsets).lemmas[0]
            edits.append(Edit(parse.starts[index], parse.end(index), match_case(parse.tokens[index], name)))
    return apply_edits(parse.text, edits) if edits else None
