"""After which steps a run is scored."""

from __future__ import annotations

from augcse.config import TrainingSection

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
