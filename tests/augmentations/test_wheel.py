from __future__ import annotations

from collections import Counter
from random import Random

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from augcse.augmentations.wheel import Wheel

WEIGHTS = st.lists(st.one_of(st.just(0.0), st.floats(1e-6, 1e3)), min_size=1, max_size=12)


class Grid(Random):
    """Gives 0/n, 1/n, 2/n, ... in place of random numbers: counts of draws are then exact shares, off by less than one step each end."""

    def __init__(self, steps: int) -> None:
        super().__init__(0)
        self._values = iter([step / steps for step in range(steps)])

    def random(self) -> float:
        return next(self._values)


@given(WEIGHTS, st.data())
def test_shares_in_any_window_are_the_brute_force_ones(weights: list[float], data: st.DataObject) -> None:
    low = data.draw(st.integers(0, len(weights) - 1))
    high = data.draw(st.integers(low + 1, len(weights)))
    without = data.draw(st.none() | st.integers(0, len(weights) - 1))
    allowed = {place: weights[place] for place in range(low, high) if place != without and weights[place] > 0}
    assume(allowed)
    wheel, steps, total = Wheel(np.array(weights)), 2000, sum(allowed.values())
    rng = Grid(steps)
    counts = Counter(wheel.draw(rng, low, high, without) for _ in range(steps))
    assert set(counts) <= set(allowed)
    for place, weight in allowed.items():
        assert abs(counts[place] - steps * weight / total) <= 1.01


def test_a_huge_weight_outside_the_window_costs_no_accuracy_inside() -> None:
    wheel = Wheel(np.array([1e9, 1.0, 3.0, 1e9]))
    rng = Grid(4000)
    assert Counter(wheel.draw(rng, 1, 3) for _ in range(4000))[2] == pytest.approx(3000, abs=2)


def test_the_highest_random_number_stays_inside() -> None:
    class Highest(Random):
        def random(self) -> float:
            return 1 - 2**-53

    weights = np.random.default_rng(0).random(1000)
    wheel = Wheel(weights)
    assert wheel.draw(Highest()) == 999
    assert wheel.draw(Highest(), 10, 20, without=19) == 18


@pytest.mark.parametrize(("weights", "window"), [([], (0, 0)), ([0.0, 0.0], (0, 2)), ([1.0, 0.0], (1, 2))])
def test_nothing_to_draw_is_none(weights: list[float], window: tuple[int, int]) -> None:
    assert Wheel(np.array(weights)).draw(Random(0), *window) is None


def test_the_only_place_excluded_is_none() -> None:
    assert Wheel(np.array([0.0, 2.0])).draw(Random(0), without=1) is None
