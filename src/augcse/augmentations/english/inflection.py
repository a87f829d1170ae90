"""Inflected forms and lemmas: the lexicon's tables, which irregular_forms.tsv overrides."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.open import bundled_lexicon
from augcse.lexicon.word_forms import word_forms


@cache
def _irregular() -> dict[tuple[str, str], str]:
    """Return the forms for which the lexicon's tables have none, a rare one first, or that of a homograph."""
    return {(lemma, tag): form for lemma, tag, form in data_rows(Path(__file__).with_name("irregular_forms.tsv"))}


def inflections(lemma: str, tag: str) -> tuple[str, ...]:
    """Return the forms of `lemma` with a Penn tag; none if it is not a word.

    >>> inflections("big", "JJR"), inflections("", "JJR")
    (('bigger',), ())
    """
    return word_forms().inflections(lemma, tag) if lemma.isalpha() else ()


@lru_cache(maxsize=20_000)
def word_form(lemma: str, tag: str) -> str | None:
    """Return the form of a lemma with a Penn tag; None if there is none, or if the parser's lemma is not a base form.

    >>> word_form("go", "VBD"), word_form("lie", "VBD"), word_form("found", "VBD"), word_form("have", "VBZ"), word_form("person", "NNS")
    ('went', 'lay', 'founded', 'has', 'people')
    >>> word_form("caused", "VBZ"), word_form("unchanged", "VBD")
    (None, None)
    """
    if tag.startswith("VB") and verb_lemma(lemma, "VB", lemma) is None:
        return None
    return lemma if tag == "VB" else _irregular().get((lemma, tag)) or next(iter(inflections(lemma, tag)), None)


@lru_cache(maxsize=20_000)
def _is_noun_alone(word: str) -> bool:
    """Return whether the lexicon has the word as a noun but not as a verb: "spiders", "dozens", which the tagger may take for verbs."""
    lexicon = bundled_lexicon()
    return bool(lexicon.synsets(word, "n")) and not lexicon.synsets(word, "v")


@lru_cache(maxsize=20_000)
def is_verb_alone(word: str) -> bool:
    """Return whether the lexicon has the word only as a verb: "apologise", which the tagger takes for an adverb."""
    lexicon = bundled_lexicon()
    return bool(lexicon.synsets(word, "v")) and not any(lexicon.synsets(word, pos) for pos in ("n", "a", "r"))


@lru_cache(maxsize=20_000)
def verb_lemma(word: str, tag: str, guess: str) -> str | None:
    """Return the lemma whose form with `tag` is `word`; of several, the parser's guess; None if there is none.

    >>> verb_lemma("found", "VBD", "found"), verb_lemma("lay", "VBD", "lay"), verb_lemma("abolished", "VBD", "abolishe")
    ('find', 'lie', 'abolish')
    """
    word = word.lower()
    candidates = [lemma for lemma in word_forms().lemmas(word, "VERB") if not _is_noun_alone(lemma)]
    if tag in ("VB", "VBP"):
        return word if word in candidates else None
    fitting = [lemma for lemma in candidates if word == word_form(lemma, tag) or word in inflections(lemma, tag)]
    return guess.lower() if guess.lower() in fitting else next(iter(fitting), None)
