"""Forms and lemmas for the rules, with the verb forms that the tables lack or confuse with a homograph's."""

from __future__ import annotations

from functools import lru_cache

from augcse.lexicon.word_forms import word_forms

# Where the tables have no form, a rare one, or the form of a homograph.
_PAST = {
    "be": "was", "bid": "bid", "broadcast": "broadcast", "cleave": "cleaved", "forecast": "forecast", "grind": "ground",
    "hang": "hung", "leap": "leaped", "lie": "lay", "mimic": "mimicked", "program": "programmed", "sneak": "sneaked",
    "spring": "sprang", "weave": "wove", "wed": "wed", "wet": "wet",
}  # fmt: skip
_THIRD = {"be": "is", "have": "has", "do": "does", "focus": "focuses", "bus": "buses"}


def inflections(lemma: str, tag: str) -> tuple[str, ...]:
    """Return the forms of `lemma` with a Penn tag; none for what is no word.

    >>> inflections("big", "JJR"), inflections("", "JJR")
    (('bigger',), ())
    """
    if len(lemma) < 2 or not lemma.isalpha():
        return ()
    return word_forms().inflections(lemma, tag)


def lemmas(word: str, upos: str) -> tuple[str, ...]:
    """Return the lemmas `word` can have; without the empty one that the rules give for bare endings.

    >>> lemmas("bigger", "ADJ"), lemmas("", "VERB")
    (('big',), ())
    """
    if len(word) < 2:
        return ()
    return tuple(lemma for lemma in word_forms().lemmas(word, upos) if lemma)


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
    forms: tuple[str, ...] = inflections(lemma, tag)
    return forms[0] if forms else None


@lru_cache(maxsize=20_000)
def verb_lemma(word: str, tag: str, guess: str) -> str | None:
    """Return the lemma whose `tag` form is `word`, the parser's guess if it is one of several; None if there is none.

    >>> verb_lemma("found", "VBD", "found"), verb_lemma("lay", "VBD", "lay"), verb_lemma("abolished", "VBD", "abolishe")
    ('find', 'lie', 'abolish')
    """
    word = word.lower()
    candidates = lemmas(word, "VERB")
    if tag in ("VB", "VBP"):
        return word if word in candidates else None
    for lemma in sorted(candidates, key=lambda lemma: lemma != guess.lower()):
        if word == verb_form(lemma, tag) or word in inflections(lemma, tag):
            return lemma
    return None
