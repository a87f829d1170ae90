"""Exact nearest-neighbour search in the corpus, per model."""

from __future__ import annotations

import numpy as np

from augcse.analysis.neighbours import Neighbour, check_known
from augcse.playing.session import Array, Session


def search(session: Session, query: str, k: int) -> dict[str, list[Neighbour]]:
    """Return, per model, the k sentences of largest cosine with the query, nearest first; fewer if the corpus has fewer.

    If the query itself is in the corpus, it comes first. Raises `UserError` as `check_known`.
    """
    results = {}
    for name, vectors in session.vectors.items():
        embedding = session.encode(name, [query])[0]
        check_known(name, query, embedding)
        cosines = vectors @ embedding
        results[name] = [Neighbour(session.sentences[row], float(cosines[row])) for row in largest(cosines, k)]
    return results


def largest(values: Array, k: int) -> list[int]:
    """Return the indices of the k largest values, in descending order; ties keep their order. values: (n,)."""
    if k < len(values):
        # Partition first, so that a corpus of a million sentences need not be sorted for each query.
        threshold = np.partition(values, -k)[-k]
        candidates = np.flatnonzero(values >= threshold)
    else:
        candidates = np.arange(len(values))
    rows: list[int] = candidates[np.argsort(-values[candidates], kind="stable")][:k].tolist()
    return rows
