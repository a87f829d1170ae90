"""The closed classes of English, once for all rules."""

from __future__ import annotations

from pathlib import Path

from augcse.augmentations.text.tables import word_sets

_KINDS = word_sets(Path(__file__).with_name("function_words.txt"))
CONTRACTIONS = _KINDS["CONTRACTION"]
# What points to something known: "the", "this".
DEFINITES = _KINDS["ARTICLE"] - {"a", "an"}
INDEFINITES = _KINDS["INDEFINITE"]
# They open a sentence as no name does: "Several came."
QUANTIFIERS = _KINDS["QUANTIFIER"] | INDEFINITES
FUNCTION_WORDS = frozenset[str]().union(*_KINDS.values()) - CONTRACTIONS
