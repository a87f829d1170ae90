"""The maths of the post-processing steps against loops and definitions, and how steps are written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from augcse.encoding.components import component_removal
from augcse.encoding.sif import token_counts, token_weights
from augcse.encoding.step import STEPS, parse_step, parse_steps
from augcse.encoding.whitening import oracle_approximating_shrinkage, whitening_transform
from augcse.errors import UserError


def drawn(rows: int, dim: int, seed: int = 0) -> np.ndarray:
    generator = np.random.default_rng(seed)
    return generator.normal(size=(rows, dim)) @ generator.normal(size=(dim, dim)) + 5 * generator.normal(size=dim)


@pytest.mark.parametrize(("rows", "dim"), [(40, 5), (6, 9), (2, 4), (300, 3)])
def test_shrinkage_is_the_formula_of_the_paper(rows: int, dim: int) -> None:
    data = drawn(rows, dim)
    covariance = [[0.0] * dim for _ in range(dim)]
    means = [sum(row[i] for row in data) / rows for i in range(dim)]
    for row in data:
        for i in range(dim):
            for j in range(dim):
                covariance[i][j] += (row[i] - means[i]) * (row[j] - means[j]) / rows
    trace = sum(covariance[i][i] for i in range(dim))
    trace_of_square = sum(covariance[i][j] * covariance[j][i] for i in range(dim) for j in range(dim))
    numerator = (1 - 2 / dim) * trace_of_square + trace**2
    denominator = (rows + 1 - 2 / dim) * (trace_of_square - trace**2 / dim)
    assert oracle_approximating_shrinkage(data) == pytest.approx(min(1.0, numerator / denominator))


def test_shrinkage_is_near_sklearns_which_leaves_two_over_dim_out() -> None:
    from sklearn.covariance import OAS

    data = drawn(200, 60)
    assert oracle_approximating_shrinkage(data) == pytest.approx(OAS().fit(data).shrinkage_, rel=0.1)


@settings(max_examples=25)
@given(st.integers(2, 40), st.integers(2, 8), st.integers(0, 99))
def test_shrinkage_is_a_share_and_knows_no_scale_and_no_rotation(rows: int, dim: int, seed: int) -> None:
    data = drawn(rows, dim, seed)
    share = oracle_approximating_shrinkage(data)
    rotation = np.linalg.qr(np.random.default_rng(seed).normal(size=(dim, dim)))[0]
    assert 0 < share <= 1
    assert oracle_approximating_shrinkage(3 * data @ rotation + 7) == pytest.approx(share, rel=1e-6)


def test_few_sentences_are_shrunk_more_and_one_spread_in_all_directions_wholly() -> None:
    shares = [oracle_approximating_shrinkage(drawn(400, 20)[:rows]) for rows in (10, 40, 400)]
    assert shares == sorted(shares, reverse=True)
    assert oracle_approximating_shrinkage(np.concatenate([np.eye(4), -np.eye(4)])) == 1.0


@pytest.mark.parametrize("exponent", [0.0, 0.3, 1.0])
def test_the_exponent_says_how_far_variances_are_made_equal(exponent: float) -> None:
    data = drawn(500, 6)
    weight, bias = whitening_transform(data, exponent=exponent)
    covariance = np.cov((data @ weight.T + bias).T, bias=True)
    before = np.sort(np.linalg.eigvalsh(np.cov(data.T, bias=True)))[::-1]
    assert np.diag(covariance) == pytest.approx(before ** (1 - exponent))
    assert covariance - np.diag(np.diag(covariance)) == pytest.approx(np.zeros((6, 6)), abs=1e-8)


def test_exponent_0_keeps_every_distance() -> None:
    data = drawn(50, 6)
    weight, bias = whitening_transform(data, exponent=0.0)
    turned = data @ weight.T + bias
    assert np.linalg.norm(turned[:25] - turned[25:], axis=1) == pytest.approx(np.linalg.norm(data[:25] - data[25:], axis=1))


def test_whole_shrinkage_only_centres_and_turns_and_scales_all_alike() -> None:
    data = drawn(50, 6)
    weight, _ = whitening_transform(data, shrinkage=1.0)
    gram = weight @ weight.T
    assert gram == pytest.approx(np.eye(6) * gram[0, 0], abs=1e-10)


@pytest.mark.parametrize("rows", [2, 5, 12])
def test_with_shrinkage_fewer_sentences_than_dimensions_keep_them_all(rows: int) -> None:
    data = drawn(rows, 12)
    weight, _ = whitening_transform(data, shrinkage=0.5)
    assert weight.shape == (12, 12)
    mixed = 0.5 * np.cov(data.T, bias=True) + 0.5 * np.eye(12) * np.trace(np.cov(data.T, bias=True)) / 12
    assert weight @ mixed @ weight.T == pytest.approx(np.eye(12), abs=1e-8)
    assert whitening_transform(data)[0].shape[0] < rows + 1


def naive_removal(data: np.ndarray, k: int, centre: bool) -> np.ndarray:
    """Find each component by power iteration, and take it out row by row."""
    rows = data - data.mean(axis=0) if centre else data.copy()
    for _ in range(k):
        direction = np.ones(rows.shape[1])
        for _ in range(3000):
            direction = rows.T @ (rows @ direction)
            direction /= np.linalg.norm(direction)
        rows = np.array([row - (row @ direction) * direction for row in rows])
    return rows


@pytest.mark.parametrize("centre", [False, True])
@pytest.mark.parametrize("k", [1, 2])
def test_components_are_removed_as_by_power_iteration(k: int, centre: bool) -> None:
    data = drawn(60, 5)
    weight, bias, share = component_removal(data, k, centre)
    found = data @ weight.T + bias
    assert found == pytest.approx(naive_removal(data, k, centre), abs=1e-6)
    centred = data - data.mean(axis=0) * centre
    assert share == pytest.approx(1 - (found**2).sum() / (centred**2).sum())


def test_removing_twice_changes_nothing() -> None:
    weight, _, _ = component_removal(drawn(60, 5), 2)
    assert weight @ weight == pytest.approx(weight, abs=1e-12)
    assert np.linalg.matrix_rank(weight) == 3


@pytest.mark.parametrize(("rows", "k", "message"), [(60, 5, "give 1 to 4"), (2, 2, "give 3 or more, or a smaller k")])
def test_more_components_than_there_can_be_are_refused(rows: int, k: int, message: str) -> None:
    with pytest.raises(UserError, match=message):
        component_removal(drawn(rows, 5), k)


def test_tokens_are_counted_under_the_mask() -> None:
    ids = np.array([[1, 4, 4, 2], [1, 3, 2, 0]])
    mask = np.array([[1, 1, 1, 1], [1, 1, 1, 0]])
    assert token_counts([(ids, mask)], 6, [1, 2]).tolist() == [0, 0, 0, 1, 2, 0]
    assert token_counts([(ids, mask), (ids, mask)], 6).tolist() == [0, 4, 4, 2, 4, 0]


def test_weights_are_the_papers() -> None:
    weights = token_weights(np.array([0, 0, 1, 3, 0]), 0.5, [0])
    assert weights.tolist() == [0.0, 1.0, 0.5 / (0.5 + 0.25), 0.5 / (0.5 + 0.75), 1.0]


def test_options_are_read_with_commas_or_colons_and_defaults_are_filled_in() -> None:
    one, other = parse_step("whiten:exponent=0.5,dim=8"), parse_step(" whiten:exponent=0.5:dim=8 ")
    assert one.options == other.options == {"exponent": 0.5, "dim": 8, "shrinkage": "oas"}
    assert parse_step("whiten").options == {"exponent": 1.0, "dim": None, "shrinkage": "oas"}


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["wihten"], "unknown step 'wihten'; did you mean whiten"),
        ([""], "unknown step ''"),
        (["whiten:dims=3"], "unknown option of whiten 'dims'; did you mean dim"),
        (["whiten:dim"], "'dim' has no value; write whiten:option=value"),
        (["whiten:dim=2,dim=3"], "dim is given twice"),
        (["whiten:dim=0"], "whiten: dim is 0; give a whole number from 1"),
        (["whiten:exponent=nan"], "exponent is nan"),
        (["sif:a=-1"], "sif: a is -1"),
        (["whiten", "sif"], "give sif first"),
        (["sif", "sif"], "give sif first"),
        (["sif", "layers"], "give layers first"),
        (["layers", "layers"], "give layers first"),
        (["layers", "whiten", "sif"], "give sif first"),
    ],
)
def test_what_no_step_takes_is_refused(texts: list[str], message: str) -> None:
    with pytest.raises(UserError, match=message):
        parse_steps(texts)


@pytest.mark.parametrize("name", STEPS.names())
def test_every_step_says_what_it_is(name: str) -> None:
    card = STEPS.get(name).card()
    assert card["description"].endswith(".")
    assert card["source"]
    assert card["options"]
    assert all(option["allowed"] not in ("", "anything") for option in card["options"])
