"""The samples that a score was computed from: resampled for an interval, or together with another model's for a comparison."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from augcse.evaluation.bootstrap import (
    Comparison,
    compare_draws,
    correlation_draws,
    mean_draws,
    paired_draws,
    paired_share_draws,
)
from augcse.rng import derive_seed

Array = npt.NDArray[Any]
# For the interval of every score; `augcse analyze` takes --resamples.
RESAMPLES = 1000


class ScoredSample(Protocol):
    """The pairs or rows that a model was scored on, with its predictions. Draws are x 100, (resamples,).

    Equal generators draw the same pairs or rows for every model, so that two models' `draws` may be subtracted from each other.
    """

    def draws(self, generator: np.random.Generator, resamples: int) -> Array:
        """Return the score of each resample."""
        ...

    def differences(self, other: Self, generator: np.random.Generator, resamples: int) -> tuple[float, Array]:
        """Return the score of `other`, a second model on the same pairs or rows, minus this one's: on all of them, and on each resample."""
        ...


@dataclass(frozen=True)
class Measured:
    """The metrics of a task x 100, the main score first, and the samples that the main score was computed from."""

    figures: Mapping[str, float]
    sample: ScoredSample

    @property
    def score(self) -> float:
        """The main score x 100."""
        return float(next(iter(self.figures.values())))


@dataclass(frozen=True)
class PairSample:
    """Cosines and grades of the same pairs, both (pairs,): the score is their Spearman correlation."""

    cosines: Array
    gold: Array

    def draws(self, generator: np.random.Generator, resamples: int) -> Array:
        """Return the correlations of the resampled pairs."""
        return correlation_draws(self.cosines, self.gold, generator, resamples)

    def differences(self, other: PairSample, generator: np.random.Generator, resamples: int) -> tuple[float, Array]:
        """Compare the second model's cosines to these, on the same resamples of the pairs."""
        return paired_draws(self.cosines, other.cosines, self.gold, generator, resamples)


@dataclass(frozen=True)
class RowSample:
    """Whether each test row was classified correctly, (rows,) bool: the score is their share."""

    correct: Array

    def draws(self, generator: np.random.Generator, resamples: int) -> Array:
        """Return the accuracies of the resampled rows."""
        return mean_draws(self.correct, generator, resamples)

    def differences(self, other: RowSample, generator: np.random.Generator, resamples: int) -> tuple[float, Array]:
        """Compare the second model's accuracy to this one, on the same resamples of the rows."""
        return paired_share_draws(self.correct, other.correct, generator, resamples)


@dataclass(frozen=True)
class MeanSample:
    """A value of each row, query or comparison, (rows,): the score is their mean.

    Used for development accuracies too, where a row is held out several times. The classifiers are not trained again on a resample: only
    the rows that they are measured on are drawn again.
    """

    values: Array

    def draws(self, generator: np.random.Generator, resamples: int) -> Array:
        """Return the means of the resampled rows."""
        return mean_draws(self.values, generator, resamples)

    def differences(self, other: MeanSample, generator: np.random.Generator, resamples: int) -> tuple[float, Array]:
        """Compare the second model's mean to this one, on the same resamples of the rows."""
        difference = other.values - self.values
        return 100 * float(difference.mean()), mean_draws(difference, generator, resamples)


@dataclass(frozen=True)
class WeightedSample:
    """The samples of several tasks with their weights: the score is the weighted sum. Tasks are resampled independently."""

    parts: tuple[tuple[float, ScoredSample], ...]

    def draws(self, generator: np.random.Generator, resamples: int) -> Array:
        """Return the weighted sums of the tasks' resamples."""
        total: Array = np.sum([weight * sample.draws(generator, resamples) for weight, sample in self.parts], axis=0)
        return total

    def differences(self, other: WeightedSample, generator: np.random.Generator, resamples: int) -> tuple[float, Array]:
        """Compare the second model's weighted sum to this one, on the same resamples of every task."""
        weighted = [
            (weight, *mine.differences(theirs, generator, resamples))
            for (weight, mine), (_, theirs) in zip(self.parts, other.parts, strict=True)
        ]
        difference = sum(weight * on_all_rows for weight, on_all_rows, _ in weighted)
        return difference, np.sum([weight * draws for weight, _, draws in weighted], axis=0)


def compared(first: ScoredSample, second: ScoredSample, generator: np.random.Generator, resamples: int) -> Comparison:
    """Compare two models on the same resamples: the score x 100 of the second minus that of the first."""
    return compare_draws(*first.differences(second, generator, resamples))


def bootstrap_generator(seed: int, task: str) -> np.random.Generator:
    """Return the generator of a task's resamples: one per task, so that intervals do not depend on other tasks."""
    return np.random.default_rng(derive_seed(seed, "bootstrap", task))
