"""By how much a sweep's cells lie above others and above what costs nothing, from the records of their runs alone.

A record whose recipe asks for it ([evaluation] kept_resamples) holds the average of each suite on bootstrap resamples of its pairs and
rows, the same ones in every record. So a difference to another run of the same text and seed, or to a baseline of the run's own backbone
and text, is known on each resample. The interval draws twice: seeds with replacement and, for all of them, one resample of the pairs (the
hierarchical bootstrap, Davison and Hinkley 1997, section 3.8). The p values of all comparisons of a table are corrected together (Holm
1979).
"""

from __future__ import annotations

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

Array = npt.NDArray[Any]
Record = Mapping[str, Any]
# Draws of seeds and resamples.
DRAWS = 10_000
LEVEL = 0.95
# Fewer seeds say nothing of how seeds differ: the interval is of the pairs alone, and no p value is given.
LEAST_SEEDS = 3
ABOUT = (
    "Differences of the suites' averages to a cell of the same text and seeds, or to what costs nothing: mean over the seeds, and interval"
    f" (95 %) of a bootstrap of seeds and pairs; of fewer than {LEAST_SEEDS} seeds it is of the pairs alone. A star: p < 0.05 after Holm's"
    " correction for all comparisons of this table."
)


@dataclass(frozen=True)
class _Pair:
    """A run's average of a suite and the one that it is compared to: of everything, and on each resample (resamples,)."""

    difference: float
    resampled: Array


def differences(cells: Sequence[Cell], records: Mapping[str, Record], compare_to: Sequence[str]) -> list[dict[str, Any]]:
    """Return the comparisons that the records allow, in the order of the cells.

    Args:
        cells: of the sweep.
        records: of the finished runs, by name.
        compare_to: names of rows, whose cell on the same text is meant, and of baselines.
    """
    found = [
        _described(cell, other, suite, pairs)
        for cell in cells
        for suite in _suites(cell, records)
        for other in compare_to
        if (pairs := list(_pairs(cell, other, suite, cells, records)))
    ]
    tested = [entry for entry in found if entry["p_value"] is not None]
    for entry, corrected in zip(tested, holm([entry["p_value"] for entry in tested]), strict=True):
        entry["corrected_p_value"] = round(corrected, 4)
    return found


def hierarchical_bootstrap(gains: Sequence[float], resampled: Array, generator: np.random.Generator) -> Comparison:
    """Return the mean gain over seeds, its interval and p value: seeds are drawn again, and for all of them one resample of the pairs.

    Args:
        gains: of each seed, on all pairs.
        resampled: the same on each resample, (seeds, resamples).
        generator: what both are drawn with.
    """
    seeds, resamples = resampled.shape
    rows = generator.integers(seeds, size=(DRAWS, seeds))
    columns = generator.integers(resamples, size=(DRAWS, 1))
    return compare_draws(statistics.fmean(gains), resampled[rows, columns].mean(axis=1), LEVEL)


def holm(p_values: Sequence[float]) -> list[float]:
    """Return p values corrected for their number (Holm 1979), in the order given.

    >>> holm([0.04, 0.01, 0.5])
    [0.08, 0.03, 0.5]
    """
    corrected = [0.0] * len(p_values)
    highest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[index]))
        corrected[index] = highest
    return corrected


def differences_table(found: Sequence[Mapping[str, Any]]) -> Table | None:
    """Return one row per cell, a column per suite and what it is compared to; None where nothing is."""
    columns = list(dict.fromkeys((entry["suite"], entry["to"]) for entry in found))
    cells = list(dict.fromkeys(entry["cell"] for entry in found))
    entries = {(entry["cell"], entry["suite"], entry["to"]): entry for entry in found}
    rows = []
    for cell in cells:
        seeds = max(entry["seeds"] for entry in found if entry["cell"] == cell)
        rows.append([cell, str(seeds), *(_shown(entries.get((cell, *column))) for column in columns)])
    return Table(["cell", "seeds", *(f"{suite}: to {other}" for suite, other in columns)], rows) if rows else None


def _shown(entry: Mapping[str, Any] | None) -> str:
    if entry is None:
        return ""
    star = " *" if entry["corrected_p_value"] is not None and entry["corrected_p_value"] < 1 - LEVEL else ""
    return f"{entry['difference']:+.2f} ({entry['low']:+.2f} to {entry['high']:+.2f}){star}"


def _described(cell: Cell, other: str, suite: str, pairs: Sequence[_Pair]) -> dict[str, Any]:
    generator = np.random.default_rng(derive_seed(0, "differences", cell.name, other, suite))
    found = hierarchical_bootstrap([pair.difference for pair in pairs], np.stack([pair.resampled for pair in pairs]), generator)
    return {
        "cell": cell.name,
        "to": other,
        "suite": suite,
        "seeds": len(pairs),
        "difference": round(found.difference, 4),
        "low": round(found.interval.low, 4),
        "high": round(found.interval.high, 4),
        "p_value": round(found.p_value, 6) if len(pairs) >= LEAST_SEEDS else None,
        "corrected_p_value": None,
    }


def _suites(cell: Cell, records: Mapping[str, Record]) -> list[str]:
    kept = [_kept(records.get(cell.run_name(seed)), KEPT_MODEL) for seed in cell.seeds]
    return list(dict.fromkeys(suite for suites in kept for suite in suites))


def _pairs(cell: Cell, other: str, suite: str, cells: Sequence[Cell], records: Mapping[str, Record]) -> Iterator[_Pair]:
    """Yield what is known of the cell's runs and of what they are compared to, a pair per seed that both have."""
    reference = next((one for one in cells if one.row == other and one.corpus == cell.corpus), None)
    if reference is cell:
        return
    for seed in cell.seeds:
        own = records.get(cell.run_name(seed))
        beside, name = (own, other) if reference is None else (records.get(reference.run_name(seed)), KEPT_MODEL)
        mine, theirs = _kept(own, KEPT_MODEL).get(suite), _kept(beside, name).get(suite)
        if own and beside and mine and theirs:
            count = min(len(mine), len(theirs))
            gain = _average(own, KEPT_MODEL, suite) - _average(beside, name, suite)
            yield _Pair(gain, np.asarray(mine[:count]) - np.asarray(theirs[:count]))


def _kept(record: Record | None, name: str) -> Mapping[str, Sequence[float]]:
    """Return a model's resamples by suite."""
    found: Mapping[str, Sequence[float]] = (record or {}).get("resampled", {}).get(name, {})
    return found


def _average(record: Record, name: str, suite: str) -> float:
    """Return the average of a suite, which has another name where no other suite was scored."""
    scores = record["scores"] if name == KEPT_MODEL else record["baselines"][name]["test"]
    return float(scores.get(f"avg_{suite}", scores.get("avg")))
