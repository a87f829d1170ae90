"""SentenceAdjectivesAntonymsSwitch and AntonymsSubstitute: adjectives (and adverbs) replaced by their antonyms."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import replacement_edits
from augcse.augmentations.english.words import Word, as_listed, free_words, inflect, replace_word, write_as_listed
from augcse.augmentations.option_types import Fidelity, LexiconName
from augcse.augmentations.refusals import refused
from augcse.augmentations.rules.lexical.antonyms.places import antonym_at
from augcse.augmentations.rules.lexical.antonyms.refusals import BESIDE_OTHERS, REFUSALS, WORDS
from augcse.augmentations.text.edits import Edit, edited, match_case
from augcse.lexicon.base import Lexicon, Pos
from augcse.lexicon.open import BUNDLED_LEXICON, bundled_lexicon, open_lexicon

Parity = Literal["odd", "even"]
_DEGREES = {"JJR": "more", "JJS": "most"}
# How many senses of an adverb are looked at.
_SENSES = 2
_OPPOSITE_DEGREES = {"more": "less", "most": "least", "less": "more", "least": "most"}


@augmentation(
    "SentenceAdjectivesAntonymsSwitch",
    family="lexical",
    meaning="alteration",
    condition="an adjective with an opposite",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter adjectives_antonyms_switch (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("Amanda's mother was very beautiful.", "Amanda's mother was very ugly."),
    refusals=(*REFUSALS, *BESIDE_OTHERS),
)
def sentence_adjectives_antonyms_switch(
    parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical", lexicon: LexiconName = BUNDLED_LEXICON
) -> str | None:
    """Switch the adjectives of the sentence with their opposites; "a" and "an" are adapted.

    Antonyms come from Open English WordNet, chosen once (see the header of `adjective_antonyms.tsv`), and from `adjective_places.tsv`
    where the opposite of an adjective depends on its context: the same word has the same antonym in the same context. Comparatives and
    superlatives keep their degree, or "more" becomes "less" and "most" "least". Names, hyphenated compounds, measures ("5 years old") and
    fixed expressions ("high school") are left alone, unlike in NL-Augmenter, and so is an adjective joined with one that stays.
    `lexicon="wndb:FOLDER"` takes the antonyms of the same adjectives from WordNet database files.
    `fidelity="original"` is NL-Augmenter's: every adjective becomes the first antonym that the lexicon has for any of its senses.
    """
    if fidelity == "original":
        return write_as_listed(parse, _first_antonyms(parse, open_lexicon(lexicon), {"ADJ": "a"}))
    return edited(parse.text, [edit for change in _adjective_changes(parse, lexicon).values() for edit in change])


@augmentation(
    "AntonymsSubstitute",
    family="lexical",
    meaning="alteration",
    condition="an odd number of adjectives and adverbs with an opposite",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter antonyms_substitute (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("She quickly found the answer.", "She slowly found the answer."),
    refusals=(*REFUSALS, *BESIDE_OTHERS),
)
def antonyms_substitute(
    parse: Parse, rng: Random, *, parity: Parity = "odd", fidelity: Fidelity = "grammatical", lexicon: LexiconName = BUNDLED_LEXICON
) -> str | None:
    """Replace every adjective and adverb with an opposite that fits its context, if their number is odd.

    `parity="odd"` is AugCSE's change (A.2, note): an odd number of opposites alters the meaning. `parity="even"` is
    NL-Augmenter's original, which takes two opposites for a double negation that preserves it. Adjectives are those of
    SentenceAdjectivesAntonymsSwitch; adverbs are those whose antonym reads as the opposite in any context. Unlike in
    NL-Augmenter, the antonym is of the same word and of a frequent sense, and takes the same form. `fidelity="original"` takes the
    first antonym of any sense of every adjective and adverb, if `parity` holds. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    remainder = 1 if parity == "odd" else 0
    if fidelity == "original":
        antonym_of = _first_antonyms(parse, open_lexicon(lexicon), {"ADJ": "a", "ADV": "r"})
        return write_as_listed(parse, antonym_of) if len(antonym_of) % 2 == remainder else None
    changes = _adjective_changes(parse, lexicon) | _adverb_changes(parse, open_lexicon(lexicon))
    return edited(parse.text, [edit for change in changes.values() for edit in change]) if len(changes) % 2 == remainder else None


