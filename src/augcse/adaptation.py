"""Adapt a trained sentence encoder to a corpus: fine-tune it gently, then interpolate between its old and new weights.

This is a run of `augcse.train` with a recipe for this purpose.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field

from augcse.arguments import FileOrName, FilePath, FilePaths, ModelName, Settings
from augcse.config import Recipe, read_toml, recipe_names, recipe_path, set_keys, validate
from augcse.errors import UserError, unknown_name
from augcse.model_folder import model_folder
from augcse.objectives.base import OBJECTIVES
from augcse.options import MAX_LAYERS, checks_arguments
from augcse.pipeline import train
from augcse.training.record import Run

RECIPE = "adapt"
STATIC_RECIPE = "adapt-static"
# The sections taken from the recipe of another objective; the others are those of the adaptation recipe.
_SECTIONS = ("objective", "corpus", "task", "augmentation")


@checks_arguments
def adapt(
    corpus: FilePaths,
    *,
    model: ModelName,
    output: FilePath,
    recipe: FileOrName = "auto",
    objective: str | None = None,
    last_layers: Annotated[int, Field(ge=1, le=MAX_LAYERS)] | None = None,
    settings: Settings | None = None,
    **arguments: Any,
) -> Run:
    """Adapt a sentence encoder to a corpus and write model, record and resolved recipe to `output`.

    The model is trained with a small learning rate, its own pooling and no projection head, with early stopping. Then several
    interpolations between its initial and its trained weights are scored, and the one nearest to the initial weights that is not clearly
    worse than the best is saved: the initial model itself, with a warning, if nothing is clearly better.

    Args:
        corpus: one or more text files, one sentence per line, or tables.
        model: a sentence-transformers folder or hub name, a bare backbone, or a static encoder.
        output: the folder of the run; `output/model` is an ordinary sentence-transformers model with the modules of `model`.
        recipe: "auto" (adapt, or adapt-static for a static encoder), the name of a bundled recipe, or a TOML file.
        objective: replaces the recipe's objective: the name of another objective, or of a recipe whose objective and augmentations are
            used, without projection head.
        last_layers: train this many of the transformer's last layers; None: all.
        settings: values by recipe key, e.g. {"training.batch_size": 16, "interpolation.weights": [0.5]}.
        **arguments: `data`, `dev`, `test`, `resume`, `workers`, `encoding_errors`, `column`, `callbacks`, `report_to`, `watcher` as in
            `augcse.train`, and, as there, values by recipe key, which replace those of `settings`. With neither `data` nor `dev`, models
            are scored by the checks of `augcse.probe` on held-out sentences.

    Raises:
        UserError: as `augcse.train`.
        Interrupted: as `augcse.train`.
    """
    keys = {} if last_layers is None else {"training.last_layers": last_layers}
    resolved = adapt_recipe(str(model), str(recipe), objective, {**(settings or {}), **keys})
    return train(resolved, corpus=corpus, output=output, **arguments)


def adapt_recipe(model: str, recipe: str = "auto", objective: str | None = None, settings: Mapping[str, Any] | None = None) -> Recipe:
    """Return the resolved recipe of an adaptation; arguments and errors as in `adapt`."""
    name = _recipe_for(model) if recipe == "auto" else recipe
    path = recipe_path(name)
    document = {**read_toml(path), "name": path.stem}
    if objective is not None:
        document = _with_objective(document, objective)
    set_keys(document, {**(settings or {}), "model.backbone": model}, str(path))
    return validate(document, str(path))


def _recipe_for(model: str) -> str:
    """Return the name of the recipe for a model, by the class of its first module."""
    try:
        modules = json.loads((model_folder(model, weights=False) / "modules.json").read_text("utf-8"))
        module_type = str(modules[0]["type"])
    except (OSError, ValueError, LookupError, TypeError):
        # A bare backbone, or a damaged folder, whose error is reported when it is loaded.
        return RECIPE
    return STATIC_RECIPE if module_type.rpartition(".")[2] in ("StaticEmbedding", "TokensOnce") else RECIPE


def _with_objective(document: dict[str, Any], objective: str) -> dict[str, Any]:
    """Replace objective, augmentations and columns of a recipe's document by those of another objective."""
    recipe = next((name for name in (f"{objective}-mini", objective) if name in recipe_names()), None)
    if recipe is None:
        raise unknown_name("objective", objective, [*OBJECTIVES.names(), *recipe_names()])
    other = read_toml(recipe_path(recipe))
    if "objective" not in other:
        raise UserError(f"recipe {recipe} states no objective; give another --objective")
    replacements = {section: other[section] for section in _SECTIONS if section in other}
    if "projection" in OBJECTIVES.get(other["objective"]["name"]).options:
        replacements["objective"] = {**other["objective"], "projection": "none"}
    return {**{section: content for section, content in document.items() if section not in _SECTIONS}, **replacements}
