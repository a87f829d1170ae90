"""The figures of one augmentation beside a sample that is encoded and scored once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from augcse.analysis.isomorphism import Shape, shape
from augcse.analysis.scoring.likeness import REPO_BLOCK, Similarity, mean_interval, similarity
from augcse.analysis.scoring.perplexity import Fidelity, LanguageModel, kept_perplexities
from augcse.analysis.scoring.surface import SurfaceShift, surface_shift
from augcse.augmentations.spec import Spec
from augcse.evaluation.base import check_finite
from augcse.evaluation.bootstrap import Interval
from augcse.evaluation.metrics import row_cosines
from augcse.evaluation.tasks.retrieval import unit_rows
from augcse.rng import derive_seed

if TYPE_CHECKING:
    from augcse.encoding.model import Pooling

Array = npt.NDArray[Any]
# Of fewer pairs no figure but their number is given.
FEWEST_PAIRS = 20


@dataclass(frozen=True)
class Perplexity:
    """Mean perplexities of the originals that were changed and of their augmentations, and the difference, augmented minus original.

    The mean of differences is what AugCSE reports; single unlikely words govern it, so that the median is given too.
    """

    originals: float
    augmented: float
    difference: float
    difference_interval: Interval
    median_difference: float


@dataclass(frozen=True)
class AugmentationScore:
    """The figures of one augmentation; None where it changed fewer than `FEWEST_PAIRS` sentences, or no language model was asked for.

    Attributes:
        name: as it was asked for.
        meaning: of its card.
        family: of its card.
        changed: sentences that it changed.
        sentences: of so many.
        sentences_per_s: how fast, reading the parse not counted.
        similarity: mean cosines.
        similarity_interval: of the cosine of a pair, 95 %, from a bootstrap over pairs.
        similarity_quartiles: between which the middle half of the pairs' cosines lies.
        perplexity: under the language model.
        shape: of the two clouds.
        surface: what is left there.
        direction: mean of unit augmented minus unit original, brought to length 1, (dim,): which way its pairs move.
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
class Pairs:
    """What one augmentation made of the sample: rows of the changed sentences, texts, and a figure per pair."""

    rows: Array
    augmented: list[str]
    cosines: Array
    perplexities: Array | None


class Measuring:
    """The sample, encoded and scored once, beside which each augmentation is measured."""

    def __init__(
        self,
        sentences: Sequence[str],
        model: str,
        pooling: Pooling | None,
        judge: LanguageModel | None,
        fidelity: Fidelity,
        seed: int,
        batch_size: int,
    ) -> None:
        self._sentences = sentences
        self._model, self._pooling, self._batch_size = model, pooling, batch_size
        self._judge = judge
        self._block = REPO_BLOCK if fidelity == "repo" else None
        self._seed = seed
        self._embeddings: Array = np.empty(0)
        self._row_of: dict[str, int] = {}
        self.perplexities = None if judge is None else kept_perplexities(judge, sentences)

    def encode(self, augmented: Iterable[Sequence[str]]) -> None:
        """Encode the sample and all that was made of it, every distinct text once."""
        from augcse.encoding.model import encode_distinct, load_encoder

        texts = [*self._sentences, *(text for some in augmented for text in some)]
        self._embeddings, self._row_of = encode_distinct(load_encoder(self._model, self._pooling), texts, self._batch_size)
        check_finite(self._embeddings)

    def pairs(self, rows: Array, augmented: list[str]) -> Pairs:
        """Return the pairs of one augmentation with a cosine each, after `encode`."""
        left, right = self._embedded(rows, augmented)
        return Pairs(rows, augmented, row_cosines(left, right), None if self._judge is None else kept_perplexities(self._judge, augmented))

    def score(self, spec: Spec, pairs: Pairs, speed: float) -> AugmentationScore:
        """Return the figures of one augmentation."""
        card = (spec.text, spec.meaning, spec.family, len(pairs.rows), len(self._sentences), speed)
        if len(pairs.rows) < FEWEST_PAIRS:
            return AugmentationScore(*card)
        generator = np.random.default_rng(derive_seed(self._seed, "score", spec.text))
        left, right = self._embedded(pairs.rows, pairs.augmented)
        moved = (unit_rows(right) - unit_rows(left)).mean(axis=0, keepdims=True)
        return AugmentationScore(
            *card,
            similarity(left, right, self._block),
            mean_interval(pairs.cosines, generator),
            (float(np.quantile(pairs.cosines, 0.25)), float(np.quantile(pairs.cosines, 0.75))),
            self._perplexity(pairs, generator),
            shape(left, right, generator),
            surface_shift([self._sentences[row] for row in pairs.rows], pairs.augmented),
            tuple(round(value, 6) for value in unit_rows(moved)[0].tolist()),
        )

    def _embedded(self, rows: Array, augmented: Sequence[str]) -> tuple[Array, Array]:
        """Return the embeddings of the originals and of their augmentations: (pairs, dim) twice."""
        of_original = [self._row_of[self._sentences[row]] for row in rows]
        return self._embeddings[of_original], self._embeddings[[self._row_of[text] for text in augmented]]

    def _perplexity(self, pairs: Pairs, generator: np.random.Generator) -> Perplexity | None:
        if self.perplexities is None or pairs.perplexities is None:
            return None
        before, after = self.perplexities[pairs.rows], pairs.perplexities
        # A text without a token that the model knows has none.
        whole = np.isfinite(before) & np.isfinite(after)
        if not whole.any():
            return None
        before, after = before[whole], after[whole]
        difference = after - before
        return Perplexity(
            float(before.mean()),
            float(after.mean()),
            float(difference.mean()),
            mean_interval(difference, generator),
            float(np.median(difference)),
        )
