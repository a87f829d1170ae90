"""The nearest sentences of a corpus, by exact search, the models side by side."""

from __future__ import annotations

import numpy as np

from augcse.analysis.neighbours import Neighbour
from augcse.playing.session import Array, Session


def search(session: Session, query: str, k: int) -> dict[str, list[Neighbour]]:
    """Return, per model, the k sentences of largest cosine with the query, nearest first; fewer where the corpus has fewer.

    A sentence that is the query itself is found too, first of all.
    """
    found = {}
    for name, vectors in session.vectors.items():
        cosines = vectors @ session.encode(name, [query])[0]
        found[name] = [Neighbour(session.sentences[row], float(cosines[row])) for row in largest(cosines, k)]
    return found


def largest(values: Array, k: int) -> list[int]:
    """Return where the k largest values are, largest first; of equals, the earlier one first. values: (n,)."""
    if k < len(values):
        # All that may be among them, so that a corpus of a million need not be sorted for each query.
        least = np.partition(values, -k)[-k]
        candidates = np.flatnonzero(values >= least)
    else:
        candidates = np.arange(len(values))
    rows: list[int] = candidates[np.argsort(-values[candidates], kind="stable")][:k].tolist()
    return rows
