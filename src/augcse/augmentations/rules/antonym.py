"""SentenceAdjectivesAntonymsSwitch and AntonymsSubstitute: adjectives (and adverbs) replaced by their antonyms."""

from __future__ import annotations

import re
from functools import lru_cache
from importlib import resources
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.article import indefinite_article
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.edit import Edit, apply_edits, match_case
from augcse.augmentations.inflect import inflections, lemmas
from augcse.augmentations.lexical import free_words, in_expression, replace_word
from augcse.errors import unknown_name
from augcse.lexicon.base import Lexicon
from augcse.lexicon.open import BUNDLED_LEXICON, open_lexicon

Parity = Literal["odd", "even"]

_ADJECTIVE_TAGS = frozenset({"JJ", "JJR", "JJS"})
# Nouns with which an adjective is part of a name for something: a "high school" has no "low school".
_FIXED_BEFORE = {
    "armed": "forces", "best": "man", "big": "bang brother data deal band bands",
    "black": "hole holes box market metal magic belt", "civil": "war", "cold": "war", "conservative": "party",
    "dark": "matter energy age ages", "deep": "learning", "democratic": "party republic", "fast": "food",
    "foreign": "minister ministry", "general": "public",
    "good": "morning evening afternoon night luck bye faith friday will deal", "great": "deal",
    "hard": "drive disk disc rock core copy", "heavy": "metal",
    "high": "school schools court street chair command priest tech seas sea",
    "hot": "dog dogs spring springs water pot", "international": "airport", "large": "intestine",
    "liberal": "party arts", "light": "year years rail", "live": "action", "local": "time",
    "long": "jump term run time way ago", "low": "countries", "major": "league leagues general",
    "minor": "league leagues planet planets", "modern": "day", "national": "park parks anthem guard",
    "native": "american americans", "natural": "history gas selection sciences science", "negative": "feedback",
    "new": "year testament wave age town", "normal": "distribution", "official": "language languages",
    "old": "age testament school", "open": "source air access", "past": "tense",
    "personal": "computer computers", "physical": "education therapy", "primary": "care",
    "private": "school schools eye", "public": "domain school schools", "real": "estate", "red": "cross",
    "secondary": "school schools", "short": "story stories film films circuit wave",
    "small": "intestine arms talk", "soft": "drink drinks", "white": "house paper collar wine noise",
    "wide": "area", "wild": "type types",
}  # fmt: skip
_FIXED_AFTER = frozenset(
    """at-least at-most at-best at-worst at-large right-now as-possible as-usual as-long as-far as-good as-well
    in-common a-close in-general in-particular in-short for-sure make-sure made-sure
    no-longer all-right for-free by-far in-full
    of-late too-bad not-bad how-long how-old how-far to-date so-far the-latter the-former before-long first-hand
    """.split()
)
# Prepositions that the antonym does not take: "responsible for", but hardly "irresponsible for".
_NOT_BEFORE = {
    "absent": "from", "close": "to", "dependent": "on upon", "different": "from", "distant": "from",
    "exclusive": "to", "familiar": "to", "famous": "for", "free": "of", "good": "at", "hard": "on",
    "hungry": "for", "independent": "of from", "known": "as for", "light": "on", "limited": "to",
    "long": "before after since", "native": "to", "open": "to", "poor": "in", "present": "at in",
    "previous": "to", "proud": "of", "responsible": "for", "rich": "in", "safe": "from", "separate": "from",
    "short": "of for", "strange": "to", "subsequent": "to", "tired": "of", "true": "to of", "wide": "of",
    "wrong": "with",
}  # fmt: skip
_PREDICATIVE_ONLY = frozenset({"full", "certain", "able", "unable", "alive", "aware", "hungry", "afraid", "glad", "proud"})
_PERSONS = frozenset(
    "man woman person people boy girl child children lady gentleman son daughter brother sister king queen actor"
    " actress player friend student soldier husband wife couple guy father mother he she i you we they who".split()
)
# The antonym of a word whose opposite depends on what it is said of.
_OF_PERSONS = {"old": "young", "short": "tall"}
_BEFORE_NOUN = {"dead": "living", "alive": "dead"}
_UNITS = frozenset(
    "year years month months week weeks day days hour hours minute minutes meter meters metre metres m km mi ft foot"
    " feet inch inches mile miles kilometer kilometers kilometre kilometres cm mm yard"
    " yards page pages percent %".split()
)
# Adverbs whose antonym reads as the opposite wherever they stand; WordNet also pairs "well" with "ill", "typically" with "atypically".
_ADVERBS = frozenset(
    """often rarely seldom officially unofficially quickly slowly successfully unsuccessfully regularly irregularly
    frequently infrequently strongly weakly significantly publicly privately formally informally partly wholly
    effectively temporarily permanently literally precisely sufficiently insufficiently properly improperly
    consistently actively passively correctly incorrectly deliberately accidentally carefully carelessly steadily
    efficiently equally accurately voluntarily involuntarily explicitly implicitly evenly logically indirectly
    perfectly late outdoors indoors internally externally objectively unlawfully lawfully appropriately
    adequately inadequately unfairly softly loudly quietly noisily upstairs downstairs knowingly
    unconstitutionally unfortunately fortunately minimally maximally justly unjustly""".split()
)
_VOWELS = re.compile(r"[aeiouy]+")


