"""Recipes: one TOML file per published setting, strictly checked; every key can be overridden.

[model]         backbone, pooling, maximum length while training
[start]         post-processing of the backbone before training
[objective]     the name of the loss, and its options
[corpus]        the columns of a table that hold the views
[task]          a labelled task in addition to the objective
[augmentation]  the augmentations, and the parser
[training]      optimizer, batches, seed
[interpolation] weights between the initial and the trained model
[evaluation]    the task that selects the model, and the test tasks
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import Annotated, Any, Self, get_args

from pydantic import BaseModel, Field, ValidationError, field_validator
from pydantic.fields import FieldInfo

from augcse.allowed_values import as_meant, describe, means_none, value_text
from augcse.errors import UserError, unknown_name
from augcse.options import Seed, check_seeds
from augcse.plain_values import plain
from augcse.sections import (
    AugmentationSection,
    CorpusSection,
    DiscriminatorSection,
    EvaluationSection,
    InterpolationSection,
    ModelSection,
    ObjectiveSection,
    Section,
    StartSection,
    TaskSection,
    TrainingSection,
)

RECIPES = Path(__file__).parent / "recipes"
DISCRIMINATOR = "objective.discriminator"  # the table within [objective]


class Recipe(Section):
    """A resolved recipe."""

    name: str = Field(min_length=1, description="a text that is not empty")
    # The default seeds of a sweep. A run has one seed, training.seed; its record and resolved recipe do not contain these.
    seeds: Annotated[tuple[Seed, ...], Field(strict=False)] = Field((), exclude=True, description="a list of whole numbers from 0")
    model: ModelSection
    start: StartSection | None = None
    objective: ObjectiveSection
    corpus: CorpusSection = CorpusSection()
    task: TaskSection | None = None
    augmentation: AugmentationSection = AugmentationSection()
    training: TrainingSection
    interpolation: InterpolationSection = InterpolationSection()
    evaluation: EvaluationSection = EvaluationSection()

    @field_validator("seeds", mode="before")
    @classmethod
    def _different_seeds(cls, seeds: Any) -> tuple[int, ...]:
        return () if seeds in ([], ()) else check_seeds(seeds)

    def beginning_with(self, start: str | None) -> Self:
        """Return the recipe with the initial model of its run as the backbone; None: the run starts from the recipe's backbone."""
        return self if start is None else self.model_copy(update={"model": self.model.model_copy(update={"backbone": start})})


def recipe_names() -> list[str]:
    """Return the names of the bundled recipes."""
    return sorted(file.stem for file in RECIPES.glob("*.toml"))


def recipe_path(name: str) -> Path:
    """Return the path of a bundled recipe, or of a user's TOML file."""
    if name.endswith(".toml"):
        path = Path(name).expanduser()
        if not path.is_file():
            raise UserError(f"no recipe file {name}; give a TOML file, or a name (see: augcse list recipes)")
        return path
    if name not in recipe_names():
        raise unknown_name("recipe", name, recipe_names())
    return RECIPES / f"{name}.toml"


def recipe_header(name: str) -> str:
    """Return the comment at the top of a bundled recipe: paper, table, expected figure, deviations."""
    return comment_at_top(recipe_path(name))


def comment_at_top(path: Path) -> str:
    """Return the comment that a TOML file begins with."""
    lines = takewhile(lambda line: line.startswith("#"), path.read_text("utf-8-sig").splitlines())
    return "\n".join(line.removeprefix("#").strip() for line in lines)


def load_recipe(name: str, overrides: Mapping[str, Any] | None = None) -> Recipe:
    """Load a bundled recipe by name or a TOML file by path, with overrides by dotted key (or by an unambiguous last part).

    Raises:
        UserError: an unknown recipe or key (the nearest one is suggested), or a value of the wrong kind.
    """
    path = recipe_path(name)
    document = read_toml(path)
    document.setdefault("name", path.stem)
    set_keys(document, overrides or {}, str(path))
    # The error may be in an override, so that the message names these too.
    return validate(document, f"{path} with {', '.join(overrides)} set" if overrides else str(path))


