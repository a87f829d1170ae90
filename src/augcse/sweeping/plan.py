"""What a sweep is made of: rows (a recipe, settings, a grid), their cells, and the runs of a cell, one per seed. Never imports torch."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from augcse.config import Recipe, load_recipe
from augcse.errors import UserError, unknown_name
from augcse.options import MAX_SEED
from augcse.sweeping.grid import Grid, check_grid, combinations, described, number_of_cells

# What a corpus is called that no sweep file names.
CORPUS = "corpus"
# More are asked about: a slip of the keyboard makes a year of work.
MOST_RUNS_UNASKED = 1_000
_FOLDER_CHARACTERS = 100


@dataclass(frozen=True)
class Published:
    """What a paper states for a row.

    Args:
        of: which table, and of which model.
        figures: by the paper's column, x 100 as ours.
    """

    of: str
    figures: Mapping[str, float]


@dataclass(frozen=True)
class Row:
    """A recipe and what is changed of it; its grid makes several cells of it.

    Args:
        name: of the row in tables.
        recipe: a bundled recipe's name or a TOML file.
        settings: keys of the recipe and other values for them.
        grid: keys and several values for each.
        corpora: the names of the texts that it is trained on, each a cell.
        where: what messages call it.
        published: what a paper states for it.
    """

    name: str
    recipe: str
    settings: Mapping[str, Any] = field(default_factory=dict)
    grid: Grid = field(default_factory=dict)
    corpora: tuple[str, ...] = (CORPUS,)
    where: str = "--grid"
    published: Published | None = None

    @property
    def number_of_cells(self) -> int:
        """How many there are."""
        return number_of_cells(self.grid) * len(self.corpora)


@dataclass(frozen=True)
class Plan:
    """All of a sweep but its files.

    Args:
        name: of the recipe or of the sweep file.
        rows: one or more.
        seeds: of each cell's runs; none: what the recipes say.
        dev: by what the models are selected while training and the best cell is chosen, as `augcse train --dev`.
        test: what the finished models are scored on, as `augcse train --test`.
        header: what the file says of itself, for lists.
        names_texts: the cells' names end with that of their text.
        compare_to: rows and baselines that every cell's averages are compared to.
    """

    name: str
    rows: tuple[Row, ...]
    seeds: tuple[int, ...] = ()
    dev: str = "auto"
    test: tuple[str, ...] = ("auto",)
    header: str = ""
    names_texts: bool = False
    compare_to: tuple[str, ...] = ()

    @property
    def corpora(self) -> tuple[str, ...]:
        """The names of the texts, in the order of the rows."""
        return tuple(dict.fromkeys(name for row in self.rows for name in row.corpora))

    @property
    def number_of_cells(self) -> int:
        """How many there are, without making them."""
        return sum(row.number_of_cells for row in self.rows)

    def chosen(self, names: Sequence[str]) -> Plan:
        """Return the plan with the rows of these names alone; its cells are called as in the whole. Raises `UserError` for another name."""
        known = [row.name for row in self.rows]
        for name in names:
            if name not in known:
                raise unknown_name("row", name, known)
        return replace(self, rows=tuple(row for row in self.rows if row.name in names)) if names else self


@dataclass(frozen=True)
class Cell:
    """One setting on one text: a row of the table.

    Args:
        name: unique in the sweep.
        recipe: the resolved one; its seed is replaced by each run's.
        corpus: the name of the text.
        settings: what the grid says of this cell.
        seeds: of its runs.
        published: what a paper states for it.
        row: the name of its row.
    """

    name: str
    recipe: Recipe
    corpus: str
    settings: Mapping[str, Any]
    seeds: tuple[int, ...]
    published: Published | None = None
    row: str = ""

    def run_name(self, seed: int) -> str:
        """Return the name of a run's folder."""
        return f"{folder_name(self.name)}-seed{seed}"

    def recipe_of(self, seed: int) -> Recipe:
        """Return the recipe of one run."""
        training = self.recipe.training.model_copy(update={"seed": seed})
        return self.recipe.model_copy(update={"training": training, "seeds": ()})

    def identity(self) -> str:
        """Return a digest of all that the recipe decides, but the seed."""
        document = self.recipe_of(0).model_dump(mode="json")
        return hashlib.sha256(json.dumps(document, sort_keys=True).encode()).hexdigest()


