"""After which steps a run is scored."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from augcse.sections import TrainingSection

SCORED = "eval_"
LEAST_MOMENTS = 8


def scored_steps(total_steps: int, training: TrainingSection) -> frozenset[int]:
    """Return the steps, counted from 1, after which a run of `total_steps` is scored; step 0, the start, is beside them.

    Every `eval_every_steps` where that is stated. Else every `longest_eval_interval_steps`, in a run so short that this would be fewer
    than eight times at eight steps equally apart (at every step, if there are no eight). Always after the last step.

    >>> sorted(scored_steps(20, TrainingSection(learning_rate=1e-4, batch_size=2)))
    [3, 5, 8, 10, 13, 15, 18, 20]
    """
    if total_steps < 1:
        return frozenset()
    every = training.eval_every_steps
    if every is None and total_steps >= LEAST_MOMENTS * training.longest_eval_interval_steps:
        every = training.longest_eval_interval_steps
    if every is not None:
        return frozenset(range(every, total_steps, every)) | {total_steps}
    # Rounded up, so that none is step 0 and the last is the last.
    return frozenset(-(-index * total_steps // LEAST_MOMENTS) for index in range(1, LEAST_MOMENTS + 1))


def no_more_to_gain(history: Sequence[Mapping[str, Any]], patience_scores: int) -> bool:
    """Whether the last `patience_scores` scores along a run were all not above the best before them; never at 0.

    Args:
        history: the curves; of an entry's scores the first selects.
        patience_scores: how many.

    >>> no_more_to_gain([{"eval_dev": 50.0}, {"eval_dev": 49.0}, {"loss": 1.0}, {"eval_dev": 50.0}], 2)
    True
    """
    found = [next((value for key, value in entry.items() if key.startswith(SCORED)), None) for entry in history]
    scores = [score for score in found if score is not None]
    return 0 < patience_scores < len(scores) and max(scores[:-patience_scores]) >= max(scores[-patience_scores:])
