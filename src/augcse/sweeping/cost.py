"""The estimated cost of a sweep: runs, steps, and time by the step rates measured on this machine. Never imports torch."""

from __future__ import annotations

import json
import math
import statistics
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from augcse.config import Recipe
from augcse.disk_cache import cache_folder
from augcse.errors import UserError
from augcse.files import write_json
from augcse.sections import TrainingSection
from augcse.sweeping.plan import Cell

# The size of the corpus that all four papers train on (Gao et al. 2021), to estimate the cost of runs of the paper's size.
PUBLISHED_SENTENCES = 1_000_000
_FILE = "sweep-rates.json"
# In shorter runs evaluation takes more time than training, so that their step rate does not predict that of longer runs.
MIN_STEPS_FOR_RATE = 50
# Seconds of a step of 64 sentences of 32 tokens on one thread (docs/results/training_cost.json); used until this machine has rates.
_MEASURED_BATCH = 64
_BERT_BASE_STEP_S = 26.966
_MEASURED_STEP_S = {
    "mini-bert": 1.109,
    "google-bert/bert-base-uncased": _BERT_BASE_STEP_S,
    "FacebookAI/roberta-base": _BERT_BASE_STEP_S,
    "hfl/chinese-roberta-wwm-ext": _BERT_BASE_STEP_S,
}


@dataclass(frozen=True)
class Rate:
    """Seconds of a training step, and of the rest of a run (preparing, scoring); the rest is None if no run was measured here."""

    step_s: float
    other_s: float | None


@dataclass(frozen=True)
class Cost:
    """The estimated cost of a sweep.

    Args:
        runs: one per cell and seed.
        steps: of all runs, without the finished steps of resumed ones; None if that depends on the size of a corpus that was not read.
        seconds: on the given number of workers; None if no rate is known.
        excludes_scoring: `seconds` covers training steps only, because no run has finished on this machine yet.
    """

    runs: int
    steps: int | None
    seconds: float | None
    excludes_scoring: bool = False

    def __str__(self) -> str:
        steps = "" if self.steps is None else f", {self.steps:,} steps"
        return f"{self.runs:,} run{'s' if self.runs != 1 else ''}{steps}, {self.time}"

    @property
    def time(self) -> str:
        """The estimated time as text for messages."""
        if self.seconds is None:
            return "time not known before a run has finished"
        return f"about {duration(self.seconds)}{', without scoring' if self.excludes_scoring else ''}"


def duration(seconds: float) -> str:
    """Return a duration as text, in seconds, minutes, hours or days according to its length.

    >>> duration(90), duration(9000), duration(1e7), duration(10)
    ('2 min', '2.5 h', '115.7 days', '10 s')
    """
    if seconds < 60:
        return f"{seconds:.0f} s"
    if seconds < 3600:
        return f"{seconds / 60:.0f} min"
    return f"{seconds / 3600:.1f} h" if seconds < 48 * 3600 else f"{seconds / 86400:.1f} days"


def steps_of(training: TrainingSection, sentences: int | None) -> int | None:
    """Return the number of steps of a run; None if it depends on the number of sentences and that is unknown."""
    if sentences is None:
        return training.max_steps if training.max_steps > 0 else None
    steps = max(1, round(sentences // training.batch_size * training.epochs))
    return min(steps, training.max_steps) if training.max_steps > 0 else steps


def needed_sentences(training: TrainingSection) -> int | None:
    """Return how many sentences suffice to reach `max_steps`, so that counting may stop there; None if all must be counted."""
    if training.max_steps <= 0:
        return None
    return training.batch_size * (math.ceil(training.max_steps / training.epochs) + 1)


def cost_of(
    cells: Sequence[Cell],
    sentences: Mapping[str, int],
    rates: Mapping[str, Rate],
    workers: int,
    steps_done: Mapping[str, int] | None = None,
) -> Cost:
    """Return the cost of all runs of the cells.

    Args:
        cells: the cells to run.
        sentences: the number of sentences by cell name; a cell whose corpus was not read is absent.
        rates: as `known_rates` returns them.
        workers: the number of runs at a time.
        steps_done: the step that a run is resumed from, by its name.
    """
    steps = [_steps_left(cell, sentences.get(cell.name), steps_done or {}) for cell in cells]
    times = [_seconds(cell, count, rates) for cell, count in zip(cells, steps, strict=True)]
    runs = sum(len(cell.seeds) for cell in cells)
    known_steps = [count for count in steps if count is not None]
    known_times = [time for time in times if time is not None]
    return Cost(
        runs,
        sum(known_steps) if len(known_steps) == len(cells) else None,
        sum(known_times) / max(1, min(workers, runs)) if len(known_times) == len(cells) else None,
        any(rate is not None and rate.other_s is None for rate in (_rate(cell.recipe, rates) for cell in cells)),
    )


def known_rates() -> dict[str, Rate]:
    """Return the rates measured on this machine, by `rate_key`; {} if none are saved."""
    path = _rates_path()
    try:
        document = json.loads(path.read_text("utf-8")) if path else {}
        return {key: Rate(float(value["step_s"]), float(value["other_s"])) for key, value in document.items()}
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return {}


def save_rate(recipe: Recipe, rate: Rate) -> None:
    """Save the rate of a finished run for later estimates; do nothing if the cache cannot be written."""
    path = _rates_path()
    if path is None:
        return
    rates = {**known_rates(), rate_key(recipe): rate}
    document = {key: {"step_s": round(each.step_s, 4), "other_s": round(each.other_s or 0.0, 1)} for key, each in sorted(rates.items())}
    with suppress(UserError):
        write_json(path, document)


def rate_key(recipe: Recipe) -> str:
    """Return the settings that dominate the time of a step, as a key: backbone, objective, batch size and sequence length."""
    return f"{recipe.model.backbone} {recipe.objective.name} batch {recipe.training.batch_size} of {recipe.model.max_len_tokens}"


def _steps_left(cell: Cell, sentences: int | None, steps_done: Mapping[str, int]) -> int | None:
    """Return the remaining steps of all runs of a cell; None if their number is unknown."""
    steps = steps_of(cell.recipe.training, sentences)
    if steps is None:
        return None
    return sum(steps - min(steps, steps_done.get(cell.run_name(seed), 0)) for seed in cell.seeds)


def _seconds(cell: Cell, steps: int | None, rates: Mapping[str, Rate]) -> float | None:
    """Return the seconds of all runs of a cell, which make `steps` steps together; None if steps or rate are unknown."""
    rate = _rate(cell.recipe, rates)
    if rate is None or steps is None:
        return None
    return steps * rate.step_s + len(cell.seeds) * (rate.other_s or 0.0)


def _rate(recipe: Recipe, rates: Mapping[str, Rate]) -> Rate | None:
    """Return the rate of runs with the same key, else the median of runs with the same backbone, else the reference rate, or None."""
    if rate_key(recipe) in rates:
        return rates[rate_key(recipe)]
    similar = [rate for key, rate in rates.items() if key.startswith(f"{recipe.model.backbone} ")]
    if similar:
        return Rate(statistics.median(rate.step_s for rate in similar), statistics.median(rate.other_s or 0.0 for rate in similar))
    step_s = _MEASURED_STEP_S.get(recipe.model.backbone)
    return None if step_s is None else Rate(step_s * recipe.training.batch_size / _MEASURED_BATCH, None)


def _rates_path() -> Path | None:
    folder = cache_folder()
    return None if folder is None else folder / _FILE
