"""Distribution of the cosines of STS-B's test pairs by human rating, one plot per model (DiffCSE, Chuang et al. 2022, Figure 2)."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from augcse.analysis.rating_groups import RatingGroup
from augcse.analysis.spaces import measure_geometry
from augcse.evaluation.data_folder import find_data
from augcse.report.plots.kinds import PlotRequest
from augcse.report.plots.sheet import sheet
from augcse.report.svg import Point, line_chart

_WIDTH, _HEIGHT = 460, 320
_WINDOW = 5


def draw(request: PlotRequest) -> str:
    """Draw the smoothed density of the cosines for each range of ratings, one plot per model."""
    geometries = measure_geometry(list(request.sources), find_data(request.data))
    drawings, names = [], []
    for model, geometry in geometries.items():
        series = {f"rated {group.low:g} to {group.high:g}": _density(group) for group in geometry.groups}
        names = list(series)
        drawings.append(
            line_chart(series, title=Path(model).name, x_label="cosine", y_label="density", width=_WIDTH, height=_HEIGHT, legend=False)
        )
    return sheet(drawings, _WIDTH, _HEIGHT, names)


def _density(group: RatingGroup) -> list[Point]:
    """Return a running mean of the histogram, which is noisy for a few hundred pairs per group."""
    middles = [(low + high) / 2 for low, high in zip(group.bin_edges, group.bin_edges[1:], strict=False)]
    density = np.convolve(group.density, np.full(_WINDOW, 1 / _WINDOW), mode="same")
    return list(zip(middles, density.tolist(), strict=True))
