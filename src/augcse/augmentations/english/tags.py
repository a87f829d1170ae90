"""Sets of Penn tags by what their words may be in a sentence."""

from __future__ import annotations

NOUNS = frozenset({"NN", "NNS"})
NAMES = frozenset({"NNP", "NNPS"})
# Of the words that a noun phrase may begin with, as a subject does.
OPENS_NOUN_PHRASE = NOUNS | NAMES | {"CD", "DT", "EX", "JJ", "PDT", "PRP", "PRP$"}
