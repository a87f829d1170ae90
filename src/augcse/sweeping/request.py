"""The validated request of a sweep: its cells, their corpora and their estimated cost, checked before any run starts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

from pydantic import Field

from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.errors import UserError
from augcse.evaluation.base import own_files
from augcse.evaluation.run_scores import RunEvaluation, tasks_to_test
from augcse.sweeping.cost import cost_of, known_rates
from augcse.sweeping.plan import MAX_RUNS_WITHOUT_YES, Cell, SweepPlan, SweepRow, cells_of, check_values

Corpora = Annotated[
    str | Path | Sequence[str | Path] | Mapping[str, Any], Field(description="a path, a list of paths, or a dictionary of them by name")
]


@dataclass(frozen=True)
class SweepRequest:
    """The settings of a sweep; names and values are checked on construction, and corpora are not read."""

    plan: SweepPlan
    overrides: Mapping[str, Any]
    seeds: tuple[int, ...] = ()
    data: Path | None = None
    dev: str = "auto"
    test: str | Sequence[str] = "auto"
    workers: int | None = None

    def __post_init__(self) -> None:
        check_values(self.plan, self.overrides)

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, in the order of the rows."""
        return cells_of(self.plan, self.overrides, self.seeds)

    def check_size(self) -> None:
        """Raise `UserError`, with the number of runs and the estimated time, for more runs than a user is likely to want."""
        # Building all cells of a large grid takes long; the first cell of each row stands for the others.
        seeds = self.seeds or self.plan.seeds
        sample = [cells_of(SweepPlan(self.plan.name, (row,)), self.overrides, seeds)[0] for row in _single_cell_rows(self.plan)]
        runs = sum(row.number_of_cells * len(cell.seeds) for row, cell in zip(self.plan.rows, sample, strict=True))
        if runs <= MAX_RUNS_WITHOUT_YES:
            return
        cost = cost_of(sample, {}, known_rates(), 1)
        workers = self.workers or os.cpu_count() or 1
        time = ""
        if cost.seconds is not None:
            time = f", {replace(cost, seconds=cost.seconds / cost.runs * runs / workers).time} on {workers} processes"
        size = f"{self.plan.number_of_cells:,} cells with their seeds are {runs:,} runs"
        raise UserError(f"{size}{time}; make the grid smaller, or say --yes")

    def evaluation(self, cell: Cell) -> RunEvaluation:
        """Return the dev and test tasks that the runs of a cell are scored on."""
        dev = self.plan.dev if self.dev == "auto" else self.dev
        return RunEvaluation.stated(cell.recipe, dev, self._test, self.data)

    @property
    def _test(self) -> str | tuple[str, ...]:
        """The tests that the user gave, else those of the sweep file, without data only the files among them; "auto": of each recipe."""
        if self.test != "auto":
            return tuple(self.test)
        if self.plan.test == ("auto",):
            return "auto"
        return self.plan.test if self.data is not None else tuple(own_files(tasks_to_test(self.plan.test)))


def read_corpora(plan: SweepPlan, corpus: Corpora, column: str | None, encoding_errors: EncodingErrors) -> dict[str, Corpus]:
    """Return the corpora by the names that the plan gives them. Raises `UserError` where one is missing or its name is not given."""
    if not isinstance(corpus, Mapping):
        if len(plan.corpora) > 1:
            names = " ".join(f"--corpus {name}=FILE" for name in plan.corpora)
            raise UserError(f"{plan.name} trains on {len(plan.corpora)} texts; give each by its name: {names}")
        corpus = {plan.corpora[0]: corpus}
    for name in plan.corpora:
        if name not in corpus:
            raise UserError(f"{plan.name} trains on the text {name}, which is not given; add --corpus {name}=FILE")
    return {name: Corpus.of(corpus[name], column, encoding_errors) for name in plan.corpora}


def _single_cell_rows(plan: SweepPlan) -> list[SweepRow]:
    """Return the rows, each reduced to the first value of every grid key and to its first corpus."""
    return [replace(row, grid={key: values[:1] for key, values in row.grid.items()}, corpora=row.corpora[:1]) for row in plan.rows]