@augmentation(
    "SentenceAdjectivesAntonymsSwitch",
    family="syntax",
    meaning="alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter adjectives_antonyms_switch (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("Amanda's mother was very beautiful.", "Amanda's mother was very ugly."),
)
def sentence_adjectives_antonyms_switch(parse: Parse, rng: Random, *, lexicon: str = BUNDLED_LEXICON) -> str | None:
    """Switch the adjectives of the sentence with their WordNet antonyms; "a" and "an" follow.

    Antonyms come from Open English WordNet, chosen once (see the header of `data/adjective_antonyms.tsv`), so that
    the same word always has the same antonym. Comparatives and superlatives keep their degree. Names, hyphenated
    compounds, measures ("5 years old") and fixed expressions ("high school", "at least") are left alone, unlike in
    NL-Augmenter. `lexicon="wndb:FOLDER"` takes the antonyms of the same adjectives from WordNet database files.
    """
    edits = [edit for change in _adjective_changes(parse, lexicon) for edit in change]
    return apply_edits(parse.text, edits) if edits else None


@augmentation(
    "AntonymsSubstitute",
    family="lexicon",
    meaning="alteration",
    source="AugCSE (Tang et al. 2022), A.2; NL-Augmenter antonyms_substitute (Dhole et al. 2021)",
    needs=("parse",),
    example=Example("She quickly found the answer.", "She slowly found the answer."),
)
def antonyms_substitute(parse: Parse, rng: Random, *, parity: Parity = "odd", lexicon: str = BUNDLED_LEXICON) -> str | None:
    """Replace every adjective and adverb that has a WordNet antonym, if their number is odd.

    `parity="odd"` is AugCSE's change (A.2, note): an odd number of opposites alters the meaning. `parity="even"` is
    NL-Augmenter's original, which takes two opposites for a double negation that preserves it. Adjectives are those of
    SentenceAdjectivesAntonymsSwitch; adverbs are those whose antonym reads as the opposite wherever they stand. Unlike in
    NL-Augmenter, the antonym is of the same word and of a frequent sense, and takes the same form. `lexicon` is
    "bundled" or "wndb:FOLDER".
    """
    if parity not in ("odd", "even"):
        raise unknown_name("parity", parity, ("odd", "even"))
    changes = _adjective_changes(parse, lexicon) + _adverb_changes(parse, open_lexicon(lexicon))
    if not changes or len(changes) % 2 != (parity == "odd"):
        return None
    return apply_edits(parse.text, [edit for change in changes for edit in change])


