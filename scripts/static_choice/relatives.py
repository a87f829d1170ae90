"""Alternatives to `augcse.encoding.static.relatives` for the words that a vector is moved towards."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.unit_rows import unit_rows

Array = npt.NDArray[Any]
_UPOS = ("NOUN", "VERB", "ADJ", "ADV")
_BLOCK_ROWS = 2048


def forms_of_one_lemma(words: Sequence[str]) -> Array:
    """Return the pairs of English words with a lemma in common, by the lexicon's tables: (pairs, 2), the smaller index first."""
    from augcse.lexicon.word_forms import word_forms

    forms = word_forms()
    of_lemma: dict[tuple[str, str], set[int]] = defaultdict(set)
    for index, word in enumerate(words):
        if word.isalpha() and word.islower() and len(word) > 2 and forms.is_listed(word):
            for upos in _UPOS:
                for lemma in forms.lemmas(word, upos):
                    of_lemma[lemma, upos].add(index)
    pairs = {pair for indices in of_lemma.values() for pair in combinations(sorted(indices), 2)}
    return np.array(sorted(pairs), dtype=np.int64).reshape(-1, 2)


def drawn_to_nearest(rows: Array, counts: Array, number: int, share: float) -> Array:
    """Return unit rows moved by `share` to the mean of their `number` nearest ones, weighted by the cube of the cosine."""
    result = rows.copy()
    for start in range(0, len(rows), _BLOCK_ROWS):
        block = rows[start : start + _BLOCK_ROWS]
        cosines = block @ rows.T
        cosines[:, counts == 0] = -1
        best = np.argpartition(-cosines, number, axis=1)[:, : number + 1]
        weights = np.maximum(np.take_along_axis(cosines, best, axis=1), 0) ** 3
        weights /= np.maximum(weights.sum(axis=1, keepdims=True), 1e-9)
        result[start : start + _BLOCK_ROWS] = (1 - share) * block + share * np.einsum("nk,nkd->nd", weights, rows[best])
    return unit_rows(result, result.dtype)
