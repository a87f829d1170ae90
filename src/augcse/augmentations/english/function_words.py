"""The closed word classes of English."""

from __future__ import annotations

from pathlib import Path

from augcse.augmentations.text.tables import word_sets

_KINDS = word_sets(Path(__file__).with_name("function_words.txt"))
CONTRACTIONS = _KINDS["CONTRACTION"]
# Determiners of something known: "the", "this".
DEFINITES = _KINDS["ARTICLE"] - {"a", "an"}
INDEFINITES = _KINDS["INDEFINITE"]
# When one of them opens a sentence, it is not a name: "Several came."
QUANTIFIERS = _KINDS["QUANTIFIER"] | INDEFINITES
FUNCTION_WORDS = frozenset[str]().union(*_KINDS.values()) - CONTRACTIONS
