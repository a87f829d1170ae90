"""Retrieval on STS Benchmark's test sentences, as DiffCSE section 6.2.

Corpus: all 2,758 sentences of the test split, repeated ones included. Positives: the 97 pairs graded 5. "We use one sentence to retrieve
the other one": the paper's figures are multiples of 1/194 (77.84 = 151/194) and not of 1/97, so both sentences of a pair are queries.
The query's own row in the corpus is left out, all others are ranked by cosine; a hit is the partner's text among the first k.

The paper does not treat ties: sentences of equal cosine are taken in random order and the expected hit is counted, in closed form. A sort
would rank them by their position in the file, which favours a constant encoder; here it scores chance.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError
from augcse.evaluation.base import TASKS, TaskCard
from augcse.evaluation.pairs import Pairs
from augcse.evaluation.remarks import ScoreWarning
from augcse.evaluation.tasks.sts import LoadedPairs

if TYPE_CHECKING:
    import numpy as np

    from augcse.evaluation.samples import Measured

CUTOFFS = (1, 5, 10)
_SOURCE = "STSB"
_GRADE = 5.0
_POSITIVE_PAIRS = 97


@dataclass(frozen=True)
class RetrievalTask:
    """Recall over the test sentences of STS Benchmark; the score is recall at 1."""

    name: str = "STSB-retrieval"
    suites: tuple[str, ...] = ()

    def load(self, data: Path | None) -> LoadedRetrieval:
        """Load the sentences. Raises `UserError` if they are not the test split with its 97 pairs graded 5."""
        task = TASKS.get(_SOURCE).load(data)
        if not isinstance(task, LoadedPairs):
            raise TypeError(f"{_SOURCE} is not a task of graded pairs")
        loaded = LoadedRetrieval(task.pairs, task.warnings())
        if len(loaded.queries()) != 2 * _POSITIVE_PAIRS:
            pairs = len(loaded.queries()) // 2
            raise UserError(f"{self.name}: {pairs} pairs are graded {_GRADE:g}, not {_POSITIVE_PAIRS}; recall would not compare")
        return loaded

    def data_files(self, data: Path) -> list[Path]:
        """Return the file that `load` reads from a data folder."""
        return TASKS.get(_SOURCE).data_files(data)

    def card(self) -> TaskCard:
        """Return the task's card."""
        source = TASKS.get(_SOURCE).card()
        return {
            **source,
            "name": self.name,
            "suites": list(self.suites),
            "score": "recall@1 x 100",
            "queries": 2 * _POSITIVE_PAIRS,
            "description": "Both sentences of each pair graded 5 as queries over all STS-B test sentences (DiffCSE section 6.2).",
        }


@dataclass(frozen=True)
class LoadedRetrieval:
    """The sentences, the pairs that belong together, and remarks about their file."""

    pairs: Pairs
    said: tuple[ScoreWarning, ...] = ()

    def warnings(self) -> tuple[ScoreWarning, ...]:
        """Return a remark if the sentences differ from those of this project's scores."""
        return self.said

    def sentences(self) -> list[str]:
        """Return the corpus, repeated sentences included."""
        return self.pairs.sentences()

    def queries(self) -> list[tuple[str, str]]:
        """Return (query, partner) for both directions of each pair of the highest grade."""
        best = [(a, b) for grade, a, b in zip(self.pairs.scores, self.pairs.first, self.pairs.second, strict=True) if grade >= _GRADE]
        return [*best, *((b, a) for a, b in best)]

    def score(self, embeddings: np.ndarray, row_of: dict[str, int]) -> float:
        """Return recall at 1, x 100. embeddings: (distinct, dim)."""
        return self.recalls(embeddings, row_of)[1]

    def measure(self, embeddings: np.ndarray, row_of: dict[str, int]) -> dict[str, float]:
        """Return recall at 1, 5 and 10, x 100; and the number of queries for which another sentence is as near as the partner, if any."""
        return dict(self.measured(embeddings, row_of).figures)

    def measured(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Measured:
        """Return the figures of `measure`, and of each pair the mean expected hit at 1 of its two queries, drawn together."""
        import numpy as np

        from augcse.evaluation.samples import MeanSample, Measured

        ranked = list(self._ranks(embeddings, row_of))
        figures: dict[str, float] = {f"recall@{cutoff}": value for cutoff, value in _recalls_at(ranked, CUTOFFS).items()}
        ties = sum(rank.level > rank.copies for rank in ranked)
        hits = np.array([_expected_hit(rank, CUTOFFS[0]) for rank in ranked]).reshape(2, -1)
        return Measured(figures | ({"tied_queries": ties} if ties else {}), MeanSample(hits.mean(axis=0)))

    def recalls(self, embeddings: np.ndarray, row_of: dict[str, int], cutoffs: tuple[int, ...] = CUTOFFS) -> dict[int, float]:
        """Return cutoff -> recall x 100.

        Raises:
            UserError: an embedding that is not finite.
        """
        return _recalls_at(list(self._ranks(embeddings, row_of)), cutoffs)

    def _ranks(self, embeddings: np.ndarray, row_of: dict[str, int]) -> Iterator[_Rank]:
        """Yield the rank of each query's partner."""
        import numpy as np

        if not np.isfinite(embeddings[sorted({row_of[text] for text in self.sentences()})]).all():
            raise UserError("the model gives embeddings that are not finite (NaN or infinity); it cannot be scored")
        unit = unit_rows(embeddings)
        copies = np.bincount([row_of[text] for text in self.sentences()], minlength=len(embeddings))
        queries = self.queries()
        cosines = unit[[row_of[query] for query, _ in queries]] @ unit.T  # (queries, distinct)
        for (query, partner), row in zip(queries, cosines, strict=True):
            others = copies.copy()
            others[row_of[query]] -= 1
            yield _rank_of(row, others, row_of[partner])


class _Rank(NamedTuple):
    """The number of sentences ranked above a partner, of those tied with it (itself included), and of ties with its text."""

    above: int
    level: int
    copies: int


def _rank_of(cosines: np.ndarray, copies: np.ndarray, partner: int) -> _Rank:
    import numpy as np

    level = np.isclose(cosines, cosines[partner], rtol=0.0, atol=1e-12)
    above = int(copies[(cosines > cosines[partner]) & ~level].sum())
    return _Rank(above, int(copies[level].sum()), int(copies[partner]))


def _recalls_at(ranked: Sequence[_Rank], cutoffs: Sequence[int]) -> dict[int, float]:
    return {cutoff: 100 * sum(_expected_hit(rank, cutoff) for rank in ranked) / len(ranked) for cutoff in cutoffs}


def _expected_hit(rank: _Rank, cutoff: int) -> float:
    """Probability that the first `cutoff` ranks contain the partner's text, with ties in random order."""
    free = min(cutoff - rank.above, rank.level)
    return 1 - comb(rank.level - rank.copies, free) / comb(rank.level, free) if free > 0 else 0.0


TASKS.add("STSB-retrieval", RetrievalTask(), __name__)
