"""SentenceAdjectivesAntonymsSwitch and AntonymsSubstitute: adjectives (and adverbs) replaced by their antonyms."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from random import Random
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.base import Example, augmentation
from augcse.augmentations.english.article import indefinite_article
from augcse.augmentations.english.inflection import inflections, lemmas
from augcse.augmentations.english.words import Word, free_words, in_expression, replace_word, takes_degree_ending
from augcse.augmentations.option_types import LexiconName
from augcse.augmentations.text.edits import Edit, apply_edits, match_case
from augcse.lexicon.base import Lexicon
from augcse.lexicon.open import BUNDLED_LEXICON, bundled_lexicon, open_lexicon

Parity = Literal["odd", "even"]

_ADJECTIVE_TAGS = frozenset({"JJ", "JJR", "JJS"})
# The word before, and an adjective that makes an expression with it.
_FIXED_AFTER = frozenset(
    """a-close all-right alternating-current and-earlier and-later any-longer as-early as-far as-good as-late as-long
    as-many as-necessary as-old as-possible as-usual as-well at-best at-large at-least at-most at-present at-worst
    before-long best-possible by-far by-popular came-true career-high career-low come-true comes-true coming-true
    direct-current early-medieval early-modern electric-current electrical-current first-hand for-certain for-free
    for-long for-sure how-far how-long how-old if-necessary if-possible in-common in-full in-general in-open
    in-particular in-private in-public in-secret in-short late-modern made-sure make-sure no-longer not-bad of-late
    of-note right-now season-high so-called so-far than-usual the-former the-latter time-high time-low to-date
    to-present too-bad too-late too-long very-least well-known when-necessary when-possible whenever-possible
    where-necessary where-possible wherever-possible worst-possible
    """.split()
)
# Prepositions that the antonym does not take: "responsible for", but hardly "irresponsible for".
_NOT_BEFORE = {
    "absent": "from", "close": "to", "dependent": "on upon", "different": "from", "distant": "from",
    "exclusive": "to", "familiar": "to", "famous": "for", "free": "of", "good": "at", "hard": "on",
    "educated": "at in by", "guilty": "to",
    "hungry": "for", "independent": "of from", "known": "as for", "light": "on", "limited": "to",
    "long": "before after since", "married": "to in on by since for", "native": "to", "open": "to", "poor": "in", "possible": "that",
    "present": "at in", "previous": "to", "proud": "of", "responsible": "for", "clear": "of", "related": "as by", "rich": "in",
    "safe": "from", "separate": "from",
    "short": "of for", "strange": "to", "subsequent": "to", "tired": "of", "true": "to of", "wide": "of",
    "wrong": "with",
}  # fmt: skip
_PREDICATIVE_ONLY = frozenset(
    "full certain able unable alive aware hungry afraid glad proud sensitive clear independent common present".split()
)
# Times that "late" and "early" may stand before: a "late king" is dead, an "early work" no late one.
_TIMES = frozenset(
    """century centuries summer spring autumn winter fall antiquity stage stages period medieval republic empire morning
    afternoon evening night
    january february march april may june july august september october november december middle bronze iron stone
    neolithic""".split()
)
# Adjectives that only stand before a noun; elsewhere the parser took a rank for one ("major in 1844").
_ATTRIBUTIVE_ONLY = frozenset({"major", "minor", "former", "current", "potential", "senior", "junior"})
# Adjectives that are verbs after "to".
_ALSO_VERBS = frozenset("close open complete clear free dry warm cool slow secure empty perfect lower present bare idle steady".split())
# Adjectives that are adverbs too: "leaned too hard", "long exploited"; and the verbs after which they are not.
_ALSO_ADVERBS = frozenset("hard long fast slow deep high low wide close better worse best worst".split())
_LINKING = frozenset("be is are was were been being become becomes became seem seems seemed remain remains remained".split())
_MODIFIERS = frozenset({"a", "an", "his", "her", "its", "our", "my", "your", "their", "these", "those"})
_NEGATIVE = ("un", "in", "im", "il", "ir", "non", "dis")
# Adverbs that are not about the adjective.
_OF_SENTENCE = frozenset("also not very more most so too often now still then thus however even just only previously".split())
_PLAIN_PARTICIPLES = frozenset("related interested married employed armed inhabited prepared convinced affected surprised".split())
_OPPOSED = {"lower": "upper", "upper": "lower", "higher": "lower", "elder": "younger"}
_HAVE = frozenset({"has", "have", "had", "having", "'ve"})
_PERSONS = frozenset(
    "man woman person people boy girl child children lady gentleman son daughter brother sister king queen actor"
    " actress player friend student soldier husband wife couple guy father mother he she i you we they who".split()
)
# The antonym of a word whose opposite depends on what it is said of.
_OF_PERSONS = {"old": "young", "short": "tall"}
# What may be rich or poor, and what is good or poor.
_OWNERS = frozenset(
    "family household country nation area region neighborhood neighbourhood village farmer peasant widow citizen worker".split()
)
_QUALITIES = frozenset(
    """quality performance condition intelligence reception result substitute visibility management weather harvest design choice
    communication reputation maintenance planning judgment service example decision eyesight posture relationship sale diet""".split()
)
# What is complete because nothing is missing; a "complete stranger" is so entirely.
_WHOLES = frozenset(
    """set list collection edition version picture skeleton specimen record information text manuscript sentence form data""".split()
)
# Parts of which the lower one faces an upper one.
_LOWER_PARTS = frozenset("body limb limbs jaw leg legs lip back half halves floor floors part parts surface deck level story".split())
_BEFORE_NOUN = {"dead": "living", "alive": "dead"}
_UNITS = frozenset(
    "year years month months week weeks day days hour hours minute minutes meter meters metre metres m km mi ft foot"
    " feet inch inches mile miles kilometer kilometers kilometre kilometres cm mm yard"
    " yards page pages percent %".split()
)
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
)
def sentence_adjectives_antonyms_switch(parse: Parse, rng: Random, *, lexicon: LexiconName = BUNDLED_LEXICON) -> str | None:
    """Switch the adjectives of the sentence with their WordNet antonyms; "a" and "an" follow.

    Antonyms come from Open English WordNet, chosen once (see the header of `adjective_antonyms.tsv`), so that
    the same word always has the same antonym. Comparatives and superlatives keep their degree. Names, hyphenated
    compounds, measures ("5 years old") and fixed expressions ("high school", "at least") are left alone, unlike in
    NL-Augmenter. `lexicon="wndb:FOLDER"` takes the antonyms of the same adjectives from WordNet database files.
    """
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
)
def antonyms_substitute(parse: Parse, rng: Random, *, parity: Parity = "odd", lexicon: LexiconName = BUNDLED_LEXICON) -> str | None:
    """Replace every adjective and adverb that has a WordNet antonym, if their number is odd.

    `parity="odd"` is AugCSE's change (A.2, note): an odd number of opposites alters the meaning. `parity="even"` is
    NL-Augmenter's original, which takes two opposites for a double negation that preserves it. Adjectives are those of
    SentenceAdjectivesAntonymsSwitch; adverbs are those whose antonym reads as the opposite wherever they stand. Unlike in
    NL-Augmenter, the antonym is of the same word and of a frequent sense, and takes the same form. `lexicon` is
    "bundled" or "wndb:FOLDER".
    """
    changes = _adjective_changes(parse, lexicon) + _adverb_changes(parse, open_lexicon(lexicon))
    if not changes or len(changes) % 2 != (parity == "odd"):
        return None
    return apply_edits(parse.text, [edit for change in changes for edit in change])


@lru_cache(maxsize=1)
def expressions() -> dict[str, frozenset[str]]:
    """Return the nouns with which each adjective makes up an expression."""
    return {adjective: frozenset(nouns.split()) for adjective, nouns in _rows("adjective_expressions.tsv")}


@lru_cache(maxsize=1)
def antonyms() -> dict[str, str]:
    """Return the antonym of each adjective that has one."""
    return dict(_rows("adjective_antonyms.tsv"))


def _rows(name: str) -> list[tuple[str, str]]:
    table = Path(__file__).with_name(name).read_text("utf-8")
    lines = (line.partition("\t") for line in table.splitlines() if line and not line.startswith("#"))
    return [(first, second) for first, _, second in lines]


def _adjective_changes(parse: Parse, lexicon: str) -> list[list[Edit]]:
    """Return the edits for each adjective that has an antonym and is in no expression that the bundled lexicon lists."""
    source = None if lexicon == BUNDLED_LEXICON else open_lexicon(lexicon)
    changes = []
    for index, tag in enumerate(parse.tags):
        if tag in _ADJECTIVE_TAGS and parse.upos[index] == "ADJ" and _is_free(parse, index):
            antonym = _antonym(parse, index, source)
            if antonym is None or _is_contradicted(parse, index, antonym):
                continue
            if not _is_listed(parse, index):
                changes.append(_replace(parse, index, antonym))
    return changes


def _is_listed(parse: Parse, index: int) -> bool:
    """Tell whether the lexicon lists the adjective and its neighbours as one expression; "old man" it lists is what it says."""
    following = "".join(parse.tokens[index + 1 : index + 2]).lower()
    word = Word(index, parse.tokens[index].lower(), "a", parse.tags[index])
    return following not in _PERSONS and in_expression(parse, word, bundled_lexicon())


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
    bound = (_is_in_name, _is_hyphenated, _is_fixed, _is_measured, _is_participle, _is_no_time, _is_adverb)
    return not any(is_bound(parse, index) for is_bound in bound)


def _is_in_name(parse: Parse, index: int) -> bool:
    word = parse.tokens[index]
    following = parse.tokens[index + 1] if index + 1 < len(parse) else ""
    starts_text = index == 0 or not parse.tokens[index - 1][-1].isalnum()
    if word.isupper() and len(word) > 1:
        return True
    if word[0].isupper() and (not starts_text or following[:1].isupper()):
        return True
    beside = parse.tags[index + 1 : index + 2] + parse.tags[max(index - 1, 0) : index]
    return "NNPS" in beside or beside[:1] == ("NNP",) or parse.has_label(index, "compound", "flat", "fixed", "cc", "case")


def _is_hyphenated(parse: Parse, index: int) -> bool:
    start, end = parse.starts[index], parse.end(index)
    around = parse.text[max(start - 1, 0) : start] + parse.text[end : end + 1]
    return any(character in "-–‑/'’_&\"“”" for character in around) or any(c in "-/'" for c in parse.tokens[index])


def _is_fixed(parse: Parse, index: int) -> bool:
    word = parse.tokens[index].lower()
    before = parse.tokens[index - 1].lower() if index else ""
    after = parse.tokens[index + 1].lower() if index + 1 < len(parse) else ""
    if f"{before}-{word}" in _FIXED_AFTER or after in expressions().get(word, ()):
        return True
    attributive = parse.has_label(index, "amod")
    # "caught a cold", "later succumbed": no adjective here, whatever the tag.
    if (word in _ATTRIBUTIVE_ONLY and not attributive) or (before == "to" and word in _ALSO_VERBS) or before == "called":
        return True
    needs_noun = (
        before in _MODIFIERS
        or (before == "the" and parse.tags[index] == "JJ")
        or attributive
        or (parse.tags[index] == "JJR" and word in ("later", "earlier"))
    )
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


def _is_participle(parse: Parse, index: int) -> bool:
    """Tell whether "have" stands before what the parser took for an adjective: "has still committed a crime"."""
    place = index - 1
    while place >= 0 and parse.tags[place] == "RB":
        place -= 1
    return place >= 0 and parse.tokens[place].lower() in _HAVE and parse.tokens[index].endswith(("ed", "en", "wn"))


def _is_no_time(parse: Parse, index: int) -> bool:
    """Tell whether "late" or "early" stands before something that is no time: "the late king", "early printed books"."""
    if parse.tokens[index].lower() not in ("late", "early") or not _may_precede_noun(parse, index + 1):
        return False
    after = parse.tokens[index + 1].lower()
    return not (after[:1].isdigit() or after in _TIMES)


def _is_adverb(parse: Parse, index: int) -> bool:
    """Tell whether the adjective is an adverb, whatever its tag: no noun is after it and no "be" before it."""
    if parse.tokens[index].lower() not in _ALSO_ADVERBS or (parse.has_label(index, "amod") and _may_precede_noun(parse, index + 1)):
        return False
    before = {token.lower() for token in parse.tokens[max(index - 4, 0) : index]}
    return not before & _LINKING or "".join(parse.tags[index + 1 : index + 2]).startswith("VB")


def _is_contradicted(parse: Parse, index: int, antonym: str) -> bool:
    """Tell whether the antonym does not go with the words around: "closely unrelated", "public and private" for "private and public".

    An antonym that denies a participle suits only the place before a noun: "paved roads", but hardly "was paved in 1990".
    """
    around = {token.lower() for token in parse.tokens[max(index - 4, 0) : index + 5]}
    if antonym in around or _OPPOSED.get(parse.tokens[index].lower()) in around:
        return True
    if not antonym.startswith(_NEGATIVE):
        return False
    word, before = parse.tokens[index].lower(), parse.tokens[index - 1].lower() if index else ""
    is_denied_participle = antonym == f"un{word}" and word.endswith("ed") and word not in _PLAIN_PARTICIPLES
    if parse.tags[index - 1 : index] in (("RB",), ("RBR",), ("RBS",)) and (before.endswith("ly") or is_denied_participle):
        return before not in _OF_SENTENCE
    return is_denied_participle and not (parse.has_label(index, "amod") and parse.heads[index] > index)


def _antonym(parse: Parse, index: int, source: Lexicon | None) -> str | None:
    """Return the antonym in the adjective's degree: the chosen one, or that of another lexicon where it has not the chosen one."""
    word, tag = parse.tokens[index].lower(), parse.tags[index]
    lemma = word if tag == "JJ" else _positive(word, tag, parse.lemmas[index].lower())
    antonym = antonyms().get(lemma) if lemma else None
    if antonym is None or lemma is None:
        return None
    if word == "lower" and "".join(parse.tokens[index + 1 : index + 2]).lower() in _LOWER_PARTS:
        return "upper"
    if lemma == "poor":
        antonym = "rich" if _is_said_of(parse, index, _PERSONS | _OWNERS) else "good"
    if (lemma == "complete" or antonym == "good") and not _is_said_of(parse, index, _QUALITIES if lemma == "poor" else _WHOLES):
        return None
    if lemma in _OF_PERSONS and _is_said_of(parse, index, _PERSONS):
        antonym = _OF_PERSONS[lemma]
    if lemma in _BEFORE_NOUN and parse.has_label(index, "amod"):
        antonym = _BEFORE_NOUN[lemma]
    if source is not None:
        known = [other for other in source.antonyms(lemma, "a") if other.isalpha()]
        antonym = antonym if antonym in known or not known else known[0]
    return antonym if tag == "JJ" else _graded(antonym, tag)


def _is_said_of(parse: Parse, index: int, nouns: frozenset[str]) -> bool:
    """Tell whether the noun or the subject that the adjective belongs to is one of the nouns; names count as persons."""
    subjects = [parse.heads[index], *parse.children(index, "nsubj")]
    subjects += parse.children(parse.heads[index], "nsubj") if not parse.has_label(index, "amod") else []
    return any(
        parse.lemmas[place].lower() in nouns
        or parse.tokens[place].lower() in nouns
        or (parse.tags[place] in ("NNP", "NNPS") and "person" in nouns)
        for place in subjects
    )


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
