"""The spaces of models called by name: their neighbours, their geometry, how alike two are in shape.

All names are checked before anything is loaded, and one model is loaded at a time where one is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from augcse.analysis.geometry import describe
from augcse.analysis.isomorphism import condition_harmonic_mean, gromov_hausdorff, singular_value_gap
from augcse.analysis.neighbours import Neighbour, neighbours
from augcse.analysis.rating_groups import RatingGroup, rating_groups
from augcse.corpus.files import Corpus
from augcse.corpus.read import no_sentence
from augcse.encoding.model import encode_distinct, load_encoder
from augcse.evaluation.detail import load_pair_tasks
from augcse.evaluation.tasks.retrieval import LoadedRetrieval
from augcse.model_folder import local_model_folder

# Whose test sentences a space is measured on.
_TASK = "STSB"


@dataclass(frozen=True)
class Geometry:
    """The figures of one model on STS-B's test sentences, and the mean cosine of their pairs by human rating."""

    figures: dict[str, float]
    groups: list[RatingGroup]

    def as_json(self) -> dict[str, Any]:
        """Return both in one document."""
        return {**self.figures, "rating_groups": [asdict(group) for group in self.groups]}


def check_models(names: Sequence[str]) -> None:
    """Raise `UserError` for a path to no model."""
    for name in names:
        local_model_folder(name)


def find_neighbours(
    names: Sequence[str], queries: Sequence[str], k: int, *, corpus: Corpus | None = None, data: Path | None = None
) -> dict[str, dict[str, list[Neighbour]]]:
    """Return query -> model -> the k nearest sentences of a corpus, or of STS-B's test sentences; errors as `neighbours`."""
    check_models(names)
    sentences = _corpus_sentences(corpus) if corpus else load_pair_tasks([_TASK], data)[_TASK].sentences()
    return neighbours({name: load_encoder(name) for name in names}, queries, sentences, k)


def measure_geometry(names: Sequence[str], data: Path | None = None) -> dict[str, Geometry]:
    """Return the geometry of each model, with recall on the pairs graded 5."""
    check_models(names)
    task = load_pair_tasks([_TASK], data)[_TASK]
    found = {}
    for name in names:
        encoded = encode_distinct(load_encoder(name), task.sentences())
        figures = describe(task.pairs, *encoded) | LoadedRetrieval(task.pairs).measure(*encoded)
        found[name] = Geometry(figures, rating_groups(task.cosines(*encoded), np.asarray(task.pairs.scores)))
    return found


def compare_shapes(first: str, second: str, data: Path | None = None, *, sample: int = 100, seed: int = 0) -> dict[str, float]:
    """Return how alike two models' spaces of STS-B's test sentences are in shape.

    Args:
        first: a model.
        second: another.
        data: the data folder.
        sample: sentences drawn for the Gromov-Hausdorff estimate, the same for both.
        seed: of the draw.
    """
    check_models([first, second])
    sentences = load_pair_tasks([_TASK], data)[_TASK].sentences()
    left, right = (encode_distinct(load_encoder(name), sentences)[0] for name in (first, second))
    rows = np.sort(np.random.default_rng(seed).choice(len(left), sample, replace=False))
    distance = gromov_hausdorff(left[rows], right[rows], np.random.default_rng(seed), sample=sample)
    return {
        "svg": singular_value_gap(left, right),
        "cond_hm": condition_harmonic_mean(left, right),
        "gromov_hausdorff_h0": distance.h0,
        "gromov_hausdorff_h1": distance.h1,
    }


def _corpus_sentences(corpus: Corpus) -> list[str]:
    found = list(corpus.sentences())
    if not found:
        raise no_sentence(corpus.paths)
    return found
