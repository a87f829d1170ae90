"""What a score was computed from: drawn again for an interval, and beside another model's for a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from augcse.evaluation.bootstrap import Comparison, Interval, bootstrap_interval, paired_accuracies, paired_bootstrap, share_interval
from augcse.rng import derive_seed

Array = npt.NDArray[Any]
# Of the interval beside every score; `augcse analyze` takes --resamples.
RESAMPLES = 1000


class Sample(Protocol):
    """The pairs or rows that one model was scored on, with what it made of them."""

    def interval(self, generator: np.random.Generator, resamples: int) -> Interval:
        """Return the percentile interval of the score x 100."""
        ...

    def compared(self, other: Self, generator: np.random.Generator, resamples: int) -> Comparison:
        """Compare `other`, the second model on the same pairs or rows, to this one."""
        ...


@dataclass(frozen=True)
class Measured:
    """The figures of a task x 100, the main score first, and what that one was computed from; None where it was not kept."""

    figures: Mapping[str, float]
    sample: Sample | None


@dataclass(frozen=True)
class PairSample:
    """Cosines and grades of the same pairs, both (pairs,): the score is their Spearman correlation."""

    cosines: Array
    gold: Array

    def interval(self, generator: np.random.Generator, resamples: int) -> Interval:
        """Return the percentile interval of the correlation x 100."""
        return bootstrap_interval(self.cosines, self.gold, generator, resamples=resamples)

    def compared(self, other: PairSample, generator: np.random.Generator, resamples: int) -> Comparison:
        """Compare the second model's cosines to these, on the same resamples of the pairs."""
        return paired_bootstrap(self.cosines, other.cosines, self.gold, generator, resamples=resamples)


@dataclass(frozen=True)
class RowSample:
    """Whether the class of each test row was found, (rows,) truth values: the score is their share."""

    correct: Array

    def interval(self, generator: np.random.Generator, resamples: int) -> Interval:
        """Return the percentile interval of the accuracy x 100."""
        return share_interval(self.correct, generator, resamples=resamples)

    def compared(self, other: RowSample, generator: np.random.Generator, resamples: int) -> Comparison:
        """Compare the second model's accuracy to this one, on the same resamples of the rows."""
        return paired_accuracies(self.correct, other.correct, generator, resamples=resamples)


def bootstrap_generator(seed: int, task: str) -> np.random.Generator:
    """Return the generator of a task's resamples: a stream of its own, so that no task's interval depends on another's."""
    return np.random.default_rng(derive_seed(seed, "bootstrap", task))
