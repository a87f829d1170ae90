"""A vector per token from co-occurrence in a text: counts, mutual information, factorisation."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.static.counts import cooccurrence, most_frequent
from augcse.encoding.static.factors import token_factors
from augcse.encoding.static.options import StaticOptions
from augcse.encoding.static.progress import Progress
from augcse.encoding.static.tokens import TokenizedSentences
from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError

Array = npt.NDArray[Any]
# Rarer tokens have no reliable contexts (word2vec's min_count).
_LEAST_OCCURRENCES = 5
# Of the co-occurrence table: 1 GiB of uint32.
_MOST_CELLS = 1 << 28


def cooccurrence_rows(
    sentences: TokenizedSentences, counts: Array, options: StaticOptions, progress: Progress
) -> tuple[Array, dict[str, int]]:
    """Return unit rows from co-occurrence, zeros for tokens that are not counted, and the numbers of tokens and contexts counted.

    Args:
        sentences: where pairs are counted.
        counts: (vocabulary,) of occurrences; 0 for tokens to leave out.
        options: of the counts and the factors.
        progress: of both.

    Returns:
        rows: (vocabulary, dim) float32, dim `options.cooccurrence_dim`, or the number of directions in the text if that is smaller.
        facts: for a record.

    Raises:
        UserError: no token occurs often enough.
    """
    tokens = most_frequent(counts, _MOST_CELLS // options.contexts)
    contexts = context_number(counts, options)
    if not contexts:
        raise UserError(f"no token occurs {_LEAST_OCCURRENCES} times in the corpus; give more text, or --rows backbone")
    progress.start("counting", len(sentences))
    table = cooccurrence(sentences, tokens, contexts, options.window, len(counts), progress.advance)
    progress.start("factorising", None)
    factors = token_factors(
        table, options.cooccurrence_dim, context_exponent=options.context_exponent, value_exponent=options.value_exponent
    )
    rows = np.zeros((len(counts), factors.shape[1]), dtype=np.float32)
    rows[tokens] = unit_rows(factors, np.float32)
    return rows, {"tokens_counted": len(tokens), "contexts_counted": contexts}


def context_number(counts: Array, options: StaticOptions) -> int:
    """Return how many of the most frequent tokens are contexts: those that occur often enough, or as many as dimensions if that is more.

    The time for the factors grows with the third power of their number, and in 10,000 sentences rare ones add nothing to frequent
    ones (docs/results/static.md).

    Args:
        counts: (vocabulary,) of occurrences.
        options: with `contexts`, `context_occurrences` and `cooccurrence_dim`.
    """
    often, at_all = (int((counts >= least).sum()) for least in (options.context_occurrences, _LEAST_OCCURRENCES))
    return min(options.contexts, max(often, min(at_all, options.cooccurrence_dim)))
