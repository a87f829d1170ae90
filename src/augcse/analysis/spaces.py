"""Embedding spaces of models, given by name: nearest neighbours, geometry, and shape comparison.

All names are checked before anything is loaded, and only one model is held at a time where possible.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np

from augcse.analysis.geometry import describe
from augcse.analysis.isomorphism import Shape, shape
from augcse.analysis.neighbours import Neighbour, check_queries, neighbours
from augcse.analysis.rating_groups import RatingGroup, rating_groups
from augcse.corpus.files import Corpus
from augcse.corpus.read import no_sentence
from augcse.corpus.sample import sample_corpus
from augcse.encoding.model import encode_distinct, load_encoder
from augcse.errors import UserError
from augcse.evaluation.detail import load_pair_tasks
from augcse.evaluation.tasks.retrieval import LoadedRetrieval
from augcse.model_folder import local_model_folder

# The task whose test sentences the measures use.
_TASK = "STSB"


@dataclass(frozen=True)
class Geometry:
    """Geometry measures of one model on STS-B's test sentences, and its cosines by human rating."""

    figures: dict[str, float]
    groups: list[RatingGroup]

    def as_json(self) -> dict[str, Any]:
        """Return both in one JSON document."""
        return {**self.figures, "rating_groups": [asdict(group) for group in self.groups]}


def check_models(names: Sequence[str]) -> None:
    """Raise `UserError` for a path that holds no model."""
    for name in names:
        local_model_folder(name)


def find_neighbours(
    names: Sequence[str], queries: Sequence[str], k: int, *, corpus: Corpus | None = None, data: Path | None = None
) -> dict[str, dict[str, list[Neighbour]]]:
    """Return query -> model -> the k nearest sentences of a corpus, or of STS-B's test sentences; errors as `neighbours`."""
    check_queries(queries, k)
    check_models(names)
    sentences = _corpus_sentences(corpus) if corpus else load_pair_tasks([_TASK], data)[_TASK].sentences()
    return neighbours({name: load_encoder(name) for name in names}, queries, sentences, k)


def measure_geometry(names: Sequence[str], data: Path | None = None) -> dict[str, Geometry]:
    """Return the geometry of each model, with recall on the pairs graded 5."""
    check_models(names)
    task = load_pair_tasks([_TASK], data)[_TASK]
    geometries = {}
    for name in names:
        encoded = encode_distinct(load_encoder(name), task.sentences())
        figures = describe(task.pairs, *encoded) | LoadedRetrieval(task.pairs).measure(*encoded)
        geometries[name] = Geometry(figures, rating_groups(task.cosines(*encoded), np.asarray(task.pairs.scores)))
    return geometries


def compare_spaces(
    first: str,
    second: str,
    *,
    texts: Mapping[str, Corpus] | None = None,
    data: Path | None = None,
    sentences: int = 1000,
    sample: int = 100,
    seed: int = 0,
) -> Shape:
    """Compare the shapes of two models' embedding spaces of the same sentences.

    Args:
        first: a model.
        second: another.
        texts: one text by name, or none for STS-B's test sentences.
        data: the data folder, if there is no text.
        sentences: number of distinct sentences drawn from the text.
        sample: number of these for the Gromov-Hausdorff estimate, the same for both.
        seed: of that sample.

    Raises:
        UserError: too few sentences, or a text or model that cannot be loaded.
    """
    check_models([first, second])
    if texts and len(texts) > 1:
        raise UserError(
            f"two models are compared on one text, and there are {len(texts)}: {', '.join(texts)}; leave one model or texts out"
        )
    drawn = _draw_equal_samples(texts, sentences, sample) if texts else {_TASK: load_pair_tasks([_TASK], data)[_TASK].sentences()}
    [drawn_sentences] = drawn.values()
    left, right = (encode_distinct(load_encoder(name), drawn_sentences)[0] for name in (first, second))
    return shape(left, right, np.random.default_rng(seed), sample)


def compare_texts(
    model: str, texts: Mapping[str, Corpus], *, sentences: int = 1000, sample: int = 100, seed: int = 0
) -> dict[tuple[str, str], Shape]:
    """Compare the shapes of the spaces of every two texts in one model (AugCSE, table 15).

    Args:
        model: embeds all texts.
        texts: two or more, by name. The same number of distinct sentences is drawn from each, since singular values grow with their number.
        sentences: drawn from each, or fewer if the shortest text has fewer.
        sample: number of these for the Gromov-Hausdorff estimate.
        seed: of that sample, the same for every pair.

    Raises:
        UserError: as `compare_spaces`.
    """
    check_models([model])
    if len(texts) < 2:
        raise UserError("one model and fewer than two texts; give another model, or two texts or more (--corpus, --column)")
    drawn = _draw_equal_samples(texts, sentences, sample)
    encoder = load_encoder(model)
    spaces = {name: encode_distinct(encoder, drawn_sentences)[0] for name, drawn_sentences in drawn.items()}
    return {
        (first, second): shape(spaces[first], spaces[second], np.random.default_rng(seed), sample)
        for first, second in combinations(spaces, 2)
    }


def _draw_equal_samples(texts: Mapping[str, Corpus], sentences: int, sample: int) -> dict[str, list[str]]:
    """Draw the same number of distinct sentences from each text. Raises `UserError` for a text with too few."""
    if sentences < sample:
        raise UserError(f"the estimate draws {sample} of {sentences} sentences; raise --sentences, or lower --sample")
    drawn_by_name = {name: sample_corpus(corpus, sentences).sentences for name, corpus in texts.items()}
    for name, drawn in drawn_by_name.items():
        if len(drawn) < sample:
            raise UserError(f"{name} has {len(drawn)} distinct sentences, and the estimate draws {sample}; give a longer text, or --sample")
    smallest = min(map(len, drawn_by_name.values()))
    return {name: drawn[:smallest] for name, drawn in drawn_by_name.items()}


def _corpus_sentences(corpus: Corpus) -> list[str]:
    sentences = list(corpus.sentences())
    if not sentences:
        raise no_sentence(corpus.paths)
    return sentences
