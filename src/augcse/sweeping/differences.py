"""Compare the cells of a sweep with a reference cell or an untrained baseline, with intervals and p values, from run records alone.

A record whose recipe sets [evaluation] kept_resamples holds the average of each suite on bootstrap resamples of its pairs and rows; all
records use the same resamples. The difference to another run of the same corpus and seed, or to a baseline of the same backbone and
corpus, can therefore be computed on each resample. The interval is that of the hierarchical bootstrap (Davison and Hinkley 1997, section
3.8): seeds are drawn with replacement and, for all of them, one resample of the pairs. The p values of all comparisons in a table are
corrected for multiple testing (Holm 1979).
"""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from augcse.evaluation.bootstrap import Comparison, compare_draws
from augcse.evaluation.run_scores import KEPT_MODEL
from augcse.report.table import Table
from augcse.rng import derive_seed
from augcse.sweeping.plan import Cell
from augcse.sweeping.references import reference_of
from augcse.training.outcome import signed

Array = npt.NDArray[Any]
Record = Mapping[str, Any]
DRAWS = 10_000
LEVEL = 0.95
# With fewer seeds their variance cannot be estimated: the interval covers the pairs alone, and there is no p value.
MIN_SEEDS = 3
DIFFERENCES_NOTE = (
    "Differences of the suites' averages to a cell with the same text and seeds, or to a training-free baseline: mean over the seeds, and"
    f" 95 % interval of a bootstrap of seeds and pairs (of the pairs alone with fewer than {MIN_SEEDS} seeds). A star marks p < 0.05 after"
    " Holm's correction for all comparisons of this table."
)


@dataclass(frozen=True)
class _SeedDifference:
    """The difference of a suite's average between a run and its reference: on all pairs, and on each resample (resamples,)."""

    difference: float
    resampled: Array


def differences(cells: Sequence[Cell], records: Mapping[str, Record], compare_to: Sequence[str]) -> list[dict[str, Any]]:
    """Return one comparison per cell, suite and reference that the records contain, in the order of the cells.

    Args:
        cells: all cells of the sweep.
        records: the records of the finished runs, by name.
        compare_to: the references: names of rows, each of which means a cell as in `reference_of`, and of baselines.
    """
    comparisons = []
    for cell in cells:
        for suite, reference in itertools.product(_suites(cell, records), compare_to):
            by_seed = list(_seed_differences(cell, reference, suite, cells, records))
            if by_seed:
                comparisons.append(_compare(cell, reference, suite, by_seed))
    tested = [entry for entry in comparisons if entry["p_value"] is not None]
    for entry, corrected in zip(tested, holm([entry["p_value"] for entry in tested]), strict=True):
        entry["corrected_p_value"] = round(corrected, 4)
    return comparisons


def hierarchical_bootstrap(gains: Sequence[float], resampled: Array, generator: np.random.Generator) -> Comparison:
    """Return the mean gain over seeds, its interval and p value, resampling seeds and pairs.

    Args:
        gains: one per seed, on all pairs.
        resampled: the gains on each resample of the pairs, (seeds, resamples).
        generator: draws the seeds and the resamples.
    """
    seeds, resamples = resampled.shape
    rows = generator.integers(seeds, size=(DRAWS, seeds))
    columns = generator.integers(resamples, size=(DRAWS, 1))
    return compare_draws(statistics.fmean(gains), resampled[rows, columns].mean(axis=1), LEVEL)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for multiple testing (Holm 1979), in the order given.

    >>> holm([0.04, 0.01, 0.5])
    [0.08, 0.03, 0.5]
    """
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = highest
    return corrected


def differences_table(comparisons: Sequence[Mapping[str, Any]]) -> Table | None:
    """Return a table with a row per cell and a column per suite and reference; None without comparisons."""
    columns = list(dict.fromkeys((entry["suite"], entry["to"]) for entry in comparisons))
    cells = list(dict.fromkeys(entry["cell"] for entry in comparisons))
    entries = {(entry["cell"], entry["suite"], entry["to"]): entry for entry in comparisons}
    rows = []
    for cell in cells:
        seeds = max(entry["seeds"] for entry in comparisons if entry["cell"] == cell)
        rows.append([cell, str(seeds), *(with_interval(entries.get((cell, *column))) for column in columns)])
    return Table(["cell", "seeds", *(f"{suite}: to {reference}" for suite, reference in columns)], rows) if rows else None


def with_interval(entry: Mapping[str, Any] | None) -> str:
    """Return a comparison as a table's cell, with a star if its corrected p value is below 0.05; "" for None."""
    if entry is None:
        return ""
    star = " *" if entry["corrected_p_value"] is not None and entry["corrected_p_value"] < 1 - LEVEL else ""
    return f"{signed(entry['difference'])} ({signed(entry['low'])} to {signed(entry['high'])}){star}"


def _compare(cell: Cell, reference: str, suite: str, by_seed: Sequence[_SeedDifference]) -> dict[str, Any]:
    """Return the entry of a cell, reference and suite, still without the corrected p value."""
    generator = np.random.default_rng(derive_seed(0, "differences", cell.name, reference, suite))
    gains = [each.difference for each in by_seed]
    resampled = np.stack([each.resampled for each in by_seed])
    comparison = hierarchical_bootstrap(gains, resampled, generator)
    return {
        "cell": cell.name,
        "to": reference,
        "suite": suite,
        "seeds": len(by_seed),
        "difference": round(comparison.difference, 4),
        "low": round(comparison.interval.low, 4),
        "high": round(comparison.interval.high, 4),
        "p_value": round(comparison.p_value, 6) if len(by_seed) >= MIN_SEEDS else None,
        "corrected_p_value": None,
    }


def _suites(cell: Cell, records: Mapping[str, Record]) -> list[str]:
    """Return the suites that the records of a cell hold resampled scores of."""
    by_seed = [_resampled_scores(records.get(cell.run_name(seed)), KEPT_MODEL) for seed in cell.seeds]
    return list(dict.fromkeys(suite for suites in by_seed for suite in suites))


def _seed_differences(
    cell: Cell, reference: str, suite: str, cells: Sequence[Cell], records: Mapping[str, Record]
) -> Iterator[_SeedDifference]:
    """Yield the difference to the reference for each seed that both have resampled scores for."""
    cell_and_model = reference_of(cell, reference, cells)
    if cell_and_model is None:
        return
    reference_cell, model = cell_and_model
    for seed in cell.seeds:
        record = records.get(cell.run_name(seed))
        other = records.get(reference_cell.run_name(seed))
        scores = _resampled_scores(record, KEPT_MODEL).get(suite)
        other_scores = _resampled_scores(other, model).get(suite)
        if record and other and scores and other_scores:
            count = min(len(scores), len(other_scores))
            gain = _average(record, KEPT_MODEL, suite) - _average(other, model, suite)
            yield _SeedDifference(gain, np.asarray(scores[:count]) - np.asarray(other_scores[:count]))


def _resampled_scores(record: Record | None, model: str) -> Mapping[str, Sequence[float]]:
    """Return the averages of a model on each resample, by suite."""
    by_suite: Mapping[str, Sequence[float]] = (record or {}).get("resampled", {}).get(model, {})
    return by_suite


def _average(record: Record, name: str, suite: str) -> float:
    """Return the average of a suite on all pairs; if only one suite was scored, a record calls it "avg"."""
    scores = record["scores"] if name == KEPT_MODEL else record["baselines"][name]["test"]
    return float(scores.get(f"avg_{suite}", scores.get("avg")))
