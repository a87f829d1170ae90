"""The details of one STS score: subsets, Pearson, an interval, and warnings.

A `ScoreWarning` says what a reader of the score must know: zero vectors (their cosine counts as 0), cosines that are all equal, sentences
truncated at the model's length. Embeddings that are not finite are an error, not a warning.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.encoding.length import truncated_sentences
from augcse.encoding.model import encode_distinct
from augcse.errors import UserError
from augcse.evaluation.base import LoadedTask, expand_suites, load_tasks, task_titles
from augcse.evaluation.bootstrap import Comparison, Interval, bootstrap_interval
from augcse.evaluation.metrics import pearson, spearman, tied
from augcse.evaluation.remarks import ScoreWarning, zero_vector_warning
from augcse.evaluation.samples import bootstrap_generator, compared
from augcse.evaluation.tasks.sts import LoadedPairs

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Correlations:
    """Both correlations x 100 on a set of pairs."""

    pairs: int
    spearman: float
    pearson: float


@dataclass(frozen=True)
class Detail:
    """Details of one model on one STS task.

    Attributes:
        all: over the concatenation of the subsets, as SimCSE scores.
        subsets: per subset; empty if a task has one file.
        interval: percentile bootstrap of the Spearman correlation of `all`; None if not asked for.
        zero_vectors: distinct sentences with a zero vector.
        tied_pairs: pairs whose cosine another pair has too.
        sentences: distinct sentences.
        truncated: of them, those longer than the model's length; None if the model has no limit.
        warnings: remarks that a reader of the score must know.
    """

    all: Correlations
    subsets: dict[str, Correlations]
    interval: Interval | None
    zero_vectors: int
    tied_pairs: int
    sentences: int
    truncated: int | None
    warnings: tuple[ScoreWarning, ...] = field(default=())

    @property
    def truncated_share(self) -> float | None:
        """Share of the distinct sentences that were truncated."""
        return None if self.truncated is None else self.truncated / self.sentences

    def as_json(self) -> dict[str, Any]:
        """Return plain data."""
        return {**asdict(self), "truncated_share": self.truncated_share}


def score_in_detail(
    model: SentenceTransformer,
    tasks: Sequence[str],
    data: Path | None,
    *,
    resamples: int = 0,
    seed: int = 0,
    batch_size: int = 128,
) -> dict[str, Detail]:
    """Score a model on STS tasks or suites, in detail. Every distinct sentence is encoded once.

    Args:
        model: the encoder.
        tasks: STS tasks or suites, or files of graded pairs.
        data: the data folder; None takes the hub.
        resamples: of the bootstrap; 0 leaves the interval out.
        seed: of the bootstrap; every task has a stream of its own.
        batch_size: of encoding.

    Raises:
        UserError: a task that is not about graded pairs, bad data, or embeddings that are not finite.
    """
    loaded = load_pair_tasks(tasks, data)
    sentences = _distinct_sentences(loaded.values())
    embeddings, row_of = encode_distinct(model, sentences, batch_size)
    cut = truncated_sentences(model, sentences)
    return {name: detail(task, embeddings, row_of, cut, resamples, bootstrap_generator(seed, name)) for name, task in loaded.items()}


def compare_models(
    first: SentenceTransformer,
    second: SentenceTransformer,
    tasks: Sequence[str],
    data: Path | None,
    *,
    resamples: int = 1000,
    seed: int = 0,
    batch_size: int = 128,
) -> dict[str, Comparison]:
    """Compare two models task by task with the paired bootstrap; differences are second minus first, Spearman or accuracy x 100.

    Raises:
        UserError: bad data, or embeddings that are not finite.
    """
    loaded = _load_tasks(tasks, data)
    sentences = _distinct_sentences(loaded.values())
    left, right = encode_distinct(first, sentences, batch_size), encode_distinct(second, sentences, batch_size)
    return {
        name: compared(task.measured(*left).sample, task.measured(*right).sample, bootstrap_generator(seed, name), resamples)
        for name, task in loaded.items()
    }


def load_pair_tasks(tasks: Sequence[str], data: Path | None) -> dict[str, LoadedPairs]:
    """Load tasks or suites of graded pairs, by title. Raises `UserError` for a task of another kind."""
    loaded = {}
    for name, task in _load_tasks(tasks, data).items():
        if not isinstance(task, LoadedPairs):
            raise UserError(f"{name} does not score graded pairs; its figures and interval: augcse evaluate")
        loaded[name] = task
    return loaded


def _load_tasks(tasks: Sequence[str], data: Path | None) -> dict[str, LoadedTask]:
    members = [member for members in expand_suites(tasks).values() for member in members]
    return load_tasks(task_titles(members), data)


def detail(
    task: LoadedPairs,
    embeddings: Array,
    row_of: dict[str, int],
    cut: frozenset[str] | None = None,
    resamples: int = 0,
    generator: np.random.Generator | None = None,
) -> Detail:
    """Return the detail of one task.

    Args:
        task: the pairs.
        embeddings: (distinct, dim).
        row_of: sentence -> row.
        cut: the sentences that the model truncates; None if it has no maximum length.
        resamples: of the bootstrap; 0 for none.
        generator: of the bootstrap.
    """
    cosines, gold = task.cosines(embeddings, row_of), np.asarray(task.pairs.scores)
    sentences = list(dict.fromkeys(task.sentences()))
    zeros = task.zero_vectors(embeddings, row_of)
    truncated = None if cut is None else sum(sentence in cut for sentence in sentences)
    interval = None
    if resamples:
        interval = bootstrap_interval(cosines, gold, generator or np.random.default_rng(0), resamples=resamples)
    return Detail(
        all=_correlations(cosines, gold),
        subsets={name: _correlations(cosines[part], gold[part]) for name, part in task.slices().items()},
        interval=interval,
        zero_vectors=zeros,
        tied_pairs=tied(cosines),
        sentences=len(sentences),
        truncated=truncated,
        warnings=(*task.warnings(), *_score_warnings(zeros, bool((cosines == cosines[0]).all()), truncated, len(sentences))),
    )


def _correlations(cosines: Array, gold: Array) -> Correlations:
    return Correlations(len(gold), 100 * spearman(cosines, gold), 100 * pearson(cosines, gold))


def _score_warnings(zeros: int, constant: bool, truncated: int | None, sentences: int) -> Iterable[ScoreWarning]:
    """Yield the warnings about zero vectors, equal cosines and truncated sentences."""
    if zeros:
        yield zero_vector_warning(zeros, sentences)
    if constant:
        yield ScoreWarning("constant", 1, "all cosines are equal: the model tells no pair from another, and the correlation counts as 0")
    if truncated:
        share = f"{100 * truncated / sentences:.1f} %"
        yield ScoreWarning("truncated", truncated, f"{truncated:,} of {sentences:,} sentences ({share}) are cut at the model's length")


def _distinct_sentences(tasks: Iterable[LoadedTask]) -> list[str]:
    return list(dict.fromkeys(sentence for task in tasks for sentence in task.sentences()))
