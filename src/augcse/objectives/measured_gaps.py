"""SNCSE's margins of each augmentation, from the similarity that `augcse score` measured. No torch here: recipes are read with it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from augcse.augmentations.scored import not_scores, read_scores
from augcse.augmentations.spec import parse_spec
from augcse.errors import UserError

# The widest gap that an option takes: the range of a cosine.
_WIDEST = 2.0
# A recipe shows the gaps, and the last bits of an encoder's output depend on the processor.
_DECIMALS = 4


def measured_gaps(folder: str, names: Sequence[str]) -> list[list[float]]:
    """Return the least and the greatest gap of each augmentation, in the order of `names`.

    Args:
        folder: what `augcse score --output` wrote, under any encoder.
        names: augmentations, as the recipe has them.

    Raises:
        UserError: no such folder, one that `augcse score` did not write, an augmentation that it does not have or that changed too few
            sentences to be measured, or an encoder under which all sentences are alike.
    """
    path = Path(folder).expanduser()
    scores = read_scores(path)
    return [_gap_of(parse_spec(name).text, scores, path) for name in names]


def gap_between(low: float, high: float, chance: float) -> list[float]:
    """Return [a, b] = [(1 - high) / (1 - chance), (1 - low) / (1 - chance)], from 0 to 2.

    The gap of a pair of cosine s is the share (1 - s) / (1 - chance) of the way from the sentence itself to an unrelated one: contrastive
    training moves unrelated sentences to a cosine near 0; the measuring encoder gives them `chance`.

    Args:
        low: the first quartile of the cosines of a sentence and its augmentation.
        high: the third quartile.
        chance: mean cosine of a sentence and the augmentation of another, below 1.
    """
    return [round(min(max((1 - cosine) / (1 - chance), 0.0), _WIDEST), _DECIMALS) for cosine in (high, low)]


def _gap_of(name: str, scores: dict[str, dict[str, Any]], folder: Path) -> list[float]:
    """Return the gap of one augmentation from its scores; raises `UserError` if these do not have it."""
    if name not in scores:
        raise UserError(f"gaps: {folder} does not have {name}; score it too: augcse score CORPUS --with {','.join([*scores, name])}")
    score = scores[name]
    if score.get("similarity", {}) is None:
        raise UserError(f"gaps: {folder} has {score.get('changed')} pairs of {name}, too few to be measured; score a larger --sample")
    try:
        low, high = map(float, score["similarity_quartiles"])
        chance = float(score["similarity"]["random_pair"])
    except (KeyError, TypeError, ValueError) as error:
        raise not_scores(folder) from error
    if not all(map(math.isfinite, (low, high, chance))):
        raise not_scores(folder)
    if chance >= 1:
        raise UserError(f"gaps: under the encoder of {folder} all sentences are alike ({name}: {chance:g}); score with another --model")
    return gap_between(low, high, chance)
