"""The roles of augmentations: positive, negative, or neutral, which a label method resolves to one of them.

Tang, Kocyigit, Wijaya 2022 (AugCSE), its code's roles and labels (generate_text_classification.py:24-127).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from augcse.augmentations.base import Meaning
from augcse.augmentations.spec import parse_spec, parse_specs
from augcse.errors import UserError
from augcse.sections import AugmentationSection

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Roles:
    """Augmentations by role, as a recipe's [augmentation] names them.

    The results of `positives` have the meaning of the original, those of `negatives` do not. For `neutral` ones `label_method` decides:
    "pessimistic": positive only if its card says highly_preserving; "optimistic": negative only if its card says alteration;
    "lm_uniform": row by row, see `label_by_scores`.
    """

    section: AugmentationSection

    def check(self) -> None:
        """Raise `UserError` for an unknown augmentation, or one with two roles."""
        names = self.all
        for index, name in enumerate(names):
            if name in names[:index]:
                raise UserError(f"augmentation {name} is named twice under positives, negatives and neutral; give it one role")
        if names:
            parse_specs(names)

    def as_json(self) -> dict[str, Any]:
        """Return the settings that determine the roles."""
        return {
            "positives": list(self.section.positives),
            "negatives": list(self.section.negatives),
            "neutral": list(self.section.neutral),
            "label_method": self.section.label_method,
            "perplexity_scale": self.section.label_perplexity_scale,
            "similarity_scale": self.section.label_similarity_scale,
        }

    @property
    def all(self) -> tuple[str, ...]:
        """The augmentations of every role."""
        return (*self.section.positives, *self.section.negatives, *self.section.neutral)

    def is_positive(self, name: str) -> bool | None:
        """Return whether the results of `name` are positives; None if that is decided row by row. A name without a role is neutral."""
        if name in self.section.positives:
            return True
        if name in self.section.negatives:
            return False
        return label_by_meaning(parse_spec(name).meaning, self.section.label_method)

    def pools(self, positive: bool) -> Iterator[tuple[str, ...]]:
        """Yield the pools for a positive (or negative): first with the neutral ones that may be one, then without those judged by row."""
        listed = self.section.positives if positive else self.section.negatives
        neutral = tuple(name for name in self.section.neutral if self.is_positive(name) in (positive, None))
        judged = any(self.is_positive(name) is None for name in neutral)
        if listed or neutral:
            yield (*listed, *neutral)
        if judged and listed:
            yield listed


def label_by_meaning(meaning: Meaning, method: str) -> bool | None:
    """Return whether an augmentation of this meaning is a positive; None under "lm_uniform", which decides row by row."""
    if method == "lm_uniform":
        return None
    return meaning == "highly_preserving" if method == "pessimistic" else meaning != "alteration"


@dataclass(frozen=True, slots=True)
class Calibration:
    """Statistics of a corpus: the standard deviation of perplexity, and mean and standard deviation of the similarity of random pairs."""

    perplexity_sd: float
    random_similarity: float
    random_similarity_sd: float

    @classmethod
    def of(cls, perplexities: Array, random_similarities: Array) -> Self:
        """Compute the statistics of a sample: perplexities (n,) of originals, similarities (m,) of random pairs of them."""
        if not len(perplexities) or not len(random_similarities):
            raise UserError("lm_uniform needs sentences to compare with; give a corpus of at least two")
        return cls(float(np.std(perplexities)), float(np.mean(random_similarities)), float(np.std(random_similarities)))


def label_by_scores(
    original_perplexity: Array,
    augmented_perplexity: Array,
    similarity: Array,
    calibration: Calibration,
    perplexity_scale: float = 1.0,
    similarity_scale: float = 0.2,
) -> Array:
    """AugCSE's "lm_uniform": positive unless its perplexity is much higher than the original's, or its similarity is that of random pairs.

    Negative where augmented - original perplexity > perplexity_scale * sd(original perplexity), or
    similarity - mean(random similarity) < similarity_scale * sd(random similarity).

    Deviation: the code compared with the similarity of one random pair per row, so that labels changed from run to run; here it is
    the mean over random pairs. A perplexity of NaN is ignored.

    Args:
        original_perplexity: (rows,).
        augmented_perplexity: (rows,).
        similarity: of each original to its augmentation, (rows,).
        calibration: of the corpus.
        perplexity_scale: in standard deviations of the originals' perplexity (code: 1.0).
        similarity_scale: in standard deviations of the random pairs' similarity (code: 0.2).

    Returns:
        (rows,) bool, True for a positive.
    """
    worse = np.asarray(augmented_perplexity) - np.asarray(original_perplexity) > perplexity_scale * calibration.perplexity_sd
    similarity_above_random = np.asarray(similarity) - calibration.random_similarity
    positive: Array = ~(worse | (similarity_above_random < similarity_scale * calibration.random_similarity_sd))
    return positive
