"""English word forms: the inflections of a lemma, and the lemmas of a form.

Tables, rules and networks are those of LemmInflect (Brad Jascob, MIT licence), and so are the results, for every word and tag. Its
networks are pickles, which scripts/build_word_forms.py converts to safetensors. The tables derive from the SPECIALIST Lexicon.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from augcse.lexicon.sorted_lines import SortedLines
from augcse.lexicon.unlisted_words import UnlistedWords
from augcse.resources import WORD_FORMS

_UPOS_OF_INITIAL = {"J": "ADJ", "R": "ADV", "N": "NOUN", "V": "VERB"}
# Names are listed as capitalised nouns.
_COMMON_NOUN_TAG = {"NNP": "NN", "NNPS": "NNS"}
# The tags to try if a lemma has no form with a tag: a regular verb lists one form for past and participle, and so on.
_FALLBACK_TAGS = {
    "VBD": ("VBN",), "VBN": ("VBD",), "RP": ("JJ", "RB"),
    "JJ": ("RB",), "JJR": ("RBR",), "JJS": ("RBS",), "RB": ("JJ",), "RBR": ("JJR",), "RBS": ("JJS",),
}  # fmt: skip
_CACHED_WORDS = 20_000
Forms = dict[str, tuple[str, ...]]


class WordForms:
    """The tables, with rules for words that they do not list.

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
        """Return whether the word, in any case, is a form of a listed lemma."""
        return self._lemmas.find(word.lower()) is not None

    def _find_inflections(self, lemma: str, tag: str) -> tuple[str, ...]:
        """Return the forms of `lemma` with a Penn tag, capitalised like it; by rule if it is not listed, () if it has none."""
        if not lemma:
            return ()
        upos = _upos_of(tag)
        listed = _forms_by_tag(self._inflections, lemma.lower().capitalize() if upos == "PROPN" else lemma.lower())
        listed_tag = _COMMON_NOUN_TAG.get(tag, tag)
        forms = next((listed[other] for other in (listed_tag, *_FALLBACK_TAGS.get(tag, ())) if other in listed), None)
        if forms is None:
            forms = self._unlisted.inflections(lemma, upos).get(listed_tag, ())
        return tuple(map(_case_like(lemma), forms))

    def _find_lemmas(self, word: str, upos: str) -> tuple[str, ...]:
        """Return the lemmas that `word` can have as a part of speech, capitalised like it; by rule if it is not listed."""
        lower = word.lower()
        is_name = upos == "PROPN"
        lemmas = _forms_by_tag(self._lemmas, lower.capitalize() if is_name else lower).get("NOUN" if is_name else upos)
        return tuple(map(_case_like(word), lemmas if lemmas is not None else self._unlisted.lemmas(word, upos)))


@lru_cache(maxsize=1)
def word_forms() -> WordForms:
    """Open the bundled tables.

    >>> word_forms().inflections("go", "VBD"), word_forms().lemmas("Mice", "NOUN"), word_forms().is_listed("blorf")
    (('went',), ('Mouse',), False)
    """
    return WordForms(WORD_FORMS)


def _forms_by_tag(table: SortedLines, key: str) -> Forms:
    """Parse a line of a table: a field is `TAG:form/form`, or the tag alone if the form is the key itself."""
    fields = (field.partition(":") for field in table.find(key) or ())
    return {tag: tuple(forms.split("/")) if forms else (key,) for tag, _, forms in fields}


def _upos_of(tag: str) -> str | None:
    if tag in _COMMON_NOUN_TAG:
        return "PROPN"
    if tag in ("RP", "MD"):
        return "VERB" if tag == "MD" else None
    return _UPOS_OF_INITIAL.get(tag[:1])


def _case_like(word: str) -> Callable[[str], str]:
    """Return a function that gives another word the case of this one."""
    if word.isupper():
        return str.upper
    return str.capitalize if word[:1].isupper() else str.lower
