"""SentenceAdjectivesAntonymsSwitch and AntonymsSubstitute: adjectives (and adverbs) replaced by their antonyms."""

from __future__ import annotations

from functools import lru_cache
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import indefinite_article
from augcse.augmentations.english.inflection import inflections, lemmas
from augcse.augmentations.english.words import POS_OF_UPOS, free_words, in_expression, replace_word, takes_degree_ending
from augcse.augmentations.option_types import Fidelity, LexiconName
from augcse.augmentations.refusals import refused
from augcse.augmentations.rules.lexical.antonyms.places import antonym_at
from augcse.augmentations.rules.lexical.antonyms.refusals import REFUSALS
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.lexicon.base import Lexicon, Pos
from augcse.lexicon.open import BUNDLED_LEXICON, open_lexicon

Parity = Literal["odd", "even"]

_ADJECTIVE_TAGS = frozenset({"JJ", "JJR", "JJS"})
# Adverbs whose antonym reads as the opposite wherever they stand; WordNet also pairs "well" with "ill", "typically" with "atypically".
_ADVERBS = frozenset(
    """often rarely seldom officially unofficially quickly slowly successfully unsuccessfully regularly irregularly
    frequently infrequently strongly weakly publicly privately formally informally partly
    temporarily permanently sufficiently insufficiently properly improperly
    consistently actively passively correctly incorrectly deliberately accidentally carefully carelessly
    efficiently accurately voluntarily involuntarily explicitly implicitly evenly indirectly
    outdoors indoors internally externally lawfully unlawfully appropriately
    adequately inadequately softly loudly quietly noisily upstairs downstairs knowingly
    unfortunately fortunately justly unjustly""".split()
)