def plan_of_recipe(recipe: str, grid: Grid) -> Plan:
    """Return the plan of one recipe and a grid."""
    name = Path(recipe).stem if recipe.endswith(".toml") else recipe
    return Plan(name, (Row(name, recipe, grid=grid),))


def check_seeds(seeds: Sequence[int], where: str = "--seeds") -> tuple[int, ...]:
    """Return the seeds. Raises `UserError` for none at all, one that is none, or one that is given twice."""
    found = tuple(seeds)
    if not found:
        raise UserError(f"{where}: no seed; give one or more, e.g. 1,11,42")
    for seed in found:
        if isinstance(seed, bool) or not isinstance(seed, int) or not 0 <= seed <= MAX_SEED:
            raise UserError(f"{where}: {seed!r} is no seed; give whole numbers from 0 to {MAX_SEED}, e.g. 1,11,42")
        if found.count(seed) > 1:
            raise UserError(f"{where}: {seed} is given twice; give each seed once")
    return found


def parse_seeds(text: str) -> tuple[int, ...]:
    """Read "1,11,42".

    >>> parse_seeds("1, 11")
    (1, 11)
    """
    parts = [part.strip() for part in text.split(",")]
    for part in parts:
        if not re.fullmatch(r"[0-9]{1,20}", part):
            raise UserError(f"--seeds: {part!r} is no seed; give whole numbers, e.g. 1,11,42")
    return check_seeds([int(part) for part in parts])


def check_values(plan: Plan, overrides: Mapping[str, Any]) -> None:
    """Check each row's settings and each value of its grid alone, which takes their sum and not their product.

    Raises:
        UserError: an unknown recipe or key, with the nearest one, or a value that is not allowed there.
    """
    for row in plan.rows:
        load_recipe(row.recipe, {})
        check_grid(row.grid, row.where)
        base = {**row.settings, **overrides}
        _loaded(row, base)
        for key, values in row.grid.items():
            if key in base:
                raise UserError(f"{row.where} {key} is among the settings too; give it once")
            for value in values:
                _loaded(row, {**base, key: value}, key, value)


def cells_of(plan: Plan, overrides: Mapping[str, Any], seeds: Sequence[int] = ()) -> list[Cell]:
    """Return the cells of all rows, in order.

    Args:
        plan: checked by `check_values`.
        overrides: keys of the recipe, for every row.
        seeds: of every cell; none: the plan's, else each recipe's `seeds`, else its own seed.

    Raises:
        UserError: a combination that a recipe refuses, or two cells that are the same.
    """
    found = list(_cells(plan, overrides, tuple(seeds) or plan.seeds))
    same: dict[tuple[str, str], str] = {}
    for cell in found:
        key = (cell.identity(), cell.corpus)
        if key in same:
            raise UserError(f"{same[key]} and {cell.name} are the same setting; leave one out")
        same[key] = cell.name
    folders = [folder_name(cell.name) for cell in found]
    for cell, folder in zip(found, folders, strict=True):
        if folders.count(folder) > 1:
            raise UserError(f"two rows are called {cell.name!r}; give each a name of its own")
    return found


def folder_name(name: str) -> str:
    """Return a cell's name as that of a folder; a long one is cut and has a digest of the whole at its end.

    >>> folder_name("SimCSE, temperature=0.05, wiki")
    'SimCSE-temperature=0.05-wiki'
    """
    text = re.sub(r"[^A-Za-z0-9._=+]+", "-", name).strip("-.")
    if text and len(text) <= _FOLDER_CHARACTERS:
        return text
    return f"{text[: _FOLDER_CHARACTERS - 9]}-{hashlib.sha256(name.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"


def _cells(plan: Plan, overrides: Mapping[str, Any], seeds: tuple[int, ...]) -> Iterator[Cell]:
    for row in plan.rows:
        for settings in combinations(row.grid):
            recipe = _loaded(row, {**row.settings, **overrides, **settings})
            for corpus in row.corpora:
                name = ", ".join([row.name, *([described(settings)] if settings else []), *([corpus] if plan.names_texts else [])])
                yield Cell(name, recipe, corpus, settings, seeds or recipe.seeds or (recipe.training.seed,), row.published, row.name)


def _loaded(row: Row, settings: Mapping[str, Any], key: str = "", value: Any = None) -> Recipe:
    try:
        return load_recipe(row.recipe, settings)
    except UserError as error:
        said = f"{row.where} {key}={described({key: value}).partition('=')[2]}: " if key else ""
        raise UserError(f"{said}{error}") from error
