"""English lemmas: a parser's guess where the bundled tables of word forms agree, else theirs."""

from __future__ import annotations

from functools import lru_cache

from augcse.lexicon.word_forms import word_forms

_INFLECTED = frozenset(("VERB", "NOUN", "ADJ"))


@lru_cache(maxsize=50_000)
def checked_lemma(word: str, upos: str, guess: str) -> str:
    """Return the guess if the word is a form of it, else the first lemma that the tables list; names and unlisted words keep the guess.

    >>> checked_lemma("married", "VERB", "marrie"), checked_lemma("taught", "VERB", "taught"), checked_lemma("involved", "ADJ", "involved")
    ('marry', 'teach', 'involved')
    """
    tables = word_forms()
    # A participle used as an adjective is listed as a word, though not as a form of an adjective: "involved".
    if upos not in _INFLECTED or not tables.is_listed(word) or (upos == "ADJ" and tables.is_listed(guess)):
        return guess
    known = tables.lemmas(word.lower(), upos)
    return guess if not known or guess.lower() in known or not tables.is_listed(known[0]) else known[0]
