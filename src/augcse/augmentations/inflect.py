"""Verb forms through lemminflect, with the forms it lacks or confuses with a homograph's."""

from __future__ import annotations

from functools import lru_cache
from types import ModuleType

# Where lemminflect knows no form, a rare one, or the form of a homograph.
_PAST = {
    "be": "was", "bid": "bid", "broadcast": "broadcast", "cleave": "cleaved", "forecast": "forecast", "grind": "ground",
    "hang": "hung", "leap": "leaped", "lie": "lay", "mimic": "mimicked", "program": "programmed", "sneak": "sneaked",
    "spring": "sprang", "weave": "wove", "wed": "wed", "wet": "wet",
}  # fmt: skip
_THIRD = {"be": "is", "have": "has", "do": "does", "focus": "focuses", "bus": "buses"}


@lru_cache(maxsize=1)
def load_lemminflect() -> ModuleType:
    """Import lemminflect on first use: the import alone costs seconds."""
    import lemminflect

    module: ModuleType = lemminflect
    return module


@lru_cache(maxsize=20_000)
def verb_form(lemma: str, tag: str) -> str | None:
    """Return the VB, VBZ or VBD form of a verb, or None when there is none.

    >>> verb_form("go", "VBD"), verb_form("lie", "VBD"), verb_form("found", "VBD"), verb_form("have", "VBZ")
    ('went', 'lay', 'founded', 'has')
    """
    if tag == "VB":
        return lemma
    known = (_PAST if tag == "VBD" else _THIRD).get(lemma)
    if known or not lemma.isalpha():
        return known
    forms: tuple[str, ...] = load_lemminflect().getInflection(lemma, tag)
    return forms[0] if forms else None


@lru_cache(maxsize=20_000)
def verb_lemma(word: str, tag: str, guess: str) -> str | None:
    """Return the lemma whose `tag` form is `word`, the parser's guess if it is one of several; None if there is none.

    >>> verb_lemma("found", "VBD", "found"), verb_lemma("lay", "VBD", "lay"), verb_lemma("abolished", "VBD", "abolishe")
    ('find', 'lie', 'abolish')
    """
    word = word.lower()
    inflect = load_lemminflect()
    candidates: tuple[str, ...] = inflect.getLemma(word, "VERB")
    if tag in ("VB", "VBP"):
        return word if word in candidates else None
    for lemma in sorted(candidates, key=lambda lemma: lemma != guess.lower()):
        if word == verb_form(lemma, tag) or word in inflect.getInflection(lemma, tag):
            return lemma
    return None
