"""A figure of `augcse score` beside the scores of runs of one augmentation each: AugCSE (Tang et al. 2022), section 6.1 and Figure 7."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from augcse.augmentations.scored import TABLE
from augcse.errors import UserError, unknown_name
from augcse.evaluation.metrics import pearson, spearman
from augcse.report.alone import scores_alone
from augcse.report.plots.kinds import Wanted
from augcse.report.plots.scores import score_name
from augcse.report.plots.sheet import sheet
from augcse.report.runs import Run
from augcse.report.svg import scatter

_WIDTH, _HEIGHT = 640, 440
_FEWEST = 3
_SIMILARITY = "similarity"
# Where a figure stands in scores.json, and what it is called.
FIGURES = {
    _SIMILARITY: (("similarity", "own_pair"), "cosine of a sentence and its augmentation"),
    "perplexity": (("perplexity", "difference"), "perplexity, augmented minus original"),
    "told-apart": (("surface", "told_apart"), "told apart by surface features, accuracy x 100"),
    "changed": (("changed_share",), "share of sentences changed"),
    "cond-hm": (("shape", "cond_hm"), "COND-HM"),
    "svg": (("shape", "svg"), "SVG"),
}


def draw(wanted: Wanted) -> str:
    """Return a point per augmentation that some runs used alone, by role: its figure and the mean score of the runs; both correlations."""
    name = wanted.figure or _SIMILARITY
    _, title = _known(name)
    runs = wanted.runs(first=1)
    score = score_name(runs, None)
    roles = points_by_role(Path(wanted.sources[0]).expanduser(), runs, name, score)
    drawn_roles = {_correlated(role, list(points.values())): points for role, points in roles.items() if len(points) >= _FEWEST}
    if not drawn_roles:
        most = max((len(points) for points in roles.values()), default=0)
        raise UserError(f"{most} augmentations have both a figure and runs that use them alone; it takes {_FEWEST}")
    heading = f"{score}, x 100, of training with one augmentation alone"
    groups = {role: list(points.values()) for role, points in drawn_roles.items()}
    told = {role: [f"{spec}: {x:.3g}, {y:.2f}" for spec, (x, y) in points.items()] for role, points in drawn_roles.items()}
    drawn = scatter(groups, title=heading, x_label=title, y_label="", width=_WIDTH, height=_HEIGHT, legend=False, told=told)
    return sheet([drawn], _WIDTH, _HEIGHT, list(groups))


def points_by_role(scores: Path, runs: Sequence[Run], figure: str, score: str) -> dict[str, dict[str, tuple[float, float]]]:
    """Return {role: {augmentation that runs use alone: (figure, mean score of the seeds)}}.

    Args:
        scores: what `augcse score --output` wrote.
        runs: those that use one augmentation alone count.
        figure: a name of `FIGURES`.
        score: a test score of the runs.

    Raises:
        UserError: an unknown figure, a file that is no table of scores.
    """
    measured = _figures(scores, _known(figure)[0])
    return {
        role: {spec: (value, mean) for spec, mean in means.items() if (value := measured.get(spec)) is not None}
        for role, means in scores_alone(runs, lambda run: run.record["scores"].get(score)).items()
    }


def correlations(points: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Return Pearson's and Spearman's correlation of the points."""
    x, y = np.array(points).T
    return pearson(x, y), spearman(x, y)


def _known(figure: str) -> tuple[tuple[str, ...], str]:
    if figure not in FIGURES:
        raise unknown_name("figure", figure, FIGURES)
    return FIGURES[figure]


def _correlated(role: str, points: Sequence[tuple[float, float]]) -> str:
    """Return both correlations of the augmentations of a role, in words."""
    linear, by_rank = correlations(points)
    return f"{role}: Pearson {linear:+.2f}, Spearman {by_rank:+.2f}, {len(points)} augmentations"


def _figures(folder: Path, path: Sequence[str]) -> dict[str, float | None]:
    """Return one figure per augmentation of a scores.json."""
    file = folder / TABLE if folder.is_dir() else folder
    try:
        entries = json.loads(file.read_text("utf-8"))["scores"]
        return {entry["name"]: _at(entry, path) for entry in entries}
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(f"{file} is no table of augcse score; give first what augcse score --output wrote, then the runs") from error


def _at(entry: Mapping[str, Any], path: Sequence[str]) -> float | None:
    value: Any = entry
    for key in path:
        value = None if value is None else value[key]
    return None if value is None else float(value)
