"""What a sweep was asked for: its cells, their texts, and what it costs, all checked before any work."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.errors import UserError
from augcse.evaluation.run_scores import RunEvaluation
from augcse.sweeping.cost import Cost, cost_of, known_rates
from augcse.sweeping.plan import MOST_RUNS_UNASKED, Cell, Plan, Row, cells_of, check_values

Corpora = str | Path | Sequence[str | Path] | Mapping[str, Any]


@dataclass(frozen=True)
class Asked:
    """What was asked for, its names and values checked: enough to say what it costs."""

    plan: Plan
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
        """All cells, each checked."""
        return cells_of(self.plan, self.overrides, self.seeds)

    def check_size(self) -> None:
        """Refuse so many runs that nobody may have meant them; raises `UserError` with their number and about how long they take."""
        seeds = len(self.seeds or self.plan.seeds) or 1
        cells = self.plan.number_of_cells
        if cells * seeds <= MOST_RUNS_UNASKED:
            return
        first = [cells_of(Plan(self.plan.name, (row,)), self.overrides, self.seeds)[0] for row in _first_cells(self.plan)]
        one = cost_of(first, {}, known_rates(), 1)
        workers = self.workers or os.cpu_count() or 1
        time = ""
        if one.seconds is not None:
            time = f", {replace(one, seconds=one.seconds / one.runs * cells * seeds / workers).time} on {workers} processes"
        many = f"{cells:,} cells with {seeds} seed{'s' if seeds > 1 else ''} are {cells * seeds:,} runs"
        raise UserError(f"{many}{time}; make the grid smaller, or say --yes")

    def cost(self, sentences: Mapping[str, int], workers: int) -> Cost:
        """Return what all runs cost."""
        return cost_of(self.cells, sentences, known_rates(), workers)

    def evaluation(self, cell: Cell) -> RunEvaluation:
        """Return what the runs of a cell are scored on."""
        dev = self.plan.dev if self.dev == "auto" else self.dev
        test = self.plan.test if self.test == "auto" else tuple(self.test)
        return RunEvaluation.stated(cell.recipe, dev, "auto" if test == ("auto",) else test, self.data)


def read_corpora(plan: Plan, corpus: Corpora, column: str | None, encoding_errors: EncodingErrors) -> dict[str, Corpus]:
    """Return each text by the name that the plan has for it. Raises `UserError` for one too many or too few."""
    if not isinstance(corpus, Mapping):
        if len(plan.corpora) > 1:
            names = " ".join(f"--corpus {name}=FILE" for name in plan.corpora)
            raise UserError(f"{plan.name} trains on {len(plan.corpora)} texts; give each by its name: {names}")
        corpus = {plan.corpora[0]: corpus}
    for name in plan.corpora:
        if name not in corpus:
            raise UserError(f"{plan.name} trains on the text {name}, which is not given; add --corpus {name}=FILE")
    return {name: Corpus.of(corpus[name], column, encoding_errors) for name in plan.corpora}


def _first_cells(plan: Plan) -> list[Row]:
    """Return the rows, each with the first value of its grid alone and on its first text."""
    return [replace(row, grid={key: values[:1] for key, values in row.grid.items()}, corpora=row.corpora[:1]) for row in plan.rows]
