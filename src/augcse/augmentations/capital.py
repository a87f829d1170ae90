"""Whether the capital of the word that opens a sentence is its own, when the word moves into the sentence.

The bundled lexicon tells words from names; where it holds a word that can be a name too ("Carver", "Wood"), nobody can tell
without knowing the text, and the rules leave such a sentence alone.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from augcse.annotation.parse import Parse
from augcse.augmentations.inflect import inflections, load_lemminflect
from augcse.lexicon.base import Pos

Case = Literal["keep", "lower", "doubt"]
_NAME_TAGS = frozenset({"NNP", "NNPS"})
_FUNCTION_TAGS = frozenset({"DT", "PDT", "PRP", "PRP$", "IN", "TO", "EX", "WDT", "WP", "WRB", "RB", "RBR", "RBS", "JJR", "JJS", "CC", "MD"})
_VERB_TAGS = frozenset({"VB", "VBG", "VBN"})
_PLAIN_TAGS = frozenset({"NN", "NNS"})
# Words of the dictionary that a capital makes the name of a people, a faith, a country or a month.
_PROPER_TOO = frozenset("polish turkey china japan march may german german's pole poles dane danes jersey guinea chile".split())
_DETERMINERS = frozenset(
    "other others such many more most several few both much either neither another all some any nobody nothing none everyone everybody"
    " everything someone somebody something anyone anybody anything nowhere".split()
)
# Endings of words for deeds, states and teachings, which are no surnames.
_ABSTRACT = re.compile(r".{3,}(?:ism|tion|sion|ness|ment|graphy|logy|ity|ship|hood|ance|ence|wood|work|power|ing)s?")
# Endings of substances and terms that the lexicon may lack: "oxycodone", "diatomite".
_TERM = re.compile(r".{3,}(?:ism|tion|ness|graphy|logy|itis|osis|one|ine|ide|ite|ase|ose|oid|gen|ium|yl|ate|cyte|phyte)s?")
_ADJECTIVE = re.compile(r".+(?:ical|ional|ous|ive|able|less|ful)")
# A noun of these kinds can stand without an article, as a person's, an animal's or a thing's cannot.
_UNCOUNTED = frozenset(
    "noun.act noun.attribute noun.cognition noun.communication noun.state noun.process noun.phenomenon noun.feeling noun.food".split()
)


def opening_case(parse: Parse, index: int) -> Case:
    """Tell what becomes of the capital of a word that opens a sentence and is moved behind another."""
    word, tag = parse.tokens[index], parse.tags[index]
    if not word[:1].isupper() or word == "I" or any(letter.isupper() for letter in word[1:]):
        return "keep"
    if tag in _FUNCTION_TAGS or word.lower() in _DETERMINERS:
        return "lower"
    if word.lower() in _PROPER_TOO or _stands_elsewhere(parse, index):
        return "keep"
    behind = index + 1
    if behind < len(parse) and parse.tokens[behind].istitle() and tag not in _VERB_TAGS and parse.tags[behind] not in _FUNCTION_TAGS:
        linked = parse.heads[index] in (behind, parse.heads[behind]) or parse.heads[behind] == index
        # "Novelist Paul", but "Pope Leo".
        titled = _category(word.lower()) == "noun.person"
        return "keep" if {tag, parse.tags[behind]} <= _NAME_TAGS and linked and not titled else "doubt"
    return _case_of(parse, index)


def _case_of(parse: Parse, index: int) -> Case:
    tag, word = parse.tags[index], parse.tokens[index].lower()
    following = parse.tags[index + 1] if index + 1 < len(parse) else "."
    if tag.startswith("JJ"):
        return _adjective_case(word, following)
    if tag in ("NNS", "NNPS"):
        return _plural_case(word, following, tag == "NNS")
    if tag == "NN":
        return _noun_case(word, following)
    if tag == "NNP":
        return _name_case(word, following)
    return "lower" if tag in _VERB_TAGS and _is_word(word) else "doubt"


def _adjective_case(word: str, following: str) -> Case:
    if following.startswith(("VB", "MD")) or following in (",", "POS"):
        return "doubt"
    if _is_listed(word, "a") or _ADJECTIVE.fullmatch(word):
        return "lower"
    return "keep" if _is_listed(word.capitalize(), "a") else "doubt"


def _plural_case(word: str, following: str, common: bool) -> Case:
    if any(_is_listed(base.capitalize(), "n") for base in _bases(word)):
        return "doubt" if _is_listed(_bases(word)[0], "n") else "keep"
    if following in ("VBZ", "POS") or not _is_word(word):
        return "doubt"
    if word.endswith("es") and not any(word in inflections(base, "NNS") for base in _bases(word)):
        return "doubt"  # "Welles" is no plural of "well"
    return "lower" if common else "doubt"


def _noun_case(word: str, following: str) -> Case:
    if following == "POS" or not _is_word(word):
        return "doubt"
    if following in _PLAIN_TAGS or _ABSTRACT.fullmatch(word):
        return "lower"
    # "Power" and "Hope" are people's names too.
    return "lower" if _category(word) in _UNCOUNTED and not _is_listed(word.capitalize(), "n") else "doubt"


def _name_case(word: str, following: str) -> Case:
    if _is_word(word):
        return "lower" if following in _PLAIN_TAGS or (_ABSTRACT.fullmatch(word) and not word.endswith("ing")) else "doubt"
    if following in _PLAIN_TAGS and not _is_listed(word.capitalize(), "n"):
        return "doubt"
    return "doubt" if _TERM.fullmatch(word) or _ABSTRACT.fullmatch(word) else "keep"


def _stands_elsewhere(parse: Parse, index: int) -> bool:
    """Tell whether the word has its capital amid the sentence too."""
    return any(
        parse.tokens[place] == parse.tokens[index] and parse.tags[place] in _NAME_TAGS and parse.tokens[place - 1][-1].isalnum()
        for place in range(index + 1, len(parse))
    )


def _is_word(word: str) -> bool:
    """Tell whether one of the two dictionaries has the word in small letters."""
    listed = any(_is_listed(base, pos) for pos in ("n", "v", "a", "r") for base in _bases(word, pos))
    return len(word) > 1 and (listed or bool(load_lemminflect().getAllLemmas(word)))


@lru_cache(maxsize=20_000)
def _bases(word: str, pos: Pos = "n") -> tuple[str, ...]:
    from augcse.lexicon.open import bundled_lexicon

    return bundled_lexicon().lemmas(word, pos)


@lru_cache(maxsize=20_000)
def _is_listed(word: str, pos: Pos) -> bool:
    """Tell whether the lexicon lists the word with these very capitals."""
    from augcse.lexicon.open import bundled_lexicon

    return any(word in synset.lemmas for synset in bundled_lexicon().synsets(word, pos))


@lru_cache(maxsize=20_000)
def _category(word: str) -> str:
    """Return the kind of thing that the word means first; none for what the lexicon lacks."""
    from augcse.lexicon.open import bundled_lexicon

    synsets = [synset for base in _bases(word) for synset in bundled_lexicon().synsets(base, "n")]
    return synsets[0].category if synsets else ""
