"""How embeddings fill their space: alignment, uniformity, isotropy, anisotropy.

Since sentence embeddings are compared by cosine, all rows are normalised to length 1 first; zero rows raise an error. Sums run over all
pairs, in blocks, not over a sample.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError

if TYPE_CHECKING:
    from augcse.evaluation.pairs import Pairs

Array = npt.NDArray[Any]
POSITIVE_GRADE = 4.0
_BLOCK_ROWS = 1024


def alignment(first: Array, second: Array) -> float:
    """Mean squared distance of positive pairs, the smaller the better. (pairs, dim), (pairs, dim).

    Wang and Isola 2020 with exponent 2, as SimCSE (equation 2) and DiffCSE (appendix C). `positive_pairs` selects the pairs.
    """
    difference = _unit_rows(first) - _unit_rows(second)
    return float((difference**2).sum(axis=1).mean())


def uniformity(embeddings: Array) -> float:
    """Log of the mean of exp(-2 d^2) over all pairs of different rows, the smaller the better. (n, dim), n >= 2.

    Wang and Isola 2020 with t = 2, as SimCSE (equation 3) and DiffCSE (appendix C). A row is not paired with itself. Give each distinct
    sentence once: repeated ones would count as different points at distance 0.
    """
    rows = _unit_rows(embeddings)
    total = sum(float(np.exp(4 * (cosines - 1)).sum()) for cosines in _cosine_blocks(rows))
    count = len(rows)
    # For unit vectors d^2 = 2 - 2 cos; the diagonal contributes exp(0) per row, up to rounding, and is subtracted.
    return float(np.log(max(total - count, np.finfo(float).tiny) / (count * (count - 1))))


def positive_pairs(pairs: Pairs, minimum_grade: float = POSITIVE_GRADE) -> tuple[list[str], list[str], list[str]]:
    """Return the two sides of the positive pairs, and all distinct sentences, for `alignment` and `uniformity`.

    A pair graded `minimum_grade` or higher is positive; the sentences are the distinct ones of all pairs. The papers measure on STS
    Benchmark (DiffCSE on its test split, table 11) and do not say how they treat repeated sentences.

    Raises:
        UserError: no pair has that grade.
    """
    chosen = [index for index, grade in enumerate(pairs.scores) if grade >= minimum_grade]
    if not chosen:
        raise UserError(f"no pair is graded {minimum_grade:g} or higher; alignment needs positive pairs")
    first = [pairs.first[index] for index in chosen]
    second = [pairs.second[index] for index in chosen]
    return first, second, list(dict.fromkeys(pairs.sentences()))


def anisotropy(embeddings: Array) -> float:
    """Mean cosine over all pairs of different rows: 0 if directions cancel, 1 if all are equal. (n, dim), n >= 2.

    Ethayarajh 2019, but over all pairs instead of a sample; computed from the squared norm of the sum of the unit rows.
    """
    rows = _unit_rows(embeddings)
    total = rows.sum(axis=0)
    count = len(rows)
    return float((total @ total - (rows**2).sum()) / (count * (count - 1)))


def isotropy(embeddings: Array) -> float:
    """Smallest over largest partition function, in (0, 1]; 1 if no direction is preferred. (n, dim).

    I = min Z(c) / max Z(c) with Z(c) = sum over rows of exp(c . x), Mu and Viswanath 2018 (section 2, after Arora et al. 2016), c over the
    eigenvectors of X'X. The sign of an eigenvector is arbitrary and Z depends on it, so both signs are used. Rows have length 1,
    so I is at least exp(-2).
    """
    rows = _unit_rows(embeddings)
    _, axes = np.linalg.eigh(rows.T @ rows)  # columns are eigenvectors
    projections = rows @ axes  # (n, dim)
    partitions = np.concatenate([np.exp(projections).sum(axis=0), np.exp(-projections).sum(axis=0)])
    return float(partitions.min() / partitions.max())


def top_component_shares(embeddings: Array, components: int = 3) -> list[float]:
    """Share of the variance of the centred directions along each of the first principal components. (n, dim), n >= 2."""
    rows = _unit_rows(embeddings)
    variances = np.linalg.svd(rows - rows.mean(axis=0), compute_uv=False) ** 2
    total = variances.sum()
    return (variances[:components] / total).tolist() if total > 0 else [0.0] * min(components, len(variances))


def describe(pairs: Pairs, embeddings: Array, row_of: dict[str, int], minimum_grade: float = POSITIVE_GRADE) -> dict[str, float]:
    """Return all geometry measures of one model over graded pairs. embeddings (distinct, dim)."""
    first, second, sentences = positive_pairs(pairs, minimum_grade)
    rows = embeddings[_row_indices(sentences, row_of)]
    return {
        "alignment": alignment(embeddings[_row_indices(first, row_of)], embeddings[_row_indices(second, row_of)]),
        "uniformity": uniformity(rows),
        "isotropy": isotropy(rows),
        "anisotropy": anisotropy(rows),
        "top_component_share": top_component_shares(rows, 1)[0],
    }


def _row_indices(sentences: Sequence[str], row_of: dict[str, int]) -> list[int]:
    return [row_of[sentence] for sentence in sentences]


def _unit_rows(embeddings: Array) -> Array:
    """Return the rows in double precision with length 1. Raises `UserError` for zero and non-finite rows."""
    rows = np.asarray(embeddings, dtype=np.float64)
    if not np.isfinite(rows).all():
        raise UserError("the embeddings are not finite (NaN or infinity); their geometry is undefined")
    zeros = int((~rows.any(axis=1)).sum())
    if zeros:
        raise UserError(f"{zeros:,} of {len(rows):,} embeddings are zero and have no direction; leave their sentences out")
    return unit_rows(rows)


def _cosine_blocks(rows: Array) -> Iterator[Array]:
    """Yield the cosines of blocks of rows with all rows, never more than (block, n) at a time; exactly 1 on the diagonal."""
    for start in range(0, len(rows), _BLOCK_ROWS):
        cosines = rows[start : start + _BLOCK_ROWS] @ rows.T
        diagonal = np.arange(len(cosines))
        cosines[diagonal, start + diagonal] = 1.0
        yield cosines
