from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from augcse.augmentations.rules.corpus.term_replacement.wheel import Wheel

WEIGHTS = st.lists(st.one_of(st.just(0.0), st.floats(1e-6, 1e3)), min_size=1, max_size=12)
HIGHEST = 1 - 2**-53


def _draw(wheel: Wheel, numbers: list[float], low: int, high: int, without: int = -1) -> list[int]:
    """One draw per random number, all from one window."""
    return wheel.draw(np.array(numbers), *(np.full(len(numbers), value) for value in (low, high, without))).tolist()


def _grid(steps: int) -> list[float]:
    """Evenly spaced in place of random numbers: counts of draws are then exact shares, off by less than one step."""
    return [step / steps for step in range(steps)]


@given(WEIGHTS, st.data())
def test_shares_in_any_window_are_the_brute_force_ones(weights: list[float], data: st.DataObject) -> None:
    low = data.draw(st.integers(0, len(weights) - 1))
    high = data.draw(st.integers(low + 1, len(weights)))
    without = data.draw(st.integers(-1, len(weights) - 1))
    allowed = {place: weights[place] for place in range(low, high) if place != without and weights[place] > 0}
    assume(allowed)
    steps, total = 2000, sum(allowed.values())
    counts = Counter(_draw(Wheel(np.array(weights)), _grid(steps), low, high, without))
    assert set(counts) <= set(allowed)
    for place, weight in allowed.items():
        assert abs(counts[place] - steps * weight / total) <= 1.01


def test_a_huge_weight_outside_the_window_costs_no_accuracy_inside() -> None:
    wheel = Wheel(np.array([1e9, 1.0, 3.0, 1e9]))
    assert Counter(_draw(wheel, _grid(4000), 1, 3))[2] == pytest.approx(3000, abs=2)


def test_the_highest_random_number_stays_inside() -> None:
    wheel = Wheel(np.random.default_rng(0).random(1000))
    assert _draw(wheel, [HIGHEST], 0, 1000) == [999]
    assert _draw(wheel, [HIGHEST], 10, 20, 19) == [18]
    assert wheel.draw_one(HIGHEST) == 999


@pytest.mark.parametrize(("weights", "window"), [([], (0, 0)), ([0.0, 0.0], (0, 2)), ([1.0, 0.0], (1, 2)), ([0.0, 2.0], (0, 2, 1))])
def test_nothing_to_draw_is_minus_one(weights: list[float], window: tuple[int, ...]) -> None:
    assert _draw(Wheel(np.array(weights)), [0.5], *window) == [-1]


def test_each_draw_has_its_own_window() -> None:
    wheel = Wheel(np.array([1.0, 2.0, 3.0]))
    drawn = wheel.draw(np.array([0.5, 0.5, 0.5]), np.array([0, 1, 2]), np.array([1, 3, 3]), np.array([-1, 1, 2]))
    assert drawn.tolist() == [0, 2, -1]
