"""What the judge knows about words without a model: how common and how similar they are, and how well they go with a context.

The product of a word's vector and a context's says how much more often than by chance they occur together in Wikipedia; see
scripts/build_word_contexts.py. Words have numbers, the most frequent first; all products are of whole numbers, so that they are the same on
every machine.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import log1p, sqrt
from pathlib import Path

WORD_CONTEXTS = Path(__file__).with_name("word_contexts.safetensors")
NUMBER = "0"
# A token of the text that the tables were counted in.
TOKEN = r"[a-z]+|\d[\d.,]*|[.,;:?!()\"%]"
UNKNOWN = -1
# The places near a word whose words are counted together; those directly before and after it have their own tables.
_NEAR = tuple(sign * away for away in range(2, 6) for sign in (-1, 1))
_PLACES: tuple[tuple[int, ...], ...] = ((-1,), (1,), _NEAR)
Fit = tuple[float, float, float]


class WordContexts:
    """Vectors of words and of contexts, from a file written by scripts/build_word_contexts.py."""

    def __init__(self) -> None:
        # Listing the rules imports the judge; numpy is needed only here.
        from safetensors.numpy import load_file

        tables = load_file(str(WORD_CONTEXTS))
        self._number = {word: place for place, word in enumerate(bytes(tables["words"]).decode().split("\n"))}
        self._counts = tables["counts"]
        self._vectors, self._steps = tables["vectors"].astype("int32"), tables["vector_scales"][:, 0].astype(float)
        self._contexts, self._context_steps = tables["contexts"], tables["context_scales"][:, :, 0].astype(float)

    def number(self, word: str) -> int:
        """Return the number of a word in any case, `UNKNOWN` for one without a vector; all numerals have the same number."""
        return self._number.get(NUMBER if word[:1].isdigit() else word.lower().strip("'’"), UNKNOWN)

    def log_count(self, word: int) -> float:
        """Return the logarithm of how often a word was counted; 0 for an unknown one."""
        return 0.0 if word == UNKNOWN else log1p(float(self._counts[word]))

    def similarity(self, first: int, second: int) -> float:
        """Return the cosine of two words; 0 where one is unknown."""
        if UNKNOWN in (first, second):
            return 0.0
        one, other = self._vectors[first], self._vectors[second]
        return float(one @ other) / sqrt(float(one @ one) * float(other @ other))

    def fits(self, words: Sequence[int], tokens: Sequence[int], index: int) -> list[Fit]:
        """Return how well each word goes with the token before, the token after, and the tokens near `index`; 0 where nothing is known.

        Each is a mean of positive pointwise mutual information, from the tables; `tokens` are the numbers of a sentence's tokens.
        """
        known = [word for word in words if word != UNKNOWN]
        columns = (self._associations(known, tokens, index, table) for table in range(len(_PLACES)))
        fit_of = dict(zip(known, zip(*columns, strict=True), strict=True))
        return [fit_of.get(word, (0.0, 0.0, 0.0)) for word in words]

    def _associations(self, words: list[int], tokens: Sequence[int], index: int, table: int) -> list[float]:
        """Return the mean association of each word with the known tokens at the places of one table."""
        places = (index + away for away in _PLACES[table])
        known = [tokens[place] for place in places if 0 <= place < len(tokens) and 0 <= tokens[place] < self._contexts.shape[1]]
        if not known or not words:
            return [0.0] * len(words)
        products = self._contexts[table, known] @ self._vectors[words].T  # (contexts, words), whole numbers
        # Added row by row, so that a word's sum does not depend on how many other words are computed with it.
        totals = sum(row * step for row, step in zip(products.astype(float), self._context_steps[table, known].tolist(), strict=True))
        means: list[float] = (totals * self._steps[words] / len(known)).tolist()
        return means


@lru_cache(maxsize=1)
def word_contexts() -> WordContexts:
    """Open the bundled tables once per process."""
    return WordContexts()
