"""English word forms: the inflections of a lemma, and the lemmas of a form.

Tables, rules and networks are LemmInflect's (Brad Jascob, MIT licence), whose answers these are, for every word and tag; it keeps its
networks as pickles, which scripts/build_word_forms.py has turned into safetensors. The tables derive from the SPECIALIST Lexicon.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from augcse.lexicon.sorted_lines import SortedLines
from augcse.lexicon.unlisted_words import UnlistedWords
from augcse.resources import WORD_FORMS

_UPOS_OF_INITIAL = {"J": "ADJ", "R": "ADV", "N": "NOUN", "V": "VERB"}
# Names are listed as nouns, under their capital.
_PROPER = {"NNP": "NN", "NNPS": "NNS"}
# What is looked up where a lemma has no form with the tag: a regular verb's past and participle are one, adjectives serve as adverbs.
_INSTEAD = {
    "VBD": ("VBN",), "VBN": ("VBD",), "RP": ("JJ", "RB"),
    "JJ": ("RB",), "JJR": ("RBR",), "JJS": ("RBS",), "RB": ("JJ",), "RBR": ("JJR",), "RBS": ("JJS",),
}  # fmt: skip
_CACHED_WORDS = 20_000
Forms = dict[str, tuple[str, ...]]


class WordForms:
    """The tables, and what is said of words that they lack.

    Args:
        folder: with `inflections.tsv`, `lemmas.tsv` and `networks.safetensors`, written by scripts/build_word_forms.py.

    Raises:
        UserError: a file is missing.
    """

    def __init__(self, folder: Path) -> None:
        self._inflections = SortedLines(folder / "inflections.tsv")
        self._lemmas = SortedLines(folder / "lemmas.tsv")
        self._unlisted = UnlistedWords(folder / "networks.safetensors")
        self.inflections = lru_cache(_CACHED_WORDS)(self._find_inflections)
        self.lemmas = lru_cache(_CACHED_WORDS)(self._find_lemmas)

    def is_listed(self, word: str) -> bool:
        """Return whether the word, in small letters, is a form of any listed lemma."""
        return self._lemmas.find(word.lower()) is not None

    def _find_inflections(self, lemma: str, tag: str) -> tuple[str, ...]:
        """Return the forms of `lemma` with a Penn tag, capitalised as it is; by rule where it is not listed, () where it has none."""
        if not lemma:
            return ()
        upos = _upos_of(tag)
        listed = _read(self._inflections, lemma.lower().capitalize() if upos == "PROPN" else lemma.lower())
        wanted = _PROPER.get(tag, tag)
        forms = next((listed[other] for other in (wanted, *_INSTEAD.get(tag, ())) if other in listed), None)
        if forms is None:
            forms = self._unlisted.inflections(lemma, upos).get(wanted, ())
        return tuple(map(_capitals_of(lemma), forms))

    def _find_lemmas(self, word: str, upos: str) -> tuple[str, ...]:
        """Return the lemmas that `word` can have as a part of speech, capitalised as it is; by rule where it is not listed."""
        lower = word.lower()
        name = upos == "PROPN"
        found = _read(self._lemmas, lower.capitalize() if name else lower).get("NOUN" if name else upos)
        return tuple(map(_capitals_of(word), found if found is not None else self._unlisted.lemmas(word, upos)))


@lru_cache(maxsize=1)
def word_forms() -> WordForms:
    """Open the bundled tables.

    >>> word_forms().inflections("go", "VBD"), word_forms().lemmas("Mice", "NOUN"), word_forms().is_listed("blorf")
    (('went',), ('Mouse',), False)
    """
    return WordForms(WORD_FORMS)


def _read(table: SortedLines, key: str) -> Forms:
    """Return what a line says: `TAG:form/form` per field, the tag alone where the form is the key itself."""
    fields = (field.partition(":") for field in table.find(key) or ())
    return {tag: tuple(forms.split("/")) if forms else (key,) for tag, _, forms in fields}


def _upos_of(tag: str) -> str | None:
    if tag in _PROPER:
        return "PROPN"
    if tag in ("RP", "MD"):
        return "VERB" if tag == "MD" else None
    return _UPOS_OF_INITIAL.get(tag[:1])


def _capitals_of(word: str) -> Callable[[str], str]:
    """Return what gives another word the capitals of this one."""
    if word.isupper():
        return str.upper
    return str.capitalize if word[:1].isupper() else str.lower
