"""Correlation of a figure of `augcse score` with scores of training with one augmentation: AugCSE (Tang et al. 2022), Figure 7."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from augcse.augmentations.scored import TABLE
from augcse.errors import UserError, unknown_name
from augcse.evaluation.metrics import pearson, spearman
from augcse.report.plots.kinds import PlotRequest
from augcse.report.plots.scores import score_name
from augcse.report.plots.sheet import sheet
from augcse.report.runs import ReportedRun
from augcse.report.single_augmentation import scores_by_augmentation
from augcse.report.svg import scatter

_WIDTH, _HEIGHT = 640, 440
_MIN_AUGMENTATIONS = 3
_SIMILARITY = "similarity"
# Figure -> its path in scores.json, and its axis label.
FIGURES = {
    _SIMILARITY: (("similarity", "own_pair"), "cosine of a sentence and its augmentation"),
    "perplexity": (("perplexity", "difference"), "perplexity, augmented minus original"),
    "told-apart": (("surface", "told_apart"), "told apart by surface features, accuracy x 100"),
    "changed": (("changed_share",), "share of sentences changed"),
    "cond-hm": (("shape", "cond_hm"), "COND-HM"),
    "svg": (("shape", "svg"), "SVG"),
}


def draw(request: PlotRequest) -> str:
    """Draw one point per augmentation and role, its figure against the mean score of its runs, with both correlations."""
    name = request.figure or _SIMILARITY
    _, title = _known_figure(name)
    runs = request.runs(first=1)
    score = score_name(runs, None)
    roles = points_by_role(Path(request.sources[0]).expanduser(), runs, name, score)
    drawn_roles = {_role_label(role, list(points.values())): points for role, points in roles.items() if len(points) >= _MIN_AUGMENTATIONS}
    if not drawn_roles:
        most = max((len(points) for points in roles.values()), default=0)
        raise UserError(f"{most} augmentations have both a figure and runs that use them alone; it takes {_MIN_AUGMENTATIONS}")
    heading = f"{score}, x 100, of training with one augmentation alone"
    groups = {role: list(points.values()) for role, points in drawn_roles.items()}
    tooltips = {role: [f"{spec}: {x:.3g}, {y:.2f}" for spec, (x, y) in points.items()] for role, points in drawn_roles.items()}
    drawn = scatter(groups, title=heading, x_label=title, y_label="", width=_WIDTH, height=_HEIGHT, legend=False, tooltips=tooltips)
    return sheet([drawn], _WIDTH, _HEIGHT, list(groups))


def points_by_role(scores: Path, runs: Sequence[ReportedRun], figure: str, score: str) -> dict[str, dict[str, tuple[float, float]]]:
    """Return {role: {augmentation: (figure, mean score over seeds)}} of runs with a single augmentation.

    Args:
        scores: the output of `augcse score --output`.
        runs: finished runs; those with several augmentations are ignored.
        figure: a name of `FIGURES`.
        score: a test score of the runs.

    Raises:
        UserError: an unknown figure, or a file that is not a table of scores.
    """
    measured = _read_figures(scores, _known_figure(figure)[0])
    known = {spec: value for spec, value in measured.items() if value is not None}
    means_by_role = scores_by_augmentation(runs, lambda run: run.record["scores"].get(score))
    return {role: {spec: (known[spec], mean) for spec, mean in means.items() if spec in known} for role, means in means_by_role.items()}


def correlations(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return Pearson's and Spearman's correlation of the points."""
    x, y = np.array(points).T
    return pearson(x, y), spearman(x, y)


def _known_figure(figure: str) -> tuple[tuple[str, ...], str]:
    if figure not in FIGURES:
        raise unknown_name("figure", figure, FIGURES)
    return FIGURES[figure]


def _role_label(role: str, points: Sequence[tuple[float, float]]) -> str:
    """Return the legend entry of a role, with both correlations."""
    linear, by_rank = correlations(points)
    return f"{role}: Pearson {linear:+.2f}, Spearman {by_rank:+.2f}, {len(points)} augmentations"


def _read_figures(folder: Path, path: Sequence[str]) -> dict[str, float | None]:
    """Return one figure per augmentation from scores.json; None if it was not measured."""
    file = folder / TABLE if folder.is_dir() else folder
    try:
        entries = json.loads(file.read_text("utf-8"))["scores"]
        return {entry["name"]: _value_at(entry, path) for entry in entries}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(f"{file} is not a table of augcse score; give first what augcse score --output wrote, then the runs") from error


def _value_at(entry: Mapping[str, Any], path: Sequence[str]) -> float | None:
    value: Any = entry
    for key in path:
        value = None if value is None else value[key]
    return None if value is None else float(value)
