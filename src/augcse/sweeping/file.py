"""A sweep as a TOML file: several recipes with settings and grids, on one or more texts. Never imports torch.

seeds = [1, 11, 42]
corpora = ["wiki", "mixed"]           # names; the command line assigns files to them
dev = "stsb"
test = ["sts", "transfer"]
compare_to = ["SimCSE", "static"]     # rows, and baselines by their names in a record; needs [evaluation] kept_resamples

[settings]                            # for every row
"training.max_steps" = 400

[[row]]
name = "SimCSE"                       # default: the recipe's
recipe = "simcse-mini"
corpora = ["wiki"]                    # default: all
settings = { batches = "random" }
grid = { temperature = [0.05, 0.1] }

A sweep that reproduces a paper's table has further keys: at the top or in a row `published_recipe`, which --published trains instead of
`recipe`, and `published_settings` (at the top they replace `settings`, in a row they take precedence over it); at the top `published_of`,
the table and its model; in a row `published`, the paper's figures for it. `recipe` may be given at the top too; a row that has no recipe of
the requested kind is skipped.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from augcse.allowed_values import value_text
from augcse.config import comment_at_top, read_toml, recipe_names
from augcse.errors import UserError, unknown_name
from augcse.options import check_seeds
from augcse.sweeping.grid import Grid
from augcse.sweeping.plan import CORPUS, Published, SweepPlan, SweepRow, plan_of_recipe
from augcse.training.outcome import BASELINES

SWEEPS = Path(__file__).parents[1] / "sweeps"
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f=|]+$")]


Figure = Annotated[float, Field(ge=-100, le=100)]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class _Row(_Table):
    recipe: str | None = Field(None, min_length=1)
    published_recipe: str | None = Field(None, min_length=1)
    name: Name | None = None
    corpora: list[Name] | None = None
    settings: dict[str, Any] = {}
    published_settings: dict[str, Any] = {}
    grid: dict[str, list[Any]] = {}
    published: dict[Name, Figure] = {}


class _File(_Table):
    seeds: list[int] | None = None
    corpora: Annotated[list[Name], Field(min_length=1)] = [CORPUS]
    dev: str = "auto"
    test: list[str] = ["auto"]
    recipe: str | None = Field(None, min_length=1)
    settings: dict[str, Any] = {}
    published_recipe: str | None = Field(None, min_length=1)
    published_settings: dict[str, Any] = {}
    published_of: str | None = Field(None, min_length=1)
    compare_to: list[Name] = []
    row: Annotated[list[_Row], Field(min_length=1)]


def sweep_names() -> list[str]:
    """Return the names of the bundled sweeps, table 2 before table 10."""
    names = (file.stem for file in SWEEPS.glob("*.toml"))
    return sorted(names, key=lambda name: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", name)])


def has_published(name: str) -> bool:
    """Return whether a bundled sweep has recipes of the paper's size."""
    document = read_toml(SWEEPS / f"{name}.toml")
    return "published_recipe" in document or any("published_recipe" in row for row in document["row"])


def read_plan(name: str, grid: Grid, rows: Sequence[str] = (), published: bool = False) -> SweepPlan:
    """Return the plan of a bundled sweep or recipe, or of a TOML file of either kind, with `grid` added to every row.

    Args:
        name: the name of a bundled sweep or recipe, or the path of a TOML file.
        grid: recipe keys with several values each.
        rows: the names of the rows to keep; empty: all.
        published: use the recipes of the paper's size instead of those for the bundled backbone.

    Raises:
        UserError: an unknown name (the nearest is suggested), a file that is not a sweep, an unknown row, or no published recipe.
    """
    path = _sweep_path(name)
    if path is None and published:
        raise UserError(f"--published: {name} is a recipe, not a sweep that reproduces a paper's table; leave it out")
    plan = (plan_of_recipe(name, {}) if path is None else plan_of_file(path, published)).select_rows(rows)
    with_grid = []
    for row in plan.rows:
        for key in grid.keys() & row.grid.keys():
            raise UserError(f"--grid {key}: {row.where} of {path} has it already; leave it out")
        with_grid.append(replace(row, grid={**row.grid, **grid}, where="--grid" if grid and not row.grid else row.where))
    return replace(plan, rows=tuple(with_grid))


