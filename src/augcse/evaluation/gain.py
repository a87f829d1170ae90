"""The gain of the kept model over the start on the dev score, both on the same resamples of the pairs or rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from augcse.evaluation.samples import RESAMPLES, Measured, bootstrap_generator, compared
from augcse.training.outcome import kept_moment

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

    from augcse.config import Recipe


def gain_over_start(
    start: Recipe,
    outcome: Mapping[str, Any],
    measure: Callable[[SentenceTransformer], Measured] | None,
    model: SentenceTransformer,
) -> dict[str, Any] | None:
    """Return what a record holds under "gain": the dev score's name, the difference, its interval and p value.

    None if the start is kept, or nothing was scored. For a mix, the comparison is taken from its curve; else both models are scored again.

    Args:
        start: the resolved recipe, whose backbone is the model that training started from.
        outcome: of the training.
        measure: the score that selected the model.
        model: the one that is kept.
    """
    from augcse.training.encoder import load_given

    kept = kept_moment(outcome)
    if measure is None or not outcome["kept_step"] or not kept.get("dev"):
        return None
    name = next(iter(kept["dev"]))
    if "weight" in kept:
        curve = outcome["interpolation"]["curve"]
        return {"name": name, **next(mix["from_start"] for mix in curve if mix["weight"] == kept["weight"])}
    samples = [measure(one).sample for one in (load_given(start), model)]
    comparison = compared(samples[0], samples[1], bootstrap_generator(start.training.seed, "gain"), RESAMPLES)
    return {"name": name, **asdict(comparison)}
