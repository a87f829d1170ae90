"""Persistent homology of a finite metric space, for H0 and H1, and the bottleneck distance of diagrams.

The Vietoris-Rips complex at scale r has a simplex for every set of points that are pairwise at most r apart. A persistence diagram lists
when (birth, death) components (H0) and loops (H1) appear and vanish as r grows; coefficients are in Z/2. Edelsbrunner and Harer 2010,
chapters VII and VIII. For small samples: H1 looks at n (n - 1) (n - 2) / 6 triangles.
"""

from __future__ import annotations

from itertools import combinations
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.errors import UserError

Array = npt.NDArray[Any]
MAX_POINTS_H1 = 150


def rips_h0(distances: Array) -> Array:
    """Return the finite bars of H0: all born at 0, dying at the edges of a minimum spanning tree. (n, n) -> (n - 1, 2), sorted.

    That is single-linkage clustering. The one infinite bar, which every space has, is left out. Prim's algorithm, O(n^2).
    """
    count = len(distances)
    deaths = np.zeros(count - 1)
    nearest = distances[0].astype(np.float64)
    outside = np.ones(count, dtype=bool)
    outside[0] = False
    for index in range(count - 1):
        joined = int(np.where(outside, nearest, np.inf).argmin())
        deaths[index] = nearest[joined]
        outside[joined] = False
        nearest = np.minimum(nearest, distances[joined])
    return np.column_stack([np.zeros(count - 1), np.sort(deaths)])


def rips_h1(distances: Array) -> Array:
    """Return the bars of H1 of positive length. (n, n) -> (bars, 2), sorted by birth, then death.

    The standard column reduction, on coboundaries: edges from the longest to the shortest, each column a set of triangles whose pivot is
    the earliest; edges of the minimum spanning tree kill components and are skipped. Reducing boundaries gives the same pairs (de Silva,
    Morozov and Vejdemo-Johansson 2011), but with n^3 columns instead of n^2. A column is one integer, with a bit per triangle.

    Raises:
        UserError: more than 150 points.
    """
    count = len(distances)
    if count > MAX_POINTS_H1:
        raise UserError(f"loops of {count} points would take minutes; sample at most {MAX_POINTS_H1}")
    edges = sorted(combinations(range(count), 2), key=lambda edge: (distances[edge], edge))
    lengths = np.array([distances[edge] for edge in edges])
    longest, cofaces = _triangles(count, edges)
    tree = _tree_edges(count, edges)
    column_with: dict[int, int] = {}
    bars = []
    for edge in range(len(edges) - 1, -1, -1):
        if tree[edge]:
            continue
        column = _as_bits(cofaces[edge], len(longest))
        pivot = _lowest_bit(column)
        while pivot in column_with:
            column ^= column_with[pivot]
            pivot = _lowest_bit(column)
        column_with[pivot] = column
        birth, death = lengths[edge], lengths[longest[pivot]]
        if death > birth:
            bars.append((birth, death))
    return np.array(sorted(bars), dtype=np.float64).reshape(-1, 2)


def bottleneck_distance(left: Array, right: Array) -> float:
    """Return the exact bottleneck distance of two diagrams of finite bars. (m, 2), (k, 2).

    The smallest t such that bars can be matched one to one, matched bars differing by at most t in birth and in death, and unmatched bars
    having length at most 2 t (they are matched with the diagonal).
    """
    halves_left, halves_right = (left[:, 1] - left[:, 0]) / 2, (right[:, 1] - right[:, 0]) / 2
    costs = np.abs(left[:, None, :] - right[None, :, :]).max(axis=2, initial=0.0)  # (m, k)
    candidates = np.unique(np.concatenate([[0.0], halves_left, halves_right, costs.ravel()]))
    low, high = 0, len(candidates) - 1
    while low < high:
        middle = (low + high) // 2
        if _is_matching_possible(costs, halves_left, halves_right, candidates[middle]):
            high = middle
        else:
            low = middle + 1
    return float(candidates[low])


