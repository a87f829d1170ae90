"""The evaluation schedule of a run, and early stopping."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from augcse.sections import TrainingSection

SCORED = "eval_"
MIN_EVALUATIONS = 8


def scored_steps(total_steps: int, training: TrainingSection) -> frozenset[int]:
    """Return the steps, counted from 1, after which a run of `total_steps` is evaluated; the start is evaluated in addition.

    Every `eval_every_steps` if that is set, else every `longest_eval_interval_steps`; if that would be fewer than eight evaluations, at
    eight equally spaced steps (or at every step, of fewer than eight). Always after the last step.

    >>> sorted(scored_steps(20, TrainingSection(learning_rate=1e-4, batch_size=2)))
    [3, 5, 8, 10, 13, 15, 18, 20]
    """
    if total_steps < 1:
        return frozenset()
    every = training.eval_every_steps
    if every is None and total_steps >= MIN_EVALUATIONS * training.longest_eval_interval_steps:
        every = training.longest_eval_interval_steps
    if every is not None:
        return frozenset(range(every, total_steps, every)) | {total_steps}
    # Rounded up, so that step 0 is not included and the last step is.
    return frozenset(-(-index * total_steps // MIN_EVALUATIONS) for index in range(1, MIN_EVALUATIONS + 1))


def patience_exhausted(history: Sequence[Mapping[str, Any]], patience_scores: int) -> bool:
    """Return whether none of the last `patience_scores` scores is above the best one before them; never if `patience_scores` is 0.

    Args:
        history: the log history; the first score of an entry is the one that selects models.
        patience_scores: the number of evaluations without improvement after which training stops.

    >>> patience_exhausted([{"eval_dev": 50.0}, {"eval_dev": 49.0}, {"loss": 1.0}, {"eval_dev": 50.0}], 2)
    True
    """
    main_scores = [next((value for key, value in entry.items() if key.startswith(SCORED)), None) for entry in history]
    scores = [score for score in main_scores if score is not None]
    return 0 < patience_scores < len(scores) and max(scores[:-patience_scores]) >= max(scores[-patience_scores:])