def plan_of_file(path: Path, published: bool = False) -> SweepPlan:
    """Read a sweep file, with `published` as in `read_plan`. Raises `UserError` with the file, the key and the problem."""
    document = read_toml(path)
    try:
        file = _File.model_validate(document)
    except ValidationError as error:
        raise UserError(f"{path}: {_first_error(error)}") from error
    for number, row in enumerate(file.row, start=1):
        for corpus in row.corpora or ():
            if corpus not in file.corpora:
                raise UserError(f"{path}: row {number}: {unknown_name('corpus', corpus, file.corpora)}")
    seeds = () if file.seeds is None else check_seeds(file.seeds, f"{path}: seeds: ")
    parsed = [_sweep_row(row, file, published, path, f"{path}: row {number}:") for number, row in enumerate(file.row, start=1)]
    rows = [row for row in parsed if row is not None]
    if not rows:
        raise UserError(f"{path}: no row has {'a published_recipe; leave --published out' if published else 'a recipe; give --published'}")
    named = [*(row.name for row in rows), *BASELINES]
    for name in file.compare_to:
        if name not in named:
            raise UserError(f"{path}: compare_to: {unknown_name('row', name, named)}")
    corpora = {corpus for row in rows for corpus in row.corpora}
    compare_to = tuple(file.compare_to)
    return SweepPlan(path.stem, tuple(rows), seeds, file.dev, tuple(file.test), comment_at_top(path), len(corpora) > 1, compare_to)


def _sweep_row(row: _Row, file: _File, published: bool, path: Path, where: str) -> SweepRow | None:
    """Return a row of the file; None if it has no recipe of the requested kind. A recipe's path is relative to the sweep file."""
    small = row.recipe or file.recipe
    full_size = row.published_recipe or file.published_recipe
    if small is None and full_size is None:
        raise UserError(f"{where} recipe is missing; give it here or at the top of the file, see a bundled sweep: {SWEEPS}")
    _check_published(row, file, where)
    recipe = full_size if published else small
    if recipe is None:
        return None
    name = row.name or Path(recipe).stem
    if recipe.endswith(".toml") and not Path(recipe).is_absolute():
        recipe = str(path.parent / recipe)
    settings = (file.published_settings, row.settings, row.published_settings) if published else (file.settings, row.settings)
    figures = Published(file.published_of, row.published) if file.published_of and row.published else None
    return SweepRow(name, recipe, settings, row.grid, tuple(row.corpora or file.corpora), where, figures)


def _check_published(row: _Row, file: _File, where: str) -> None:
    """Raise `UserError` for published figures of several cells, or of an unnamed table."""
    if row.published and row.grid:
        raise UserError(f"{where} it has published figures and a grid, which makes several cells; write a row for each")
    if row.published and file.published_of is None:
        raise UserError(f"{where} it has published figures; give the table that they are of as published_of, at the top of the file")


def _sweep_path(name: str) -> Path | None:
    """Return the path of a sweep file; None if the name is that of a recipe. Raises `UserError` for an unknown name."""
    if name.endswith(".toml"):
        path = Path(name).expanduser()
        if not path.is_file():
            raise UserError(f"no recipe or sweep file {name}; give a TOML file, or a name (see: augcse sweep --list, augcse list recipes)")
        return path if "row" in read_toml(path) else None
    if name in sweep_names():
        return SWEEPS / f"{name}.toml"
    if name not in recipe_names():
        raise unknown_name("recipe or sweep", name, [*recipe_names(), *sweep_names()])
    return None


def _first_error(error: ValidationError) -> str:
    """Return the key, the problem and the remedy of the error to report."""
    # A misspelt required key is reported as a missing key too; the misspelling is the cause.
    first = min(error.errors(), key=lambda entry: entry["type"] != "extra_forbidden")
    key = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
    if first["type"] == "extra_forbidden":
        known = _Row.model_fields if first["loc"][0] == "row" else _File.model_fields
        return f"{key}: {unknown_name('key', str(first['loc'][-1]), known)}"
    if first["type"] == "missing":
        return f"{key} is missing; see a bundled sweep: {SWEEPS}"
    return f"{key} is {value_text(first['input'])}; {first['msg'][0].lower()}{first['msg'][1:]}; see a bundled sweep: {SWEEPS}"