def _is_matching_possible(costs: Array, halves_left: Array, halves_right: Array, threshold: float) -> bool:
    """Return whether one matching covers every bar that is too long for the diagonal, on both sides.

    Testing each side separately suffices: if one matching covers the long bars of the left and another those of the right, a single one
    covers both (Mendelsohn and Dulmage 1958).
    """
    close = costs <= threshold
    return _can_cover_rows(close[halves_left > threshold]) and _can_cover_rows(close[:, halves_right > threshold].T)


def _can_cover_rows(close: Array) -> bool:
    """Return whether a matching covers all rows of a bipartite graph, (rows, columns) booleans; by augmenting paths (Kuhn 1955)."""
    if len(close) > close.shape[1]:
        return False
    neighbours = [_as_bits(np.flatnonzero(row).tolist(), close.shape[1]) for row in close]
    row_at: dict[int, int] = {}
    return all(_match_row(row, neighbours, row_at) for row in range(len(neighbours)))


def _match_row(start: int, neighbours: list[int], row_at: dict[int, int]) -> bool:
    """Match one more row along a shortest augmenting path; return False if there is none."""
    came_from: dict[int, int] = {}
    # A set of columns as bits; -1 has all bits set.
    unseen = -1
    queue = [start]
    for row in queue:
        reachable = neighbours[row] & unseen
        unseen &= ~reachable
        while reachable:
            column = _lowest_bit(reachable)
            reachable &= reachable - 1
            came_from[column] = row
            if column not in row_at:
                _flip_path(column, came_from, row_at, start)
                return True
            queue.append(row_at[column])
    return False


def _flip_path(column: int, came_from: dict[int, int], row_at: dict[int, int], start: int) -> None:
    """Assign to each row on the path back to `start` the next column of the path."""
    column_of = {row: matched for matched, row in row_at.items()}
    while True:
        row = came_from[column]
        row_at[column] = row
        if row == start:
            return
        column = column_of[row]


def _triangles(count: int, edges: list[tuple[int, int]]) -> tuple[Array, list[list[int]]]:
    """Return the longest edge of each triangle in the order of appearance, and the triangles at each edge, as indices in that order."""
    index_of = {edge: index for index, edge in enumerate(edges)}
    sides = np.array(
        [(index_of[a, b], index_of[a, c], index_of[b, c]) for a, b, c in combinations(range(count), 3)], dtype=np.int64
    ).reshape(-1, 3)
    # Any order works that puts a triangle after its edges and a longer one later; a stable sort makes it deterministic.
    order = np.argsort(sides.max(axis=1), kind="stable")
    cofaces: list[list[int]] = [[] for _ in edges]
    for index, triangle in enumerate(sides[order].tolist()):
        for edge in triangle:
            cofaces[edge].append(index)
    return sides.max(axis=1)[order] if len(sides) else np.zeros(0, dtype=np.int64), cofaces


def _tree_edges(count: int, edges: list[tuple[int, int]]) -> list[bool]:
    """Return for each edge, shortest first, whether it joins two components (Kruskal)."""
    parent = list(range(count))

    def root(point: int) -> int:
        while parent[point] != point:
            parent[point] = parent[parent[point]]
            point = parent[point]
        return point

    joins = []
    for a, b in edges:
        left, right = root(a), root(b)
        parent[left] = right
        joins.append(left != right)
    return joins


def _as_bits(indices: list[int], length: int) -> int:
    bits = np.zeros(length, dtype=np.uint8)
    bits[indices] = 1
    return int.from_bytes(np.packbits(bits, bitorder="little").tobytes(), "little")


def _lowest_bit(column: int) -> int:
    """Return the position of the lowest bit. Columns are never empty: in a full Rips complex every loop is eventually filled."""
    return (column & -column).bit_length() - 1
