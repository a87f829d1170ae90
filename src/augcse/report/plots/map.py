"""Sentences and their augmentations in two dimensions, coloured by type (AugCSE, Tang et al. 2022, Figures 2 to 4)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.projection import align_to, project_groups
from augcse.encoding.unit_rows import unit_rows
from augcse.errors import UserError
from augcse.report.local_files import kept_model, start_model
from augcse.report.plots.kinds import PlotRequest
from augcse.report.plots.sheet import sheet
from augcse.report.runs import ReportedRun
from augcse.report.space import AugmentedRows, Space, draw_edits, encode_space, runs_by_start
from augcse.report.svg import scatter
from augcse.report.texts import read_texts

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]
_WIDTH, _HEIGHT = 460, 400
_ORIGINAL = "original"
_PERPLEXITY = 30.0


def draw(request: PlotRequest) -> str:
    """Draw one map of each model before training and one after each run.

    One augmentation of each sentence is drawn at random, as in training. Each map has its own principal components, aligned with the first.
    """
    runs = request.runs()
    texts = read_texts(runs[0], runs, request.corpus, request.sample)
    edits = draw_edits(texts)
    if not edits.rows:
        raise UserError("none of the runs' augmentations that can be applied here changes a sentence; there is no type to colour")
    kinds = [_ORIGINAL, *sorted(set(edits.names))]
    maps: list[str] = []
    target: Array | None = None
    for name, load in _model_loaders(runs).items():
        points = _positions(encode_space(load(), texts.sentences, edits), request)
        target = points if target is None else target
        groups = _points_by_kind(align_to(points, target), len(texts.sentences), edits, kinds)
        maps.append(scatter(groups, title=name, width=_WIDTH, height=_HEIGHT, legend=False))
    return sheet(maps, _WIDTH, _HEIGHT, kinds)


def _model_loaders(runs: Sequence[ReportedRun]) -> Mapping[str, Callable[[], SentenceTransformer]]:
    """Return loaders of each model before training, followed by those of its runs' models."""
    models: dict[str, Callable[[], SentenceTransformer]] = {}
    for name, members in runs_by_start(runs).items():
        models[name] = partial(start_model, members[0])
        models.update({f"after {run.name}": partial(kept_model, run) for run in members})
    return models


def _positions(space: Space, request: PlotRequest) -> Array:
    """Return the positions of originals and augmentations, (originals + augmentations, 2)."""
    if request.method == "pca":
        return np.concatenate(list(project_groups({_ORIGINAL: space.originals, "augmented": space.augmented}).values()))
    from sklearn.manifold import TSNE

    unit = unit_rows(np.concatenate([space.originals, space.augmented]))
    perplexity = min(_PERPLEXITY, (len(unit) - 1) / 3)
    positions: Array = TSNE(2, perplexity=perplexity, init="pca", random_state=request.seed).fit_transform(unit)
    centred: Array = positions - positions.mean(axis=0)
    return centred


def _points_by_kind(points: Array, originals: int, edits: AugmentedRows, kinds: Sequence[str]) -> dict[str, list[tuple[float, float]]]:
    """Return the points of the originals and of each augmentation; the first `originals` points are the originals."""
    groups: dict[str, list[tuple[float, float]]] = {kind: [] for kind in kinds}
    for (x, y), kind in zip(points.tolist(), [_ORIGINAL] * originals + list(edits.names), strict=True):
        groups[kind].append((x, y))
    return groups
