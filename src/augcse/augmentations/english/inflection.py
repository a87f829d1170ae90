"""Forms and lemmas for the rules, irregular_forms.tsv before the tables of the lexicon."""

from __future__ import annotations

from functools import cache, lru_cache
from pathlib import Path

from augcse.augmentations.text.tables import data_rows
from augcse.lexicon.open import bundled_lexicon
from augcse.lexicon.word_forms import word_forms


@cache
def _irregular() -> dict[tuple[str, str], str]:
    """Return the forms where the tables have none, a rare one first, or that of a homograph."""
    return {(lemma, tag): form for lemma, tag, form in data_rows(Path(__file__).with_name("irregular_forms.tsv"))}


def inflections(lemma: str, tag: str) -> tuple[str, ...]:
    """Return the forms of `lemma` with a Penn tag; none for what is no word.

    >>> inflections("big", "JJR"), inflections("", "JJR")
    (('bigger',), ())
    """
    return word_forms().inflections(lemma, tag) if lemma.isalpha() else ()


@lru_cache(maxsize=20_000)
def word_form(lemma: str, tag: str) -> str | None:
    """Return the form of a lemma with a Penn tag, or None when there is none, or the word is no base form: a parser's mistake.

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
    """Return whether the lexicon has the word as a noun and no verb: "spiders", "dozens", which the tagger may take for verbs."""
    lexicon = bundled_lexicon()
    return bool(lexicon.synsets(word, "n")) and not lexicon.synsets(word, "v")


@lru_cache(maxsize=20_000)
def is_verb_alone(word: str) -> bool:
    """Return whether the lexicon has the word as a verb and as nothing else: "apologise", which the tagger takes for an adverb."""
    lexicon = bundled_lexicon()
    return bool(lexicon.synsets(word, "v")) and not any(lexicon.synsets(word, pos) for pos in ("n", "a", "r"))


@lru_cache(maxsize=20_000)
def verb_lemma(word: str, tag: str, guess: str) -> str | None:
    """Return the lemma whose `tag` form is `word`, the parser's guess if it is one of several; None if there is none.

    >>> verb_lemma("found", "VBD", "found"), verb_lemma("lay", "VBD", "lay"), verb_lemma("abolished", "VBD", "abolishe")
    ('find', 'lie', 'abolish')
    """
    word = word.lower()
    candidates = [lemma for lemma in word_forms().lemmas(word, "VERB") if not _is_noun_alone(lemma)]
    if tag in ("VB", "VBP"):
        return word if word in candidates else None
    fitting = [lemma for lemma in candidates if word == word_form(lemma, tag) or word in inflections(lemma, tag)]
    return guess.lower() if guess.lower() in fitting else next(iter(fitting), None)
