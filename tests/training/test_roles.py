"""Roles and labels: who is a positive, by meaning or by scores."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.errors import UserError
from augcse.sections import AugmentationSection
from augcse.training.store.roles import Calibration, Roles, label_by_meaning, label_by_scores

KEEPS, MAYBE, ALTERS = "ContractionExpansions", "RandomSwap", "SentenceAdjectivesAntonymsSwitch"


@pytest.mark.parametrize(
    ("method", "expected"), [("pessimistic", [True, False, False]), ("optimistic", [True, True, False]), ("lm_uniform", [None] * 3)]
)
def test_label_by_meaning(method: str, expected: list[bool | None]) -> None:
    meanings = ("highly_preserving", "possible_alteration", "alteration")
    assert [label_by_meaning(meaning, method) for meaning in meanings] == expected  # type: ignore[arg-type]


def _roles(**named: Any) -> Roles:
    return Roles(AugmentationSection(**named))


def test_a_role_wins_over_the_meaning() -> None:
    roles = _roles(positives=(ALTERS,), negatives=(KEEPS,), neutral=(MAYBE,), label_method="lm_uniform")
    assert [roles.is_positive(name) for name in (ALTERS, KEEPS, MAYBE)] == [True, False, None]


def test_neutral_ones_join_the_role_that_their_label_gives_them() -> None:
    roles = _roles(positives=("GenderSwap",), negatives=("RandomDeletion",), neutral=(KEEPS, MAYBE))
    assert list(roles.pools(positive=True)) == [("GenderSwap", KEEPS)]
    assert list(roles.pools(positive=False)) == [("RandomDeletion", MAYBE)]
    assert list(_roles().pools(positive=True)) == []


def test_neutral_ones_in_doubt_are_tried_before_the_sure_ones() -> None:
    roles = _roles(positives=("GenderSwap",), neutral=(MAYBE,), label_method="lm_uniform")
    assert list(roles.pools(positive=True)) == [("GenderSwap", MAYBE), ("GenderSwap",)]
    assert list(roles.pools(positive=False)) == [(MAYBE,)]


@pytest.mark.parametrize(
    ("roles", "message"),
    [
        (_roles(positives=(MAYBE,), negatives=(MAYBE,)), "is named twice"),
        (_roles(neutral=("RandomSwop",)), "did you mean RandomSwap"),
    ],
)
def test_roles_that_cannot_be_are_refused(roles: Roles, message: str) -> None:
    with pytest.raises(UserError, match=message):
        roles.check()


FINITE = st.floats(0.1, 1e4)


@settings(max_examples=80)
@given(
    st.lists(st.tuples(FINITE, FINITE, st.floats(-1, 1)), min_size=1, max_size=8),
    st.floats(0, 3),
    st.floats(0, 3),
    st.tuples(st.floats(0, 100), st.floats(-1, 1), st.floats(0, 1)),
)
def test_label_by_scores_is_the_rule_row_by_row(
    rows: list[tuple[float, float, float]], ppl_scale: float, sim_scale: float, usual: tuple[float, float, float]
) -> None:
    calibration = Calibration(*usual)
    before, after, similarity = (np.array(column) for column in zip(*rows, strict=True))
    found = label_by_scores(before, after, similarity, calibration, ppl_scale, sim_scale)
    for (old, new, near), positive in zip(rows, found.tolist(), strict=True):
        reads_worse = new - old > ppl_scale * usual[0]
        far = near - usual[1] < sim_scale * usual[2]
        assert positive == (not reads_worse and not far)


def test_calibration_is_of_the_sample() -> None:
    calibration = Calibration.of(np.array([1.0, 3.0]), np.array([0.0, 0.5, 1.0]))
    assert calibration == Calibration(1.0, 0.5, pytest.approx(math.sqrt(1 / 6)))
    with pytest.raises(UserError, match="at least two"):
        Calibration.of(np.array([1.0]), np.array([]))
