"""Persistence against Betti numbers by rank, the plain boundary reduction, and every matching of small diagrams."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from augcse.analysis.persistence import bottleneck_distance, rips_h0, rips_h1
from augcse.errors import UserError

Array = npt.NDArray[np.float64]


def random_distances(seed: int, count: int, ties: bool = False) -> Array:
    points = np.random.default_rng(seed).normal(size=(count, 2))
    distances = np.linalg.norm(points[:, None] - points[None], axis=2)
    return np.round(distances, 1) if ties else distances


def rank_over_two_elements(matrix: npt.NDArray[np.bool_]) -> int:
    matrix, rank = matrix.copy(), 0
    for column in range(matrix.shape[1]):
        rows = np.flatnonzero(matrix[rank:, column]) + rank
        if len(rows):
            matrix[[rank, rows[0]]] = matrix[[rows[0], rank]]
            for row in range(len(matrix)):
                if row != rank and matrix[row, column]:
                    matrix[row] ^= matrix[rank]
            rank += 1
    return rank


def betti_numbers(distances: Array, scale: float) -> tuple[int, int]:
    """Components and independent loops of the Rips complex at one scale, from ranks of its boundary matrices."""
    count = len(distances)
    edges = [pair for pair in combinations(range(count), 2) if distances[pair] <= scale]
    triangles = [t for t in combinations(range(count), 3) if all(pair in edges for pair in combinations(t, 2))]
    first = np.array([[point in edge for edge in edges] for point in range(count)], dtype=bool).reshape(count, len(edges))
    second = np.array([[set(edge) <= set(t) for t in triangles] for edge in edges], dtype=bool).reshape(len(edges), len(triangles))
    rank_first, rank_second = rank_over_two_elements(first), rank_over_two_elements(second)
    return count - rank_first, len(edges) - rank_first - rank_second


def naive_h1(distances: Array) -> list[tuple[float, float]]:
    """Reduce the boundary matrix of all simplices with sets, left to right."""
    count = len(distances)
    simplices = [frozenset(s) for size in (1, 2, 3) for s in combinations(range(count), size)]

    def born(simplex: frozenset[int]) -> float:
        return max((float(distances[pair]) for pair in combinations(sorted(simplex), 2)), default=0.0)

    simplices.sort(key=lambda simplex: (born(simplex), len(simplex), sorted(simplex)))
    place = {simplex: number for number, simplex in enumerate(simplices)}
    columns: dict[int, set[int]] = {}
    bars = []
    for simplex in simplices:
        column = {place[simplex - {point}] for point in simplex} if len(simplex) > 1 else set()
        while column and max(column) in columns:
            column ^= columns[max(column)]
        if column:
            columns[max(column)] = column
            birth, death = born(simplices[max(column)]), born(simplex)
            if len(simplex) == 3 and death > birth:
                bars.append((birth, death))
    return sorted(bars)


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("ties", [False, True])
def test_bars_alive_are_the_betti_numbers_at_every_scale(seed: int, ties: bool) -> None:
    distances = random_distances(seed, 8, ties)
    components, loops = rips_h0(distances), rips_h1(distances)
    for scale in np.unique(distances):
        alive_components = 1 + int((components[:, 1] > scale).sum())
        alive_loops = int(((loops[:, 0] <= scale) & (loops[:, 1] > scale)).sum())
        assert (alive_components, alive_loops) == betti_numbers(distances, scale)


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("ties", [False, True])
def test_loops_are_those_of_the_boundary_reduction(seed: int, ties: bool) -> None:
    distances = random_distances(100 + seed, 12, ties)
    assert [tuple(bar) for bar in rips_h1(distances).tolist()] == naive_h1(distances)


def test_h0_dies_at_single_linkage_heights() -> None:
    from scipy.cluster.hierarchy import linkage
    from scipy.spatial.distance import squareform

    distances = random_distances(3, 40)
    assert rips_h0(distances)[:, 1] == pytest.approx(np.sort(linkage(squareform(distances), "single")[:, 2]))


def test_a_circle_has_one_long_loop() -> None:
    angles = np.linspace(0, 2 * np.pi, 20, endpoint=False)
    points = np.column_stack([np.cos(angles), np.sin(angles)])
    bars = rips_h1(np.linalg.norm(points[:, None] - points[None], axis=2))
    assert len(bars) == 1
    # Born with the sides of the polygon, filled by its inscribed triangles: the shortest reaching round is 7, 7, 6 steps.
    assert bars[0] == pytest.approx([2 * np.sin(np.pi / 20), 2 * np.sin(7 * np.pi / 20)])


def test_too_many_points_for_loops_are_refused() -> None:
    with pytest.raises(UserError, match="at most 150"):
        rips_h1(np.zeros((151, 151)))


bars = st.lists(st.tuples(st.integers(0, 6), st.integers(1, 6)), max_size=4).map(
    lambda found: np.array([(birth, birth + length) for birth, length in found], dtype=float).reshape(-1, 2)
)


def naive_bottleneck(left: Array, right: Array) -> float:
    """The best of all matchings, where each bar may take a copy of the diagonal instead."""
    many, few = list(map(tuple, left)), list(map(tuple, right))
    first, second = [*many, *[None] * len(few)], [*few, *[None] * len(many)]

    def cost(a: tuple[float, float] | None, b: tuple[float, float] | None) -> float:
        if a is None or b is None:
            bar = a or b
            return (bar[1] - bar[0]) / 2 if bar else 0.0
        return max(abs(a[0] - b[0]), abs(a[1] - b[1]))

    return min(max((cost(a, b) for a, b in zip(first, order, strict=True)), default=0.0) for order in permutations(second))


@given(bars, bars.filter(lambda diagram: len(diagram) <= 3))
def test_bottleneck_is_the_best_of_all_matchings(left: Array, right: Array) -> None:
    assert bottleneck_distance(left, right) == naive_bottleneck(left, right)


@given(bars, bars, bars)
def test_bottleneck_is_a_distance(left: Array, middle: Array, right: Array) -> None:
    assert bottleneck_distance(left, left) == 0
    assert bottleneck_distance(left, right) == bottleneck_distance(right, left)
    assert bottleneck_distance(left, right) <= bottleneck_distance(left, middle) + bottleneck_distance(middle, right)


def test_bottleneck_of_many_bars_moves_no_more_than_each_bar_did() -> None:
    generator = np.random.default_rng(0)
    births = generator.uniform(0, 1, 100)
    diagram = np.column_stack([births, births + generator.uniform(0.5, 1, 100)])
    moved = diagram + generator.uniform(-0.01, 0.01, diagram.shape)
    assert 0 < bottleneck_distance(diagram, generator.permutation(moved)) <= 0.01