@lru_cache(maxsize=1)
def antonyms() -> dict[str, str]:
    """Return the antonym of each adjective that has one."""
    table = resources.files("augcse.augmentations").joinpath("data/adjective_antonyms.tsv").read_text(encoding="utf-8")
    rows = (line.split("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return {adjective: antonym for adjective, antonym in rows}


def _adjective_changes(parse: Parse, lexicon: str) -> list[list[Edit]]:
    """Return the edits for each adjective that has an antonym."""
    source = None if lexicon == BUNDLED_LEXICON else open_lexicon(lexicon)
    changes = []
    for index, tag in enumerate(parse.tags):
        if tag in _ADJECTIVE_TAGS and parse.upos[index] == "ADJ" and _is_free(parse, index):
            antonym = _antonym(parse, index, source)
            if antonym is not None:
                changes.append(_replace(parse, index, antonym))
    return changes


def _adverb_changes(parse: Parse, source: Lexicon) -> list[list[Edit]]:
    """Return the edits for each adverb that has an antonym."""
    changes = []
    for word in free_words(parse, source, ("r",)):
        antonym = next(iter(source.antonyms(word.lemma, "r", 2)), None) if word.lemma in _ADVERBS else None
        if antonym is not None and not in_expression(parse, word, source):
            changes.append(replace_word(parse, word, antonym))
    return [change for change in changes if change]


def _is_free(parse: Parse, index: int) -> bool:
    """Tell whether the adjective stands for itself: in no name, compound, measure or fixed expression."""
    bound = (_is_in_name, _is_hyphenated, _is_fixed, _is_measured)
    return not any(is_bound(parse, index) for is_bound in bound)


def _is_in_name(parse: Parse, index: int) -> bool:
    word = parse.tokens[index]
    following = parse.tokens[index + 1] if index + 1 < len(parse) else ""
    starts_text = index == 0 or not parse.tokens[index - 1][-1].isalnum()
    if word[0].isupper() and (not starts_text or following[:1].isupper()):
        return True
    beside = parse.tags[index + 1 : index + 2] + parse.tags[max(index - 1, 0) : index]
    return "NNPS" in beside or beside[:1] == ("NNP",) or parse.has_label(index, "compound", "flat", "fixed", "cc", "case")


def _is_hyphenated(parse: Parse, index: int) -> bool:
    start, end = parse.starts[index], parse.end(index)
    around = parse.text[max(start - 1, 0) : start] + parse.text[end : end + 1]
    return any(character in "-–‑/'’_&" for character in around) or any(c in "-/'" for c in parse.tokens[index])


def _is_fixed(parse: Parse, index: int) -> bool:
    word = parse.tokens[index].lower()
    before = parse.tokens[index - 1].lower() if index else ""
    after = parse.tokens[index + 1].lower() if index + 1 < len(parse) else ""
    if f"{before}-{word}" in _FIXED_AFTER or after in _FIXED_BEFORE.get(word, "").split():
        return True
    attributive = parse.has_label(index, "amod")
    # "caught a cold", "later succumbed": no adjective here, whatever the tag.
    needs_noun = before in ("a", "an") or attributive or (parse.tags[index] == "JJR" and word in ("later", "earlier"))
    if needs_noun and not _may_precede_noun(parse, index + 1) and (parse.heads[index] > index or not attributive):
        return True
    if after in _NOT_BEFORE.get(word, "").split() or (attributive and word in _PREDICATIVE_ONLY):
        return True
    # "as good as", "the more the better", "all the better": patterns that hold both words.
    return (before in ("as", "all", "the") and after in ("as", ",")) or (word == before)


def _may_precede_noun(parse: Parse, index: int) -> bool:
    """Tell whether the token may follow an adjective that stands before its noun."""
    tag = parse.tags[index] if index < len(parse) else ""
    return tag.startswith(("NN", "JJ", "VBG", "VBN", "CC", "CD", "RB", ",", "``", "''", "HYPH", "FW", "-LRB-"))


def _is_measured(parse: Parse, index: int) -> bool:
    """Tell whether a measure or number stands before the adjective: "10 metres long", "four wide"."""
    before = parse.tokens[index - 1].lower() if index else ""
    return before in _UNITS or (parse.tags[index - 1 : index] == ("CD",) and not parse.has_label(index, "amod"))


def _antonym(parse: Parse, index: int, source: Lexicon | None) -> str | None:
    """Return the antonym in the adjective's degree: the chosen one, or that of another lexicon where it has not the chosen one."""
    word, tag = parse.tokens[index].lower(), parse.tags[index]
    lemma = word if tag == "JJ" else _positive(word, tag, parse.lemmas[index].lower())
    antonym = antonyms().get(lemma) if lemma else None
    if antonym is None or lemma is None:
        return None
    if lemma in _OF_PERSONS and _is_said_of_person(parse, index):
        antonym = _OF_PERSONS[lemma]
    if lemma in _BEFORE_NOUN and parse.has_label(index, "amod"):
        antonym = _BEFORE_NOUN[lemma]
    if source is not None:
        known = [other for other in source.antonyms(lemma, "a") if other.isalpha()]
        antonym = antonym if antonym in known or not known else known[0]
    return antonym if tag == "JJ" else _graded(antonym, tag)


def _is_said_of_person(parse: Parse, index: int) -> bool:
    subjects = [parse.heads[index], *parse.children(index, "nsubj")]
    subjects += parse.children(parse.heads[index], "nsubj") if not parse.has_label(index, "amod") else []
    return any(parse.lemmas[place].lower() in _PERSONS or parse.tokens[place].lower() in _PERSONS for place in subjects)


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
    syllables = len(_VOWELS.findall(adjective.removesuffix("e")))
    short = syllables < 2 or (syllables == 2 and adjective.endswith(("y", "ow", "le", "er", "et"))) or adjective == "simple"
    forms = inflections(adjective, tag) if short else ()
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
