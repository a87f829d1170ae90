"""What scores are drawn again from: means of rows and weighted sums of tasks, against a loop over resamples."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.evaluation.interpolation import choose
from augcse.evaluation.samples import MeanSample, Measured, PairSample, RowSample, WeightedSample, compared
from augcse.sections import InterpolationSection

Array = npt.NDArray[Any]


def _shares(seed: int, rows: int = 60) -> tuple[Array, Array]:
    """The shares of four times that two models were right on each row."""
    first, second = np.random.default_rng(seed).integers(0, 5, size=(2, rows)) / 4
    return first, second


@given(st.integers(0, 1000))
def test_a_mean_is_compared_as_a_loop_that_draws_rows_compares_it(seed: int) -> None:
    first, second = _shares(seed)
    found, draws = MeanSample(first).differences(MeanSample(second), np.random.default_rng(seed), 5)
    # The same draws: a block of resamples is one call.
    rows = np.random.default_rng(seed).integers(60, size=(5, 60))
    assert found == pytest.approx(100 * (second.mean() - first.mean()))
    assert draws == pytest.approx(
        [100 * (np.mean([second[row] for row in drawn]) - np.mean([first[row] for row in drawn])) for drawn in rows]
    )
    assert MeanSample(first).draws(np.random.default_rng(seed), 5) == pytest.approx([100 * first[drawn].mean() for drawn in rows])


def test_of_truth_values_both_ways_to_draw_give_one_interval() -> None:
    first, second = np.random.default_rng(0).random((2, 300)) < [[0.7], [0.8]]
    ways = [
        compared(RowSample(first), RowSample(second), np.random.default_rng(1), 20_000).interval,
        compared(MeanSample(first.astype(float)), MeanSample(second.astype(float)), np.random.default_rng(1), 20_000).interval,
    ]
    # A row is worth a third of a point.
    assert (ways[0].low, ways[0].high) == pytest.approx((ways[1].low, ways[1].high), abs=0.4)


def test_a_model_does_not_differ_from_itself() -> None:
    sample = WeightedSample(((0.5, MeanSample(_shares(0)[0])), (2.0, PairSample(*np.random.default_rng(0).normal(size=(2, 50))))))
    same = compared(sample, sample, np.random.default_rng(0), 100)
    assert (same.difference, same.interval.low, same.interval.high, same.p_value) == (0, 0, 0, 1)


def test_a_weighted_sum_is_resampled_task_by_task() -> None:
    generator = np.random.default_rng(3)
    gold, cosines = generator.normal(size=40), generator.normal(size=(2, 40))
    shares, weights = _shares(1), (0.25, 1.5)
    models = [WeightedSample(((weights[0], MeanSample(shares[i])), (weights[1], PairSample(cosines[i], gold)))) for i in (0, 1)]
    found, draws = models[0].differences(models[1], np.random.default_rng(5), 50)
    shared = np.random.default_rng(5)
    parts = [
        MeanSample(shares[0]).differences(MeanSample(shares[1]), shared, 50),
        PairSample(cosines[0], gold).differences(PairSample(cosines[1], gold), shared, 50),
    ]
    assert found == pytest.approx(sum(weight * whole for weight, (whole, _) in zip(weights, parts, strict=True)))
    assert draws == pytest.approx(sum(weight * each for weight, (_, each) in zip(weights, parts, strict=True)))


def test_equal_generators_draw_the_same_rows_and_pairs_for_every_model() -> None:
    generator = np.random.default_rng(3)
    gold, cosines, right = generator.normal(size=40), generator.normal(size=(2, 40)), generator.random((2, 40)) < 0.7
    drawn = np.random.default_rng(5).integers(40, size=(6, 40))
    for kept in right:
        assert RowSample(kept).draws(np.random.default_rng(5), 6) == pytest.approx([100 * kept[rows].mean() for rows in drawn])
    first, second = (PairSample(each, gold) for each in cosines)
    apart = second.draws(np.random.default_rng(5), 6) - first.draws(np.random.default_rng(5), 6)
    assert apart == pytest.approx(first.differences(second, np.random.default_rng(5), 6)[1])


@pytest.mark.parametrize(("gained", "kept"), [(3, 0), (60, 1)], ids=["three rows of 400 may be chance", "sixty are not"])
def test_accuracies_too_are_kept_only_where_clearly_better(gained: int, kept: int) -> None:
    before = np.repeat([0.0, 1.0], 200)
    after = before.copy()
    after[:gained] = 1.0
    after[-2:] = 0.0
    models = [Measured({"dev": 100 * float(values.mean())}, MeanSample(values)) for values in (before, after)]
    assert models[1].figures["dev"] > models[0].figures["dev"]
    assert choose(2, models.__getitem__) == kept
    assert choose(2, models.__getitem__, section=InterpolationSection(choice="best")) == 1
