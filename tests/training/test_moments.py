"""After which steps a run is scored: eight times at least, equally apart, as often as stated in long runs."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.config import load_recipe
from augcse.sections import TrainingSection
from augcse.training.moments import MIN_EVALUATIONS, scored_steps


def _steps(total: int, **settings: Any) -> list[int]:
    return sorted(scored_steps(total, TrainingSection(learning_rate=1e-4, batch_size=2, **settings)))


@given(total=st.integers(1, 30_000), longest=st.integers(1, 2_000))
def test_there_are_eight_moments_or_all_steps_and_none_is_far_from_the_next(total: int, longest: int) -> None:
    steps = _steps(total, longest_eval_interval_steps=longest)
    gaps = [after - before for before, after in pairwise([0, *steps])]
    assert len(steps) >= min(MIN_EVALUATIONS, total)
    assert steps[-1] == total
    assert max(gaps) <= longest
    # Equal but for rounding; of a long run the last gap is what is left.
    assert max(gaps[:-1], default=0) - min(gaps[:-1], default=0) <= 1


@given(total=st.integers(1, 2_000), every=st.integers(1, 2_500))
def test_what_is_stated_is_meant(total: int, every: int) -> None:
    assert _steps(total, eval_every_steps=every) == sorted({*range(every, total + 1, every), total})


def test_a_run_of_a_paper_is_scored_as_published_and_a_short_one_oftener() -> None:
    recipe = load_recipe("simcse-bert").training
    assert sorted(scored_steps(15_625, recipe)) == list(range(125, 15_626, 125))
    assert sorted(scored_steps(93, recipe)) == [12, 24, 35, 47, 59, 70, 82, 93]


@pytest.mark.parametrize("recipe", ["simcse-mini", "augcse-mini"])
def test_a_mini_recipe_leaves_the_moments_to_the_length_of_the_run(recipe: str) -> None:
    assert sorted(scored_steps(400, load_recipe(recipe).training)) == list(range(50, 401, 50))
