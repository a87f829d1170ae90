"""Geometry against loops over pairs, and closed forms."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt
import pytest

from augcse.analysis import geometry
from augcse.analysis.isomorphism import (
    condition_harmonic_mean,
    effective_condition_number,
    gromov_hausdorff,
    singular_value_gap,
)
from augcse.errors import UserError
from augcse.evaluation.pairs import Pairs

Array = npt.NDArray[np.float64]


@pytest.fixture
def cloud() -> Array:
    return np.random.default_rng(0).normal(size=(30, 6)) + 0.5


def unit(rows: Array) -> list[list[float]]:
    return [[value / math.sqrt(sum(other**2 for other in row)) for value in row] for row in rows.tolist()]


def squared_distance(a: list[float], b: list[float]) -> float:
    return sum((x - y) ** 2 for x, y in zip(a, b, strict=True))


def test_alignment_is_the_loop(cloud: Array) -> None:
    other = np.random.default_rng(1).normal(size=cloud.shape)
    naive = sum(squared_distance(a, b) for a, b in zip(unit(cloud), unit(other), strict=True)) / len(cloud)
    assert geometry.alignment(cloud, other) == pytest.approx(naive)


def test_uniformity_is_the_loop(cloud: Array, monkeypatch: pytest.MonkeyPatch) -> None:
    rows = unit(cloud)
    terms = [math.exp(-2 * squared_distance(a, b)) for i, a in enumerate(rows) for j, b in enumerate(rows) if i != j]
    naive = math.log(sum(terms) / len(terms))
    assert geometry.uniformity(cloud) == pytest.approx(naive)
    monkeypatch.setattr(geometry, "_BLOCK_ROWS", 7)
    assert geometry.uniformity(cloud) == pytest.approx(naive)


def test_anisotropy_is_the_mean_cosine_of_the_loop(cloud: Array) -> None:
    rows = unit(cloud)
    cosines = [sum(x * y for x, y in zip(a, b, strict=True)) for i, a in enumerate(rows) for j, b in enumerate(rows) if i != j]
    assert geometry.anisotropy(cloud) == pytest.approx(sum(cosines) / len(cosines))


def test_isotropy_is_the_loop_over_eigenvectors(cloud: Array) -> None:
    rows = np.array(unit(cloud))
    _, vectors = np.linalg.eigh(rows.T @ rows)
    partitions = [sum(math.exp(sign * float(row @ vectors[:, k])) for row in rows) for k in range(6) for sign in (1, -1)]
    assert geometry.isotropy(cloud) == pytest.approx(min(partitions) / max(partitions))


def test_the_cross_polytope_is_isotropic_and_a_bundle_is_not() -> None:
    cross = np.concatenate([np.eye(4), -np.eye(4)])
    assert geometry.isotropy(cross) == pytest.approx(1.0)
    assert geometry.anisotropy(cross) == pytest.approx(-1 / 7)
    bundle = np.ones((5, 4))
    assert geometry.isotropy(bundle) == pytest.approx(math.exp(-2))
    assert geometry.anisotropy(bundle) == pytest.approx(1.0)
    assert geometry.alignment(bundle, bundle) == 0.0
    assert geometry.uniformity(bundle) == pytest.approx(0.0, abs=1e-12)
    assert geometry.top_component_shares(bundle) == [0.0] * 3


def test_top_components_share_the_variance() -> None:
    rows = np.array([[1.0, 0, 0], [-1, 0, 0], [0, 1, 0], [0, -1, 0], [1, 0, 0], [-1, 0, 0]])
    assert geometry.top_component_shares(rows) == pytest.approx([4 / 6, 2 / 6, 0])


def test_nothing_is_measured_on_vectors_without_direction(cloud: Array) -> None:
    cloud[3] = 0
    with pytest.raises(UserError, match=r"1 of 30 embeddings are zero"):
        geometry.uniformity(cloud)
    cloud[3] = np.nan
    with pytest.raises(UserError, match="not finite"):
        geometry.anisotropy(cloud)
    with pytest.raises(UserError, match="not finite"):
        singular_value_gap(cloud, cloud)


def test_positive_pairs_are_those_graded_four_or_more() -> None:
    pairs = Pairs([5.0, 3.9, 4.0], ["a", "b", "a"], ["c", "d", "e"])
    assert geometry.positive_pairs(pairs) == (["a", "a"], ["c", "e"], ["a", "b", "c", "d", "e"])
    with pytest.raises(UserError, match="no pair is graded 6"):
        geometry.positive_pairs(pairs, 6)


def test_describe_puts_the_figures_together(cloud: Array) -> None:
    names = [f"s{row}" for row in range(30)]
    row_of = {name: row for row, name in enumerate(names)}
    pairs = Pairs([5.0] * 5 + [1.0] * 10, names[:15], names[15:])
    figures = geometry.describe(pairs, cloud, row_of)
    assert figures["alignment"] == geometry.alignment(cloud[:5], cloud[15:20])
    assert figures["uniformity"] == geometry.uniformity(cloud)


def test_svg_and_cond_hm_follow_their_sums(cloud: Array) -> None:
    other = np.random.default_rng(2).normal(size=(40, 6))
    first, second = np.linalg.svd(cloud, compute_uv=False).tolist(), np.linalg.svd(other, compute_uv=False).tolist()
    assert singular_value_gap(cloud, other) == pytest.approx(
        sum((math.log(a) - math.log(b)) ** 2 for a, b in zip(first, second, strict=True))
    )

    def condition(values: list[float]) -> float:
        shares = [value / sum(values) for value in values]
        rank = math.floor(math.exp(-sum(share * math.log(share) for share in shares)))
        return values[0] / values[rank - 1]

    a, b = condition(first), condition(second)
    assert condition_harmonic_mean(cloud, other) == pytest.approx(2 / (1 / a + 1 / b))


def test_closed_forms_of_the_spectral_measures() -> None:
    assert effective_condition_number(np.eye(5)) == 1.0
    # One direction alone: the effective rank is 1.
    assert effective_condition_number(np.outer(np.arange(1.0, 6), np.ones(4))) == 1.0
    assert singular_value_gap(np.eye(3), math.e * np.eye(3)) == pytest.approx(3.0)
    with pytest.raises(UserError, match="singular values"):
        singular_value_gap(np.eye(3), np.eye(4))


def test_gromov_hausdorff_sees_shape_and_not_place() -> None:
    points = np.random.default_rng(3).normal(size=(25, 3))
    rotation, _ = np.linalg.qr(np.random.default_rng(4).normal(size=(3, 3)))
    generator = np.random.default_rng(0)
    moved = gromov_hausdorff(points, points @ rotation + 7, generator, sample=25)
    assert (moved.h0, moved.h1) == pytest.approx((0, 0), abs=1e-9)
    stretched = gromov_hausdorff(points, 3 * points, generator, sample=25)
    assert stretched.distance == max(stretched.h0, stretched.h1) > 0.1


def test_gromov_hausdorff_samples_with_the_generator_given() -> None:
    cloud = np.random.default_rng(5).normal(size=(60, 4))
    other = np.random.default_rng(6).normal(size=(70, 4))
    results = [gromov_hausdorff(cloud, other, np.random.default_rng(seed), sample=20) for seed in (1, 1, 2)]
    assert results[0] == results[1] != results[2]
    with pytest.raises(UserError, match="a sample of 61 points"):
        gromov_hausdorff(cloud, other, np.random.default_rng(0), sample=61)
