"""Whether a text is English, by its function words, and the warning before English rules are applied to another language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice

from augcse.annotation.pipeline import parser_language
from augcse.augmentations.base import ANY_LANGUAGE, OTHER_LANGUAGE, UNSPACED
from augcse.augmentations.english.function_words import FUNCTION_WORDS
from augcse.augmentations.spec import Spec
from augcse.augmentations.text.marks import compiled
from augcse.corpus import scripts
from augcse.lexicon.base import POS
from augcse.lexicon.open import bundled_lexicon

_WORD = r"[^\W\d_][\w\p{M}]*"
_UNSPACED = re.compile(f"[{scripts.UNSPACED}]")
# Single letters are words in too many languages.
_ENGLISH = frozenset(word for word in FUNCTION_WORDS if len(word) > 1)
# Fewer letters decide nothing.
_FEWEST_LETTERS = 500
# Of the letters in function words: headlines and texts of user interfaces have the fewest in English; other languages share some words.
_FEWEST_SHARE = 0.06
# Of the letters in words of the lexicon, for text without sentences, such as titles; other languages share fewer ("name", "hotel").
_FEWEST_KNOWN = 0.6
_SENTENCES = 1_000
_MOST_NAMED = 4


def language_of(texts: Iterable[str]) -> str:
    """Return "en", `OTHER_LANGUAGE` or `UNSPACED`, by the share of the letters in English words; "en" for too short a text.

    The words are function words or, where these are few, all words of the lexicon.

    >>> language_of(["The bridge over the river was built by the monks who lived in the town."] * 10)
    'en'
    >>> language_of(["Mtoto alikwenda sokoni na mama yake asubuhi ya leo, lakini hakununua chochote."] * 10)
    'another language, it seems'
    """
    words = [word for text in texts for word in compiled(_WORD).findall(text.lower())]
    letters = sum(map(len, words))
    if letters < _FEWEST_LETTERS or sum(len(word) for word in words if word in _ENGLISH) >= _FEWEST_SHARE * letters:
        return "en"
    if sum(len(word) for word in words if word in _ENGLISH or _is_listed(word)) >= _FEWEST_KNOWN * letters:
        return "en"
    return UNSPACED if sum(len(_UNSPACED.findall(word)) for word in words) > letters / 2 else OTHER_LANGUAGE


@lru_cache(maxsize=20_000)
def _is_listed(word: str) -> bool:
    """Return whether the lexicon has a word of three letters or more, in any form."""
    lexicon = bundled_lexicon()
    return len(word) > 2 and any(lexicon.synsets(lemma, pos) for pos in POS for lemma in lexicon.lemmas(word, pos))


def other_language_warnings(sentences: Iterable[str], specs: Iterable[Spec], parser: str) -> Iterator[str]:
    """Yield a warning if the first sentences do not look like English, and some of the augmentations read English only.

    Rules of the user's own are not counted, nor those that a parser of another language keeps from the text.
    """
    leaves = [leaf for spec in specs for leaf in spec.leaves if leaf.member.own_file is None]
    named = list(dict.fromkeys(leaf.name for leaf in leaves if _takes_for_english(leaf, parser)))
    if named and language_of(islice(sentences, _SENTENCES)) != "en":
        others = f" and {len(named) - _MOST_NAMED} more" if len(named) > _MOST_NAMED else ""
        yield (
            f"the text does not look like English sentences, and these augmentations take it for English: {', '.join(named[:_MOST_NAMED])}"
            f"{others}; augcse list augmentations --json has the languages of each"
        )


def _takes_for_english(leaf: Spec, parser: str) -> bool:
    member = leaf.member
    return ANY_LANGUAGE not in member.languages and (not member.needs_parse or parser_language(parser) == "en")
