"""The structure of a sweep: rows (a recipe, settings, a grid), their cells, and the runs of a cell, one per seed. Never imports torch."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from augcse.config import Recipe, load_recipe, merge_settings
from augcse.errors import UserError, unknown_name
from augcse.options import check_seeds
from augcse.sweeping.grid import Grid, check_grid, combinations, described, number_of_cells

# The name of the corpus if no sweep file names one.
CORPUS = "corpus"
# A larger sweep may be due to a typing error, and needs --yes.
MAX_RUNS_WITHOUT_YES = 1_000
_FOLDER_CHARACTERS = 100


@dataclass(frozen=True)
class Published:
    """The figures that a paper states for a row.

    Args:
        of: the table and its model.
        figures: by the column of the paper's table, x 100 like ours.
    """

    of: str
    figures: Mapping[str, float]


@dataclass(frozen=True)
class SweepRow:
    """A recipe with changed settings; a grid and several corpora make several cells of it.

    Args:
        name: the name of the row in tables.
        recipe: the name of a bundled recipe, or a TOML file.
        settings: values that replace those of the recipe, by key; those of a later mapping replace those of earlier ones.
        grid: several values by key.
        corpora: the names of the corpora to train on, each of which is a cell.
        where: how error messages refer to the row.
        published: the figures of a paper for it.
    """

    name: str
    recipe: str
    settings: tuple[Mapping[str, Any], ...] = ()
    grid: Grid = field(default_factory=dict)
    corpora: tuple[str, ...] = (CORPUS,)
    where: str = "--grid"
    published: Published | None = None

    @property
    def number_of_cells(self) -> int:
        """The number of grid combinations times the number of corpora."""
        return number_of_cells(self.grid) * len(self.corpora)


@dataclass(frozen=True)
class SweepPlan:
    """A complete sweep, except for the files of its corpora.

    Args:
        name: the name of the recipe or of the sweep file.
        rows: one or more.
        seeds: the seeds of each cell; empty: those of the recipes.
        dev: the task that selects checkpoints and the best cell, as in `augcse train --dev`.
        test: the tasks that finished models are scored on, as in `augcse train --test`.
        header: the comment at the top of the sweep file.
        names_corpora: whether the names of the cells end with the name of their corpus.
        compare_to: rows and baselines that every cell is compared to.
    """

    name: str
    rows: tuple[SweepRow, ...]
    seeds: tuple[int, ...] = ()
    dev: str = "auto"
    test: tuple[str, ...] = ("auto",)
    header: str = ""
    names_corpora: bool = False
    compare_to: tuple[str, ...] = ()

    @property
    def corpora(self) -> tuple[str, ...]:
        """The names of the corpora, in the order of the rows."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.corpora))

    @property
    def number_of_cells(self) -> int:
        """The number of cells, computed without building them."""
        return sum(row.number_of_cells for row in self.rows)

    def select_rows(self, names: Sequence[str]) -> SweepPlan:
        """Return the plan with these rows alone, or all if `names` is empty; names of cells do not change. Raises `UserError`."""
        known = [row.name for row in self.rows]
        for name in names:
            if name not in known:
                raise unknown_name("row", name, known)
        return replace(self, rows=tuple(row for row in self.rows if row.name in names)) if names else self


@dataclass(frozen=True)
class Cell:
    """One combination of settings on one corpus, trained with each seed: a row of the results table.

    Args:
        name: unique in the sweep.
        recipe: the resolved recipe; each run replaces its seed.
        corpus: the name of the corpus.
        settings: the values from the grid.
        seeds: one per run.
        published: the figures of a paper for it.
        row: the name of the row of the plan.
    """

    name: str
    recipe: Recipe
    corpus: str
    settings: Mapping[str, Any]
    seeds: tuple[int, ...]
    published: Published | None = None
    row: str = ""

    def run_name(self, seed: int) -> str:
        """Return the name of a run, which is also that of its folder."""
        return f"{folder_name(self.name)}-seed{seed}"

    def recipe_of(self, seed: int) -> Recipe:
        """Return the recipe of the run with a seed."""
        training = self.recipe.training.model_copy(update={"seed": seed})
        return self.recipe.model_copy(update={"training": training, "seeds": ()})

    def identity(self) -> str:
        """Return a digest of the recipe without its seed."""
        document = self.recipe_of(0).model_dump(mode="json")
        return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def plan_of_recipe(recipe: str, grid: Grid) -> SweepPlan:
    """Return a plan with one recipe and a grid."""
    name = Path(recipe).stem if recipe.endswith(".toml") else recipe
    return SweepPlan(name, (SweepRow(name, recipe, grid=grid),))


