"""Nearest sentences of given queries, several models side by side (DiffCSE section 6.1, table 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from augcse.encoding.model import encode_distinct
from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


@dataclass(frozen=True)
class Neighbour:
    """A retrieved sentence and its cosine with the query."""

    sentence: str
    cosine: float


def neighbours(
    models: Mapping[str, SentenceTransformer], queries: Sequence[str], corpus: Sequence[str], k: int = 3, batch_size: int = 128
) -> dict[str, dict[str, list[Neighbour]]]:
    """Return query -> model -> the k sentences of largest cosine, nearest first; ties in corpus order.

    Args:
        models: by display name.
        queries: may be in the corpus; a query is never its own neighbour.
        corpus: the sentences to search; duplicates count once.
        k: number of neighbours.
        batch_size: of encoding.

    Raises:
        UserError: as `check_queries` and `check_known`, or fewer than k + 1 distinct sentences.
    """
    check_queries(queries, k)
    sentences = list(dict.fromkeys(corpus))
    if len(sentences) <= k:
        raise UserError(f"the corpus has {len(sentences)} distinct sentences; {k} neighbours of a query need more")
    neighbours_of: dict[str, dict[str, list[Neighbour]]] = {query: {} for query in queries}
    for name, model in models.items():
        # The queries are checked before the corpus is encoded, which takes longer.
        encoded, row_of_query = encode_distinct(model, queries, batch_size)
        for query, row in row_of_query.items():
            check_known(name, query, encoded[row])
        embeddings, row_of = encode_distinct(model, [*sentences, *queries], batch_size)
        unit = unit_rows(embeddings)
        for query in neighbours_of:
            neighbours_of[query][name] = nearest(query, unit @ unit[row_of[query]], sentences, k)
    return neighbours_of


def check_queries(queries: Sequence[str], k: int) -> None:
    """Raise `UserError` for no query, an empty one, or a `k` below 1."""
    if not queries or k < 1:
        raise UserError("neighbours need at least one query, and k of 1 or more")
    if not all(map(str.strip, queries)):
        raise UserError("a query is blank; give a sentence")


def check_known(name: str, query: str, embedding: np.ndarray) -> None:
    """Raise `UserError` for a query whose embedding is zero: no token of it has a vector in the model. embedding: (dim,)."""
    if not embedding.any():
        raise UserError(
            f"{name} knows no token of the query {query!r:.80}, so no sentence is near it; give another query, or another model"
        )


def side_by_side(neighbours_of: Mapping[str, Mapping[str, Sequence[Neighbour]]]) -> list[list[str]]:
    """Return table rows: query (in its first row only), rank, and one cell per model: the sentence and its cosine."""
    rows = []
    for query, by_model in neighbours_of.items():
        for index, cells in enumerate(zip(*by_model.values(), strict=True)):
            shown = [f"{cell.sentence} ({cell.cosine:.3f})" for cell in cells]
            rows.append(["" if index else query, str(index + 1), *shown])
    return rows


def nearest(query: str, cosines: np.ndarray, sentences: Sequence[str], k: int) -> list[Neighbour]:
    """Return the k sentences of largest cosine with the query, other than itself, nearest first. cosines: (sentences or more,)."""
    order = np.argsort(-cosines[: len(sentences)], kind="stable")
    best = [row for row in order[: k + 1].tolist() if sentences[row] != query][:k]
    return [Neighbour(sentences[row], float(cosines[row])) for row in best]
