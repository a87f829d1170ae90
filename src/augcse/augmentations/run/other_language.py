"""Whether a text is English, by its function words, and the warning before English rules are applied to another language."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from itertools import islice

from augcse.annotation.pipeline import parser_language
from augcse.augmentations.base import ANY_LANGUAGE, OTHER_LANGUAGE, UNSPACED
from augcse.augmentations.english.function_words import FUNCTION_WORDS
from augcse.augmentations.spec import Spec
from augcse.augmentations.text.marks import compiled
from augcse.corpus import scripts

_WORD = r"[^\W\d_][\w\p{M}]*"
_UNSPACED = re.compile(f"[{scripts.UNSPACED}]")
# Single letters are words in too many languages.
_ENGLISH = frozenset(word for word in FUNCTION_WORDS if len(word) > 1)
# Fewer letters decide nothing.
_FEWEST_LETTERS = 500
# Headlines and texts of user interfaces have the fewest function words in English; other languages share some ("in", "was", "an").
_FEWEST_SHARE = 0.06
_SENTENCES = 1_000
_MOST_NAMED = 4


def language_of(texts: Iterable[str]) -> str:
    """Return "en", `OTHER_LANGUAGE` or `UNSPACED`, by the share of English function words in the letters; "en" for too short a text.

    >>> language_of(["The bridge over the river was built by the monks who lived in the town."] * 10)
    'en'
    >>> language_of(["Mtoto alikwenda sokoni na mama yake asubuhi ya leo, lakini hakununua chochote."] * 10)
    'another language, it seems'
    """
    words = [word for text in texts for word in compiled(_WORD).findall(text.lower())]
    letters = sum(map(len, words))
    if letters < _FEWEST_LETTERS or sum(len(word) for word in words if word in _ENGLISH) >= _FEWEST_SHARE * letters:
        return "en"
    return UNSPACED if sum(len(_UNSPACED.findall(word)) for word in words) > letters / 2 else OTHER_LANGUAGE


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
