"""Rows of length 1, whose inner products are cosines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def unit_rows(rows: np.ndarray, dtype: npt.DTypeLike = "float64") -> npt.NDArray[Any]:
    """Return rows of length 1, computed in `dtype`; zero rows stay zero and have cosine 0 with everything. (n, dim) -> (n, dim)."""
    import numpy as np

    given = np.asarray(rows, dtype=dtype)
    lengths = np.linalg.norm(given, axis=1, keepdims=True)
    unit: npt.NDArray[Any] = np.divide(given, lengths, out=np.zeros_like(given), where=lengths > 0)
    return unit