@augmentation(
    "SentenceAdjectivesAntonymsSwitch",
    family="lexical",
    meaning="alteration",
    condition="an adjective with an antonym in WordNet",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter adjectives_antonyms_switch (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("Amanda's mother was very beautiful.", "Amanda's mother was very ugly."),
    refusals=REFUSALS,
)
def sentence_adjectives_antonyms_switch(
    parse: Parse, rng: Random, *, fidelity: Fidelity = "grammatical", lexicon: LexiconName = BUNDLED_LEXICON
) -> str | None:
    """Switch the adjectives of the sentence with their WordNet antonyms; "a" and "an" follow.

    Antonyms come from Open English WordNet, chosen once (see the header of `adjective_antonyms.tsv`), so that
    the same word always has the same antonym. Comparatives and superlatives keep their degree. Names, hyphenated
    compounds, measures ("5 years old") and fixed expressions ("high school", "at least") are left alone, unlike in
    NL-Augmenter. `lexicon="wndb:FOLDER"` takes the antonyms of the same adjectives from WordNet database files.
    `fidelity="original"` is NL-Augmenter's: every adjective becomes the first antonym that the lexicon has for any of its senses.
    """
    if fidelity == "original":
        edits = _original(parse, open_lexicon(lexicon), ("a",))
        return apply_edits(parse.text, edits) if edits else None
    edits = [edit for change in _adjective_changes(parse, lexicon) for edit in change]
    return apply_edits(parse.text, edits) if edits else None


@augmentation(
    "AntonymsSubstitute",
    family="lexical",
    meaning="alteration",
    condition="an odd number of adjectives and adverbs with an antonym in WordNet",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter antonyms_substitute (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("She quickly found the answer.", "She slowly found the answer."),
    refusals=REFUSALS,
)
def antonyms_substitute(
    parse: Parse, rng: Random, *, parity: Parity = "odd", fidelity: Fidelity = "grammatical", lexicon: LexiconName = BUNDLED_LEXICON
) -> str | None:
    """Replace every adjective and adverb that has a WordNet antonym, if their number is odd.

    `parity="odd"` is AugCSE's change (A.2, note): an odd number of opposites alters the meaning. `parity="even"` is
    NL-Augmenter's original, which takes two opposites for a double negation that preserves it. Adjectives are those of
    SentenceAdjectivesAntonymsSwitch; adverbs are those whose antonym reads as the opposite wherever they stand. Unlike in
    NL-Augmenter, the antonym is of the same word and of a frequent sense, and takes the same form. `fidelity="original"` takes the
    first antonym of any sense of every adjective and adverb, in the number that `parity` says. `lexicon` is "bundled" or "wndb:FOLDER".
    """
    if fidelity == "original":
        edits = _original(parse, open_lexicon(lexicon), ("a", "r"))
        return apply_edits(parse.text, edits) if edits and len(edits) % 2 == (parity == "odd") else None
    changes = _adjective_changes(parse, lexicon) + _adverb_changes(parse, open_lexicon(lexicon))
    if not changes or len(changes) % 2 != (parity == "odd"):
        return None
    return apply_edits(parse.text, [edit for change in changes for edit in change])


def _adjective_changes(parse: Parse, lexicon: str) -> list[list[Edit]]:
    """Return the edits for each adjective that has an antonym and is in no expression that the bundled lexicon lists."""
    source = None if lexicon == BUNDLED_LEXICON else open_lexicon(lexicon)
    changes = []
    for index, tag in enumerate(parse.tags):
        antonym = _antonym(parse, index, source) if tag in _ADJECTIVE_TAGS and parse.upos[index] == "ADJ" else None
        if antonym is not None and not refused(REFUSALS, parse, index, antonym):
            changes.append(_replace(parse, index, antonym))
    return changes


def _original(parse: Parse, lexicon: Lexicon, wanted: tuple[Pos, ...]) -> list[Edit]:
    """Return NL-Augmenter's edits: the first antonym of any sense, as it is listed."""
    edits = []
    for index, upos in enumerate(parse.upos):
        pos = POS_OF_UPOS.get(upos)
        found = lexicon.antonyms(parse.lemmas[index].lower(), pos) if pos in wanted and pos is not None else ()
        if found:
            edits.append(Edit(parse.starts[index], parse.end(index), match_case(parse.tokens[index], found[0])))
    return edits


def _adverb_changes(parse: Parse, source: Lexicon) -> list[list[Edit]]:
    """Return the edits for each adverb that has an antonym."""
    changes = []
    for word in free_words(parse, source, ("r",)):
        antonym = next(iter(source.antonyms(word.lemma, "r", 2)), None) if word.lemma in _ADVERBS else None
        if antonym is not None and not in_expression(parse, word, source):
            changes.append(replace_word(parse, word, antonym))
    return [change for change in changes if change]


def _antonym(parse: Parse, index: int, source: Lexicon | None) -> str | None:
    """Return the antonym in the adjective's degree: the one that suits the place, or that of another lexicon where it has not that one."""
    word, tag = parse.tokens[index].lower(), parse.tags[index]
    lemma = word if tag == "JJ" else _positive(word, tag, parse.lemmas[index].lower())
    found = antonym_at(parse, index, word, lemma)
    if found is None:
        return None
    antonym, has_degree = found
    if source is not None and lemma is not None:
        known = [other for other in source.antonyms(lemma, "a") if other.isalpha()]
        antonym = antonym if antonym in known or not known else known[0]
    return antonym if tag == "JJ" or has_degree else _graded(antonym, tag)


@lru_cache(maxsize=5_000)
def _positive(word: str, tag: str, guess: str) -> str | None:
    """Return the positive whose comparative or superlative `word` is, or None."""
    candidates = sorted(lemmas(word, "ADJ"), key=lambda lemma: lemma != guess)
    return next((lemma for lemma in candidates if word in inflections(lemma, tag)), None)


@lru_cache(maxsize=5_000)
def _graded(adjective: str, tag: str) -> str:
    """Return the comparative (JJR) or superlative (JJS), with more and most for long words.

    >>> _graded("small", "JJR"), _graded("easy", "JJS"), _graded("difficult", "JJR")
    ('smaller', 'easiest', 'more difficult')
    """
    forms = inflections(adjective, tag) if takes_degree_ending(adjective) else ()
    return forms[0] if forms else f"{'more' if tag == 'JJR' else 'most'} {adjective}"


def _replace(parse: Parse, index: int, antonym: str) -> list[Edit]:
    """Return the edits for the adjective and the article; "more difficult" becomes "easier"."""
    first = index
    degree = {"more": "JJR", "most": "JJS"}.get(parse.tokens[index - 1].lower()) if index else None
    if degree and " " not in (graded := _graded(antonym, degree)):
        first, antonym = index - 1, graded
    edits = [Edit(parse.starts[first], parse.end(index), match_case(parse.tokens[first], antonym))]
    shape = parse.tokens[first - 1] if first else ""
    following = indefinite_article(antonym)
    if shape.lower() in ("a", "an") and following != shape.lower():
        edits.append(Edit(parse.starts[first - 1], parse.end(first - 1), match_case(shape, following)))
    return edits
