"""The scores of an augmentation on a sample that is encoded and scored once for all augmentations."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.isomorphism import Shape, shape
from augcse.analysis.sample import MIN_PAIRS
from augcse.analysis.scoring.likeness import REPO_BLOCK, Similarity, mean_interval, similarity
from augcse.analysis.scoring.perplexity import Fidelity, LanguageModel, cached_perplexities
from augcse.analysis.scoring.surface import SurfaceShift, surface_shift
from augcse.augmentations.spec import Spec
from augcse.encoding.unit_rows import unit_rows
from augcse.evaluation.base import check_finite
from augcse.evaluation.bootstrap import Interval
from augcse.evaluation.metrics import row_cosines
from augcse.rng import derive_seed

if TYPE_CHECKING:
    from augcse.encoding.model import Pooling

Array = npt.NDArray[Any]


@dataclass(frozen=True)
class Perplexity:
    """Mean perplexities of the changed originals and of their augmentations, and the difference, augmented minus original.

    AugCSE reports the mean difference; since single unlikely words dominate it, the median is given too.
    """

    originals: float
    augmented: float
    difference: float
    difference_interval: Interval
    median_difference: float


@dataclass(frozen=True)
class AugmentationScore:
    """The scores of one augmentation; None if it changed fewer than `MIN_PAIRS` sentences, or if there is no language model.

    Attributes:
        name: as given, with options.
        meaning: from its card.
        family: from its card.
        changed: number of sentences that it changed.
        sentences: number of sentences in the sample.
        sentences_per_s: speed, without parsing.
        similarity: mean cosines.
        similarity_interval: 95 % interval of the mean cosine of a pair, from a bootstrap over pairs.
        similarity_quartiles: first and third quartile of the pairs' cosines.
        perplexity: under the language model.
        shape: distances of the two point clouds in shape.
        surface: differences in surface features.
        direction: mean of unit augmented minus unit original embeddings, normalised, (dim,).
    """

    name: str
    meaning: str
    family: str
    changed: int
    sentences: int
    sentences_per_s: float
    similarity: Similarity | None = None
    similarity_interval: Interval | None = None
    similarity_quartiles: tuple[float, float] | None = None
    perplexity: Perplexity | None = None
    shape: Shape | None = None
    surface: SurfaceShift | None = None
    direction: tuple[float, ...] | None = field(default=None, repr=False)

    @property
    def changed_share(self) -> float:
        """Share of the sentences that it changed, 0 to 1."""
        return self.changed / self.sentences


@dataclass(frozen=True)
class MeasuredPairs:
    """The results of one augmentation: rows of the changed sentences, their new texts, and the measures of each pair."""

    rows: Array
    augmented: list[str]
    cosines: Array
    perplexities: Array | None


class Scorer:
    """Scores augmentations on a sample, which is encoded and scored once."""

    def __init__(
        self,
        sentences: Sequence[str],
        model: str,
        pooling: Pooling | None,
        language_model: LanguageModel | None,
        fidelity: Fidelity,
        seed: int,
        batch_size: int,
    ) -> None:
        self._sentences = sentences
        self._model, self._pooling, self._batch_size = model, pooling, batch_size
        self._language_model = language_model
        self._block = REPO_BLOCK if fidelity == "repo" else None
        self._seed = seed
        self._embeddings: Array = np.empty(0)
        self._row_of: dict[str, int] = {}
        self.perplexities = None if language_model is None else cached_perplexities(language_model, sentences)

    def encode(self, augmented: Iterable[Sequence[str]]) -> None:
        """Encode the sample and all augmentations, each distinct text once."""
        from augcse.encoding.model import encode_distinct, load_encoder

        texts = [*self._sentences, *(text for texts in augmented for text in texts)]
        self._embeddings, self._row_of = encode_distinct(load_encoder(self._model, self._pooling), texts, self._batch_size)
        check_finite(self._embeddings)

    def pairs(self, rows: Array, augmented: list[str]) -> MeasuredPairs:
        """Return the pairs of one augmentation with their cosines; call `encode` first."""
        left, right = self._pair_embeddings(rows, augmented)
        perplexities = None if self._language_model is None else cached_perplexities(self._language_model, augmented)
        return MeasuredPairs(rows, augmented, row_cosines(left, right), perplexities)

    def score(self, spec: Spec, pairs: MeasuredPairs, speed: float) -> AugmentationScore:
        """Return the scores of one augmentation."""
        card = (spec.text, spec.meaning, spec.family, len(pairs.rows), len(self._sentences), speed)
        if len(pairs.rows) < MIN_PAIRS:
            return AugmentationScore(*card)
        generator = np.random.default_rng(derive_seed(self._seed, "score", spec.text))
        left, right = self._pair_embeddings(pairs.rows, pairs.augmented)
        direction_mean = (unit_rows(right) - unit_rows(left)).mean(axis=0, keepdims=True)
        return AugmentationScore(
            *card,
            similarity(left, right, self._block),
            mean_interval(pairs.cosines, generator),
            (float(np.quantile(pairs.cosines, 0.25)), float(np.quantile(pairs.cosines, 0.75))),
            self._perplexity(pairs, generator),
            shape(left, right, generator),
            surface_shift([self._sentences[row] for row in pairs.rows], pairs.augmented),
            tuple(round(value, 6) for value in unit_rows(direction_mean)[0].tolist()),
        )

    def _pair_embeddings(self, rows: Array, augmented: Sequence[str]) -> tuple[Array, Array]:
        """Return the embeddings of the originals and of their augmentations: (pairs, dim) twice."""
        of_original = [self._row_of[self._sentences[row]] for row in rows]
        return self._embeddings[of_original], self._embeddings[[self._row_of[text] for text in augmented]]

    def _perplexity(self, pairs: MeasuredPairs, generator: np.random.Generator) -> Perplexity | None:
        """Return the perplexities of the pairs; None without a language model, or if no pair has two finite ones."""
        if self.perplexities is None or pairs.perplexities is None:
            return None
        before, after = self.perplexities[pairs.rows], pairs.perplexities
        # A text without tokens has no perplexity.
        finite = np.isfinite(before) & np.isfinite(after)
        if not finite.any():
            return None
        before, after = before[finite], after[finite]
        difference = after - before
        return Perplexity(
            float(before.mean()),
            float(after.mean()),
            float(difference.mean()),
            mean_interval(difference, generator),
            float(np.median(difference)),
        )
