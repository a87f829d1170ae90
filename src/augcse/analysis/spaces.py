"""The spaces of models called by name: their neighbours, their geometry, how alike two are in shape.

All names are checked before anything is loaded, and one model is loaded at a time where one is enough.
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
from augcse.analysis.neighbours import Neighbour, neighbours
from augcse.analysis.rating_groups import RatingGroup, rating_groups
from augcse.corpus.files import Corpus
from augcse.corpus.read import no_sentence
from augcse.corpus.sample import sample_corpus
from augcse.encoding.model import encode_distinct, load_encoder
from augcse.errors import UserError
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
    """Return how alike two models' spaces of the same sentences are in shape.

    Args:
        first: a model.
        second: another.
        texts: by name, one at most; STS-B's test sentences without one.
        data: the data folder, where there is no text.
        sentences: distinct ones drawn of the text.
        sample: of these, drawn for the Gromov-Hausdorff estimate, the same for both.
        seed: of that draw.

    Raises:
        UserError: too few sentences, or what cannot be read or loaded.
    """
    check_models([first, second])
    if texts and len(texts) > 1:
        raise UserError(
            f"two models are compared on one text, and there are {len(texts)}: {', '.join(texts)}; leave one model or texts out"
        )
    drawn = _drawn(texts, sentences, sample) if texts else {_TASK: load_pair_tasks([_TASK], data)[_TASK].sentences()}
    [found] = drawn.values()
    left, right = (encode_distinct(load_encoder(name), found)[0] for name in (first, second))
    return shape(left, right, np.random.default_rng(seed), sample)


def compare_texts(
    model: str, texts: Mapping[str, Corpus], *, sentences: int = 1000, sample: int = 100, seed: int = 0
) -> dict[tuple[str, str], Shape]:
    """Return how alike the spaces of every two texts are in shape, in one model (AugCSE, table 15).

    Args:
        model: embeds all of them.
        texts: by name, two or more. As many distinct sentences are drawn of each, since singular values grow with their number.
        sentences: drawn of each, or fewer where the shortest text has fewer.
        sample: of these, drawn for the Gromov-Hausdorff estimate.
        seed: of that draw, the same for every two.

    Raises:
        UserError: as `compare_spaces`.
    """
    check_models([model])
    if len(texts) < 2:
        raise UserError("one model and fewer than two texts; give another model, or two texts or more (--corpus, --column)")
    drawn = _drawn(texts, sentences, sample)
    encoder = load_encoder(model)
    spaces = {name: encode_distinct(encoder, found)[0] for name, found in drawn.items()}
    return {(one, other): shape(spaces[one], spaces[other], np.random.default_rng(seed), sample) for one, other in combinations(spaces, 2)}


def _drawn(texts: Mapping[str, Corpus], sentences: int, sample: int) -> dict[str, list[str]]:
    """Return as many distinct sentences of each text."""
    if sentences < sample:
        raise UserError(f"the estimate draws {sample} of {sentences} sentences; raise --sentences, or lower --sample")
    found = {name: sample_corpus(corpus, sentences).sentences for name, corpus in texts.items()}
    for name, drawn in found.items():
        if len(drawn) < sample:
            raise UserError(f"{name} has {len(drawn)} distinct sentences, and the estimate draws {sample}; give a longer text, or --sample")
    smallest = min(map(len, found.values()))
    return {name: drawn[:smallest] for name, drawn in found.items()}


def _corpus_sentences(corpus: Corpus) -> list[str]:
    found = list(corpus.sentences())
    if not found:
        raise no_sentence(corpus.paths)
    return found
