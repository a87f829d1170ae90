"""The vectorised bootstrap against scipy on drawn pairs, and its coverage."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from augcse.errors import UserError
from augcse.evaluation import bootstrap
from augcse.evaluation.bootstrap import bootstrap_interval, resampled_pearson, resampled_spearman
from augcse.evaluation.metrics import spearman
from augcse.evaluation.precision import expected_interval
from augcse.evaluation.samples import PairSample, RowSample, compared


@given(st.integers(0, 10_000), st.integers(3, 30), st.booleans())
def test_correlations_of_a_resample_are_scipys_on_the_drawn_pairs(seed: int, pairs: int, tied: bool) -> None:
    generator = np.random.default_rng(seed)
    predicted, gold = generator.normal(size=pairs), generator.integers(0, 5 if tied else 10**6, pairs).astype(float)
    drawn = generator.integers(pairs, size=pairs)
    counts = np.bincount(drawn, minlength=pairs)[None]
    if len(set(predicted[drawn])) > 1 and len(set(gold[drawn])) > 1:
        assert resampled_spearman(counts, predicted, gold)[0] == pytest.approx(stats.spearmanr(predicted[drawn], gold[drawn]).statistic)
        assert resampled_pearson(counts, predicted, gold)[0] == pytest.approx(stats.pearsonr(predicted[drawn], gold[drawn]).statistic)


def test_a_resample_without_spread_counts_as_zero() -> None:
    counts = np.array([[4, 0, 0, 0], [1, 1, 1, 1]])
    assert resampled_spearman(counts, np.arange(4.0), np.arange(4.0)).tolist() == pytest.approx([0.0, 1.0])
    assert resampled_pearson(counts, np.full(4, 0.1), np.arange(4.0)).tolist() == [0.0, 0.0]


def test_interval_is_the_percentiles_of_a_loop_over_resamples(monkeypatch: pytest.MonkeyPatch) -> None:
    generator = np.random.default_rng(0)
    gold = generator.integers(0, 6, 50)
    predicted = gold + generator.normal(size=50)
    draws = np.random.default_rng(7).integers(50, size=(200, 50))
    loop = [100 * stats.spearmanr(predicted[row], gold[row]).statistic for row in draws]
    found = bootstrap_interval(predicted, gold, np.random.default_rng(7), resamples=200, level=0.9)
    assert (found.low, found.high) == pytest.approx(np.quantile(loop, [0.05, 0.95]))
    # The blocks that bound memory do not change what is drawn.
    monkeypatch.setattr(bootstrap, "_BLOCK", 150)
    assert bootstrap_interval(predicted, gold, np.random.default_rng(7), resamples=200, level=0.9).low == pytest.approx(found.low)


def test_the_interval_covers_the_truth_about_as_often_as_it_says() -> None:
    generator = np.random.default_rng(0)
    truth = 6 / np.pi * np.arcsin(0.6 / 2)
    covered = 0
    for _ in range(200):
        gold, noise = generator.normal(size=(2, 150))
        interval = bootstrap_interval(0.6 * gold + 0.8 * noise, gold, generator, resamples=200)
        covered += interval.low <= 100 * truth <= interval.high
    assert 178 <= covered <= 200


def test_equal_models_do_not_differ_and_p_is_one() -> None:
    gold, noise = np.random.default_rng(0).normal(size=(2, 100))
    model = PairSample(gold + noise, gold)
    comparison = compared(model, model, np.random.default_rng(1), 100)
    assert (comparison.difference, comparison.interval.low, comparison.interval.high, comparison.p_value) == (0, 0, 0, 1)


def test_a_better_model_is_better_and_pairing_sees_what_intervals_do_not() -> None:
    gold, noise = np.random.default_rng(0).normal(size=(2, 300))
    first, second = PairSample(gold + 1.1 * noise, gold), PairSample(gold + noise, gold)
    comparison = compared(first, second, np.random.default_rng(1), 1000)
    intervals = [bootstrap_interval(model.cosines, gold, np.random.default_rng(1)) for model in (first, second)]
    assert comparison.interval.low > 0
    assert comparison.p_value == pytest.approx(2 / 1001)
    assert intervals[0].high > intervals[1].low
    opposite = compared(second, first, np.random.default_rng(1), 1000)
    assert opposite.difference == pytest.approx(-comparison.difference)
    assert opposite.p_value == comparison.p_value


def test_differences_of_accuracies_have_the_intervals_of_a_loop_that_draws_rows() -> None:
    generator = np.random.default_rng(0)
    first, second = generator.random((2, 80)) < [[0.7], [0.8]]
    draws = generator.integers(80, size=(20_000, 80))
    differences = 100 * (second[draws].mean(axis=1) - first[draws].mean(axis=1))
    comparison = compared(RowSample(first), RowSample(second), np.random.default_rng(1), 20_000)
    assert comparison.difference == pytest.approx(100 * (second.mean() - first.mean()))
    # A row is worth 1.25 points.
    assert (comparison.interval.low, comparison.interval.high) == pytest.approx(np.quantile(differences, [0.025, 0.975]), abs=1.3)
    tail = min((differences <= 0).mean(), (differences >= 0).mean())
    assert comparison.p_value == pytest.approx(min(1, 2 * tail), abs=0.03)
    same = compared(RowSample(first), RowSample(first), np.random.default_rng(1), 1000)
    assert (same.difference, same.interval.low, same.interval.high, same.p_value) == (0, 0, 0, 1)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"resamples": 0}, "at least 1"), ({"level": 1.0}, "between 0 and 1"), ({"statistic": "kendall"}, "unknown correlation")],
)
def test_senseless_options_are_refused(options: dict[str, object], message: str) -> None:
    with pytest.raises(UserError, match=message):
        bootstrap_interval(np.arange(4.0), np.arange(4.0), np.random.default_rng(0), **options)


@pytest.mark.parametrize(("pairs", "correlation"), [(50, 0.5), (100, 0.7), (200, 0.85)])
def test_the_expected_interval_is_where_correlations_of_so_many_pairs_lie(pairs: int, correlation: float) -> None:
    generator = np.random.default_rng(0)
    # Pearson's correlation whose Spearman's is `correlation`, of normal values.
    mixed = 2 * np.sin(np.pi / 6 * correlation)
    gold, noise = generator.normal(size=(2, 2000, pairs))
    drawn = [100 * spearman(*row) for row in zip(mixed * gold + np.sqrt(1 - mixed**2) * noise, gold, strict=True)]
    assert expected_interval(100 * correlation, pairs) == pytest.approx(np.quantile(drawn, [0.025, 0.975]), abs=2.5)