def parse_seeds(text: str) -> tuple[int, ...]:
    """Parse seeds separated by commas. Raises `UserError` as `check_seeds`.

    >>> parse_seeds("1, 11")
    (1, 11)
    """
    seeds = [seed.strip() for seed in text.split(",")]
    for seed in seeds:
        if not re.fullmatch(r"[0-9]{1,20}", seed):
            raise UserError(f"--seeds: {seed!r} is not a seed; give whole numbers, e.g. 1,11,42")
    return check_seeds([int(seed) for seed in seeds], "--seeds: ")


def check_values(plan: SweepPlan, overrides: Mapping[str, Any]) -> None:
    """Check the settings of each row, and each value of its grid separately, not each combination.

    Raises:
        UserError: an unknown recipe or key, with the nearest known one, a value that is not allowed, or a key that is given twice.
    """
    for row in plan.rows:
        load_recipe(row.recipe, {})
        check_grid(row.grid, row.where)
        base = (*row.settings, overrides)
        _load_row_recipe(row, base)
        for key, values in row.grid.items():
            for value in values:
                _load_row_recipe(row, (*base, {key: value}), key, value)
        _check_given_once(row, base)


def _check_given_once(row: SweepRow, base: Sequence[Mapping[str, Any]]) -> None:
    """Raise `UserError` for a key of the grid that is also among the settings, or twice in the grid, however it is spelt."""
    given = merge_settings(row.recipe, *base)
    for key, values in row.grid.items():
        with_key = merge_settings(row.recipe, given, {key: values[0]})
        if len(with_key) == len(given):
            raise UserError(f"{row.where} {key} is among the settings or in the grid too, by this name or another; give it once")
        given = with_key


def cells_of(plan: SweepPlan, overrides: Mapping[str, Any], seeds: Sequence[int] = ()) -> list[Cell]:
    """Return the cells of all rows, in order.

    Args:
        plan: checked by `check_values`.
        overrides: values that replace those of every row's recipe, by key.
        seeds: the seeds of every cell; empty: the plan's, else each recipe's `seeds`, else its own seed.

    Raises:
        UserError: a combination that a recipe does not allow, or two equal cells.
    """
    cells = list(_cells_of_rows(plan, overrides, tuple(seeds) or plan.seeds))
    names: dict[tuple[str, str], str] = {}
    for cell in cells:
        key = (cell.identity(), cell.corpus)
        if key in names:
            raise UserError(f"{names[key]} and {cell.name} are the same setting; leave one out")
        names[key] = cell.name
    folders = [folder_name(cell.name) for cell in cells]
    for cell, folder in zip(cells, folders, strict=True):
        if folders.count(folder) > 1:
            raise UserError(f"two rows are called {cell.name!r}; give each its own name")
    return cells


def folder_name(name: str) -> str:
    """Return the name of a cell as a folder name; a long one is shortened and ends with a digest of the full name.

    >>> folder_name("SimCSE, temperature=0.05, wiki")
    'SimCSE-temperature=0.05-wiki'
    """
    text = re.sub(r"[^A-Za-z0-9._=+]+", "-", name).strip("-.")
    if text and len(text) <= _FOLDER_CHARACTERS:
        return text
    return f"{text[: _FOLDER_CHARACTERS - 9]}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _cells_of_rows(plan: SweepPlan, overrides: Mapping[str, Any], seeds: tuple[int, ...]) -> Iterator[Cell]:
    for row in plan.rows:
        for settings in combinations(row.grid):
            recipe = _load_row_recipe(row, (*row.settings, overrides, settings))
            for corpus in row.corpora:
                name = ", ".join([row.name, *([described(settings)] if settings else []), *([corpus] if plan.names_corpora else [])])
                yield Cell(name, recipe, corpus, settings, seeds or recipe.seeds or (recipe.training.seed,), row.published, row.name)


def _load_row_recipe(row: SweepRow, layers: Sequence[Mapping[str, Any]], key: str = "", value: Any = None) -> Recipe:
    """Return the row's recipe with these settings; errors name the row, and the key and value of the grid if given."""
    try:
        return load_recipe(row.recipe, merge_settings(row.recipe, *layers))
    except UserError as error:
        prefix = f"{row.where} {key}={described({key: value}).partition('=')[2]}: " if key else ""
        raise UserError(f"{prefix}{error}") from error
