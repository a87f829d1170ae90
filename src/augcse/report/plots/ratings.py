"""Cosines of STS-B's test pairs by human rating, a drawing per model (DiffCSE, Chuang et al. 2022, Figure 2)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from augcse.analysis.rating_groups import RatingGroup
from augcse.analysis.spaces import measure_geometry
from augcse.evaluation.data_folder import find_data
from augcse.report.plots.kinds import Wanted
from augcse.report.plots.sheet import sheet
from augcse.report.svg import Point, line_chart

_WIDTH, _HEIGHT = 460, 320
_WINDOW = 5


def draw(wanted: Wanted) -> str:
    """Return the density of the cosines within each step of ratings, smoothed, a drawing per model."""
    found = measure_geometry(list(wanted.sources), find_data(wanted.data))
    drawings, names = [], []
    for model, geometry in found.items():
        series = {f"rated {group.low:g} to {group.high:g}": _density(group) for group in geometry.groups}
        names = list(series)
        drawings.append(
            line_chart(series, title=Path(model).name, x_label="cosine", y_label="density", width=_WIDTH, height=_HEIGHT, legend=False)
        )
    return sheet(drawings, _WIDTH, _HEIGHT, names)


def _density(group: RatingGroup) -> list[Point]:
    """Return a running mean of the histogram: a group has some hundred pairs, and bins of its own would be ragged."""
    middles = [(low + high) / 2 for low, high in zip(group.bin_edges, group.bin_edges[1:], strict=False)]
    density = np.convolve(group.density, np.full(_WINDOW, 1 / _WINDOW), mode="same")
    return list(zip(middles, density.tolist(), strict=True))
