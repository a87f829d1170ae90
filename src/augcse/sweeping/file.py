"""A sweep as a TOML file: several recipes with settings and grids, on one or more texts. Never imports torch.

seeds = [1, 11, 42]
corpora = ["wiki", "mixed"]           # names; the command line says which files they are
dev = "stsb"
test = ["sts", "transfer"]

[settings]                            # of every row
"training.max_steps" = 400

[[row]]
name = "SimCSE"                       # left out: the recipe's
recipe = "simcse-mini"
corpora = ["wiki"]                    # left out: all
settings = { batches = "random" }
grid = { temperature = [0.05, 0.1] }
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from augcse.config import read_toml, recipe_names
from augcse.errors import UserError, unknown_name
from augcse.options import value_text
from augcse.sweeping.grid import Grid
from augcse.sweeping.plan import CORPUS, Plan, Row, check_seeds, plan_of_recipe

SWEEPS = Path(__file__).parents[1] / "sweeps"
Name = Annotated[str, Field(min_length=1, max_length=60, pattern=r"^[^\x00-\x1f=|]+$")]


class _Table(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class _Row(_Table):
    recipe: str = Field(min_length=1)
    name: Name | None = None
    corpora: list[Name] | None = None
    settings: dict[str, Any] = {}
    grid: dict[str, list[Any]] = {}


class _File(_Table):
    seeds: list[int] | None = None
    corpora: Annotated[list[Name], Field(min_length=1)] = [CORPUS]
    dev: str = "auto"
    test: list[str] = ["auto"]
    settings: dict[str, Any] = {}
    row: Annotated[list[_Row], Field(min_length=1)]


def sweep_names() -> list[str]:
    """Return the names of the bundled sweeps."""
    return sorted(file.stem for file in SWEEPS.glob("*.toml"))


def read_plan(name: str, grid: Grid, rows: Sequence[str] = ()) -> Plan:
    """Return the plan of a bundled sweep or recipe by name, or of a TOML file of either kind; `grid` is laid over every row.

    Args:
        name: of either, or the file.
        grid: keys of a recipe and values.
        rows: names of those to keep; none: all.

    Raises:
        UserError: neither is called so (the nearest is named), a file that is no sweep, or no row of such a name.
    """
    path = _sweep_path(name)
    plan = (plan_of_recipe(name, {}) if path is None else plan_of_file(path)).chosen(rows)
    kept = []
    for row in plan.rows:
        for key in grid.keys() & row.grid.keys():
            raise UserError(f"--grid {key}: {row.where} of {path} has it already; leave it out")
        kept.append(replace(row, grid={**row.grid, **grid}, where="--grid" if grid and not row.grid else row.where))
    return replace(plan, rows=tuple(kept))


def plan_of_file(path: Path) -> Plan:
    """Read a sweep file. Raises `UserError` with the file, the key and what is wrong with it."""
    document = read_toml(path)
    try:
        file = _File.model_validate(document)
    except ValidationError as error:
        raise UserError(f"{path}: {_first_error(error)}") from error
    for number, row in enumerate(file.row, start=1):
        for corpus in row.corpora or ():
            if corpus not in file.corpora:
                raise UserError(f"{path}: row {number}: {unknown_name('corpus', corpus, file.corpora)}")
    seeds = () if file.seeds is None else check_seeds(file.seeds, f"{path}: seeds")
    rows = [_row(row, number, file, path) for number, row in enumerate(file.row, start=1)]
    texts = {corpus for row in rows for corpus in row.corpora}
    return Plan(path.stem, tuple(rows), seeds, file.dev, tuple(file.test), _header(path), names_texts=len(texts) > 1)


def _row(row: _Row, number: int, file: _File, path: Path) -> Row:
    """Return a row of the file; a recipe's file is looked for beside it."""
    recipe = row.recipe
    if recipe.endswith(".toml") and not Path(recipe).is_absolute():
        recipe = str(path.parent / recipe)
    corpora = tuple(row.corpora or file.corpora)
    settings: Mapping[str, Any] = {**file.settings, **row.settings}
    return Row(row.name or Path(row.recipe).stem, recipe, settings, row.grid, corpora, f"{path}: row {number}:")


def _sweep_path(name: str) -> Path | None:
    """Return the file of a sweep; None for a recipe."""
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


def _header(path: Path) -> str:
    """Return the comment at the top of the file."""
    lines = []
    for line in path.read_text("utf-8").splitlines():
        if not line.startswith("#"):
            break
        lines.append(line.removeprefix("#").strip())
    return "\n".join(lines)


def _first_error(error: ValidationError) -> str:
    # A misspelt key also shows as a missing one; the misspelling is the cause.
    first = min(error.errors(), key=lambda found: found["type"] != "extra_forbidden")
    key = ".".join(str(part + 1) if isinstance(part, int) else part for part in first["loc"])
    if first["type"] == "extra_forbidden":
        known = _Row.model_fields if first["loc"][0] == "row" else _File.model_fields
        return f"{key}: {unknown_name('key', str(first['loc'][-1]), known)}"
    if first["type"] == "missing":
        return f"{key} is missing; see a bundled sweep: {SWEEPS}"
    return f"{key} is {value_text(first['input'])}; {first['msg'][0].lower()}{first['msg'][1:]}; see a bundled sweep: {SWEEPS}"
