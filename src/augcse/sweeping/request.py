"""The validated request of a sweep: its cells, their corpora and their estimated cost, checked before any run starts."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import islice
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field

from augcse.arguments import FileOrName, FilePath, FilesOrNames, ModelName, Settings, Specs, Workers, listed
from augcse.corpus.files import Corpus
from augcse.corpus.lines import EncodingErrors
from augcse.errors import UserError
from augcse.evaluation.base import own_files
from augcse.evaluation.data_folder import find_data
from augcse.evaluation.run_scores import RunEvaluation, names_of, tasks_to_test
from augcse.options import check_seeds
from augcse.pipeline import check_names
from augcse.sweeping.cost import cost_of, known_rates, needed_sentences
from augcse.sweeping.file import read_plan
from augcse.sweeping.grid import Grid
from augcse.sweeping.plan import MAX_RUNS_WITHOUT_YES, Cell, SweepPlan, SweepRow, cells_of, check_values
from augcse.sweeping.references import check_references
from augcse.training.store.used_roles import check_used_roles

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

    @classmethod
    def of(
        cls,
        recipe: FileOrName,
        *,
        grid: Grid | None = None,
        seeds: Sequence[int] | None = None,
        rows: Specs = (),
        published: bool = False,
        model: ModelName | None = None,
        data: FilePath | None = None,
        dev: FileOrName = "auto",
        test: FilesOrNames = "auto",
        settings: Settings | None = None,
        workers: Workers | None = None,
        **overrides: Any,
    ) -> Self:
        """Return the request that the arguments of `augcse.sweep` make; raises `UserError` as that does."""
        listed_grid: Grid = {key: listed(values) for key, values in (grid or {}).items()}
        plan = read_plan(str(recipe), listed_grid, [rows] if isinstance(rows, str) else rows, published)
        backbone = {} if model is None else {"model.backbone": str(model)}
        return cls(
            plan,
            {**(settings or {}), **overrides, **backbone},
            () if seeds is None else check_seeds(seeds, "seeds: "),
            find_data(data),
            str(dev),
            "auto" if test == "auto" else names_of(test),
            workers,
        )

    def __post_init__(self) -> None:
        check_values(self.plan, self.overrides)

    @cached_property
    def cells(self) -> list[Cell]:
        """All cells, in the order of the rows."""
        return cells_of(self.plan, self.overrides, self.seeds)

    def check_recipes(self) -> None:
        """Raise `UserError` for a cell whose recipe names something unknown or unused augmentations, or that has nothing to compare."""
        check_references(self.plan.compare_to, self.cells)
        for cell in self.cells:
            check_names(cell.recipe)
            check_used_roles(cell.recipe)

    def check_size(self) -> None:
        """Raise `UserError`, with the number of runs and the estimated time, for more runs than a user probably wants."""
        # Building all cells of a large grid takes long; the first cell of each row represents the others.
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
        raise UserError(f"{size}{time}; make the grid smaller, or give --yes")

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
    """Return the corpora by the names that the plan gives them. Raises `UserError` if one is missing or its name is not given."""
    if not isinstance(corpus, Mapping):
        if len(plan.corpora) > 1:
            names = " ".join(f"--corpus {name}=FILE" for name in plan.corpora)
            raise UserError(f"{plan.name} trains on {len(plan.corpora)} texts; give each by its name: {names}")
        corpus = {plan.corpora[0]: corpus}
    for name in plan.corpora:
        if name not in corpus:
            raise UserError(f"{plan.name} trains on the text {name}, which is not given; add --corpus {name}=FILE")
    return {name: Corpus.of(corpus[name], column, encoding_errors) for name in plan.corpora}


def count_sentences(cells: Sequence[Cell], corpora: Mapping[str, Corpus]) -> dict[str, int]:
    """Return the number of sentences by cell, counted only as far as the runs of that text need."""
    texts = {cell.name: corpora[cell.corpus].originals(cell.recipe.corpus.columns) for cell in cells}
    needed: dict[Corpus, list[int | None]] = {}
    for cell in cells:
        needed.setdefault(texts[cell.name], []).append(needed_sentences(cell.recipe.training))
    limits = {text: None if None in numbers else max(filter(None, numbers)) for text, numbers in needed.items()}
    counts = {text: sum(1 for _ in islice(text.sentences(), limit)) for text, limit in limits.items()}
    return {name: counts[text] for name, text in texts.items()}


def _single_cell_rows(plan: SweepPlan) -> list[SweepRow]:
    """Return the rows, each reduced to the first value of every grid key and to its first corpus."""
    return [replace(row, grid={key: values[:1] for key, values in row.grid.items()}, corpora=row.corpora[:1]) for row in plan.rows]