def _first_antonyms(parse: Parse, lexicon: Lexicon, parts: Mapping[str, Pos]) -> dict[int, str]:
    """Return NL-Augmenter's choice: the first antonym of any sense."""
    return {index: others[0] for index, others in as_listed(parse, parts, lexicon.antonyms).items()}


def _adjective_changes(parse: Parse, lexicon: str) -> dict[int, list[Edit]]:
    """Return the edits for each adjective that has an antonym, except those that do not go with words that stay."""
    source = None if lexicon == BUNDLED_LEXICON else open_lexicon(lexicon)
    candidates = {word.index: _graded_antonym(parse, word, source) for word in free_words(parse, bundled_lexicon(), ("a",))}
    antonym_of = {index: new for index, new in candidates.items() if new is not None and not refused(REFUSALS, parse, index)}
    # An adjective that stays may keep another from being switched: "wet and muddy and cold".
    while staying := {index for index in antonym_of if refused(BESIDE_OTHERS, parse, index, antonym_of)}:
        antonym_of = {index: new for index, new in antonym_of.items() if index not in staying}
    return {index: edits for index, new in antonym_of.items() if (edits := _replacement(parse, index, new))}


def _adverb_changes(parse: Parse, source: Lexicon) -> dict[int, list[Edit]]:
    """Return the edits for each adverb that has an antonym."""
    words = [word for word in free_words(parse, source, ("r",)) if word.lemma in WORDS["ADVERB"]]
    return {word.index: replace_word(parse, word, antonym) for word in words for antonym in source.antonyms(word.lemma, "r", _SENSES)[:1]}


def _graded_antonym(parse: Parse, word: Word, source: Lexicon | None) -> str | None:
    """Return what replaces the adjective: its antonym in its degree, or itself where "more" is to become "less"; None: nothing."""
    listed, index = antonym_at(parse, word), word.index
    degree = _opposite_degree(parse, index)
    shares_degree = word.tag == "JJ" and parse.has_label(index, "conj") and _opposite_degree(parse, parse.heads[index])
    if shares_degree or (degree and not (listed and degree in ("less", "least") and inflect(listed[0], "JJR"))):
        return parse.word(index)
    if listed is None:
        return None
    antonym, has_degree = listed
    known = [other for other in source.antonyms(word.lemma, "a") if other.isalpha()] if source else []
    if known and antonym not in known:
        antonym = known[0]
    if word.tag == "JJ" or has_degree:
        return antonym
    return inflect(antonym, word.tag) or f"{_DEGREES[word.tag]} {antonym}"


def _opposite_degree(parse: Parse, index: int) -> str | None:
    """Return "less" for the "more" that grades the adjective, and so on; None without one, or in "a most kind man", "more and more ill"."""
    word, before = parse.word(index - 1), parse.word(index - 2)
    is_repeated = before in ("and", "or") and parse.word(index - 3) in _OPPOSITE_DEGREES
    # At the start of a sentence it counts the noun: "Most popular songs are short".
    counts_noun = index == 1 and word == "most" and parse.has_label(index, "amod")
    is_other = is_repeated or counts_noun or (before, word[-2:]) == ("a", "st") or not parse.has_label(index - 1, "advmod")
    # Before an adjective with a comparative of its own, "more" counts the noun: "more small dogs".
    return None if is_other or inflect(parse.word(index), "JJR") else _OPPOSITE_DEGREES.get(word)


def _replacement(parse: Parse, index: int, antonym: str) -> list[Edit]:
    """Return the edits for the adjective with its article or degree: "more difficult" becomes "easier", "more kind" "less kind"."""
    degree = _opposite_degree(parse, index)
    if antonym == parse.word(index):
        return replacement_edits(parse, index - 1, index - 1, degree) if degree else []
    if degree and (graded := inflect(antonym, "JJR" if degree == "less" else "JJS")):
        return replacement_edits(parse, index - 1, index, graded)
    article, _, bare = antonym.rpartition(" ")
    if article == "a" and parse.tags[parse.heads[index]] == "NNS":
        return [Edit(parse.starts[index - 1], parse.end(index), match_case(parse.tokens[index - 1], bare))]
    first = index - 1 if article == "a" or (article == "the" and parse.tag(index - 1) == "DT") else index
    return replacement_edits(parse, first, index, antonym)