def with_overrides(recipe: Recipe, overrides: Mapping[str, Any]) -> Recipe:
    """Return a resolved recipe with overrides; keys and errors as in `load_recipe`."""
    if not overrides:
        return recipe
    document = {**recipe.model_dump(exclude_none=True), **({"seeds": recipe.seeds} if recipe.seeds else {})}
    where = f"recipe {recipe.name}"
    set_keys(document, overrides, where)
    return validate(document, f"{where} with {', '.join(overrides)} set")


def set_keys(document: dict[str, Any], overrides: Mapping[str, Any], where: str) -> None:
    """Set keys of a recipe's document in place, by dotted key or by an unambiguous last part.

    Raises:
        UserError: an unknown key (the nearest one is suggested), or a value that is not a table where one is needed, with `where`.
    """
    for key, value in overrides.items():
        section, leaf = _split_key(key, _objective_name(document))
        target = document
        for part in section:
            target = target.setdefault(part, {})
            if not isinstance(target, dict):
                raise UserError(f"{where}: {part} is {value_text(target)}; it is a table, write [{part}]")
        target[leaf] = plain(value)


def merge_settings(recipe: str, *layers: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings of a recipe by full dotted key; a later layer replaces values of an earlier one, however the keys are spelt.

    Raises:
        UserError: an unknown recipe or key (the nearest one is suggested).
    """
    objective = _objective_name(read_toml(recipe_path(recipe)))
    merged: dict[str, Any] = {}
    for layer in layers:
        for key, value in layer.items():
            merged[full_key(key, merged.get("objective.name", objective))] = value
    return merged


def full_key(key: str, objective: str) -> str:
    """Return the full dotted key of a setting, however it is spelt; raises `UserError` for an unknown one.

    >>> full_key("batch_size", "simcse"), full_key("temperature", "simcse")
    ('training.batch_size', 'objective.temperature')
    """
    section, leaf = _split_key(key, objective)
    return ".".join([*section, leaf])


def read_toml(path: Path) -> dict[str, Any]:
    """Return the content of a TOML file, with or without a byte-order mark; raises `UserError`, with line and column."""
    try:
        return tomllib.loads(path.read_text("utf-8-sig"))
    except ValueError as error:
        raise UserError(f"{path}: not a TOML file: {error}; correct it, or see a bundled one: {RECIPES}") from error
    except RecursionError as error:
        raise UserError(f"{path}: not a recipe: lists or tables are nested too deeply; give plain values") from error
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}; give a TOML file") from error


def validate(document: Mapping[str, Any], where: str) -> Recipe:
    """Check a recipe's keys and values, those of its objective included.

    Raises:
        UserError: with `where`, the key, the value, and what is allowed.
    """
    from augcse.objectives.base import find_objective

    try:
        recipe = _with_options_read(Recipe.model_validate(document))
        find_objective(recipe.objective.name).check_options(recipe.objective.options())
    except ValidationError as error:
        raise UserError(f"{where}: {_first_error(error)}") from error
    except UserError as error:
        raise UserError(f"{where}: {error}") from error
    return recipe


def _with_options_read(recipe: Recipe) -> Recipe:
    """Replace options that name a folder by the values read from it, and one text by a list if the option takes a list of texts."""
    from augcse.objectives.base import find_objective
    from augcse.objectives.option_types import reader_of

    known = find_objective(recipe.objective.name).options
    named = {name: value for name, value in recipe.objective.options().items() if isinstance(value, str) and name in known}
    readers_or_none = {name: reader_of(known[name].annotation) for name in named}
    readers = {name: reader for name, reader in readers_or_none.items() if reader is not None}
    # "none" remains a text until the loss is built: a record leaves None out, and would then mean the default.
    values = {
        name: as_meant(known[name].annotation, value) for name, value in named.items() if not means_none(known[name].annotation, value)
    }
    values |= {name: read(named[name], recipe.augmentation.pool) for name, read in readers.items()}
    return recipe.model_copy(update={"objective": recipe.objective.model_copy(update=values)}) if values else recipe


def _first_error(error: ValidationError) -> str:
    """Return the key, the problem and the remedy of the error to report."""
    # A misspelt required key is reported as a missing key too; the misspelling is the cause.
    first = min(error.errors(), key=lambda entry: entry["type"] != "extra_forbidden")
    location = [str(part) for part in first["loc"]]
    if first["type"] == "extra_forbidden":
        return str(unknown_name("key", ".".join(location), known_keys()))
    key = ".".join(location[: _key_depth(location)])
    if first["type"] == "value_error":
        # Raised by a validator of this package, with a message of ours.
        return f"{key}: {first['ctx']['error']}"
    if first["type"] == "missing":
        return f"{key} is missing; give {_allowed_values(location)}"
    return f"{key} is {value_text(first['input'])}; give {_allowed_values(location)}"


def _key_depth(location: Sequence[str]) -> int:
    """Return how many parts of an error's location name a key; the others are pydantic's."""
    return 3 if ".".join(location[:2]) == DISCRIMINATOR else 2


def _allowed_values(location: Sequence[str]) -> str:
    """Describe the values that a key may have."""
    fields: Mapping[str, FieldInfo] = Recipe.model_fields
    field: FieldInfo | None = None
    for part in location[: _key_depth(location)]:
        field = fields.get(part)
        section = _section(field.annotation) if field else None
        fields = section.model_fields if section else {}
    if fields:
        return _allowed_table(fields)
    if field is None:
        return "another value"
    return field.description or describe(Annotated[(field.annotation, *field.metadata)] if field.metadata else field.annotation)


def _allowed_table(fields: Mapping[str, FieldInfo]) -> str:
    """Describe a section: the keys that it needs first, or all if it needs none."""
    required = [name for name, field in fields.items() if field.is_required()]
    optional = [name for name in fields if name not in required]
    return f"a table with {', '.join(required or optional)}" + (f"; optional: {', '.join(optional)}" if required and optional else "")


def known_keys() -> list[str]:
    """Return all dotted keys that a recipe can have, except the options of its objective."""
    keys = []
    for name, field in Recipe.model_fields.items():
        section = _section(field.annotation)
        keys += [f"{name}.{leaf}" for leaf in section.model_fields] if section else [name]
    return [*keys, *(f"{DISCRIMINATOR}.{leaf}" for leaf in DiscriminatorSection.model_fields)]


def _section(annotation: Any) -> type[BaseModel] | None:
    """Return the section class of a field, which may be optional; None for another field."""
    types = (annotation, *get_args(annotation))
    return next((member for member in types if isinstance(member, type) and issubclass(member, BaseModel)), None)


def _split_key(key: str, objective: object) -> tuple[list[str], str]:
    """Return the path of tables to a key of a recipe with this objective, and its last part."""
    if key.startswith(f"{DISCRIMINATOR}."):
        return DISCRIMINATOR.split("."), key.removeprefix(f"{DISCRIMINATOR}.")
    if "." in key:
        section, leaf = key.split(".", 1)
        if section == "objective" or key in known_keys():
            return [section], leaf
        table, _, entry = key.rpartition(".")
        if table == "corpus.columns":
            return table.split("."), entry
        raise unknown_name("key", key, known_keys())
    # The discriminator's keys have names that other sections use too, and need their full path.
    named = [known for known in known_keys() if known != "objective.name" and not known.startswith(f"{DISCRIMINATOR}.")]
    candidates = [known for known in named if known.split(".")[-1] == key]
    if key in candidates:
        return [], key
    if len(candidates) == 1:
        section, leaf = candidates[0].split(".")
        return [section], leaf
    options = _objective_options(objective)
    if key in options:
        return ["objective"], key
    raise unknown_name("key", key, [*named, *(f"objective.{option}" for option in options)])


def _objective_name(document: Mapping[str, Any]) -> object:
    section = document.get("objective")
    return section.get("name") if isinstance(section, dict) else None


def _objective_options(name: object) -> list[str]:
    """Return the names of an objective's options; [] for an unknown objective."""
    from augcse.objectives.base import find_objective

    try:
        return list(find_objective(name).options) if isinstance(name, str) else []
    except UserError:
        # The recipe's validation reports it.
        return []
