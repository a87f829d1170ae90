"""Adapt an encoder that is good already to text of one's own: a gentle training, then the best mix of the start and what came of it.

A run of `augcse.train` with a recipe made for this; everything that holds of a run holds of it.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augcse.config import Recipe, read_toml, recipe_names, recipe_path, set_keys, validate
from augcse.errors import UserError, unknown_name
from augcse.model_folder import model_folder
from augcse.objectives.base import OBJECTIVES
from augcse.pipeline import train
from augcse.training.record import Run

RECIPE = "adapt"
STATIC_RECIPE = "adapt-static"
# What an objective's recipe says of the objective; the rest is the adaptation's.
_SECTIONS = ("objective", "corpus", "task", "augmentation")


def adapt(
    corpus: str | Path | Sequence[str | Path],
    *,
    model: str,
    output: str | Path,
    recipe: str = "auto",
    objective: str | None = None,
    last_layers: int | None = None,
    settings: Mapping[str, Any] | None = None,
    **arguments: Any,
) -> Run:
    """Adapt a sentence encoder to a corpus and write model, record and resolved recipe to `output`.

    The model is trained with a small learning rate, its own pooling and no head, until its scores no longer rise. Then the weights between
    those of the start and those of the trained model are scored, and the smallest step away from the start that is not clearly worse than
    the best one is kept: the start itself where nothing is clearly better, which is said.

    Args:
        corpus: one or more text files, one sentence per line, or tables.
        model: a sentence-transformers folder or hub name, a bare backbone, or a static encoder.
        output: the run's folder; `output/model` is an ordinary sentence-transformers model with the modules that `model` has.
        recipe: "auto" (adapt, or adapt-static for a static encoder), a bundled recipe's name or a TOML file.
        objective: another one than the recipe's, by its name or a recipe's, from which it is taken with its augmentations, without head.
        last_layers: of the transformer, how many are trained; None: all.
        settings: recipe keys, e.g. {"training.batch_size": 16, "interpolation.weights": [0.5]}.
        **arguments: `data`, `dev`, `test`, `resume`, `workers`, `encoding_errors`, `column`, `callbacks`, `report_to`, `watcher` as in
            `augcse.train`. Where there is neither `data` nor `dev`, models are scored by the checks of `augcse.probe` on sentences that
            are not trained on.

    Raises:
        UserError: as `augcse.train`.
        Interrupted: as `augcse.train`.
    """
    keys = {} if last_layers is None else {"training.last_layers": last_layers}
    resolved = adapt_recipe(model, recipe, objective, {**keys, **(settings or {})})
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
    """Return the recipe that suits a model, by its first module."""
    try:
        modules = json.loads((model_folder(model, weights=False) / "modules.json").read_text("utf-8"))
        kind = str(modules[0]["type"])
    except (OSError, ValueError, LookupError, TypeError):
        # A bare backbone, or a damaged one, which is refused where it is loaded.
        return RECIPE
    return STATIC_RECIPE if kind.rpartition(".")[2] in ("StaticEmbedding", "TokensOnce") else RECIPE


def _with_objective(document: dict[str, Any], objective: str) -> dict[str, Any]:
    """Put an objective with its augmentations and columns in the place of the document's."""
    names = [f"{objective}-mini", objective]
    found = next((name for name in names if name in recipe_names()), None)
    if found is None:
        raise unknown_name("objective", objective, [*OBJECTIVES.names(), *recipe_names()])
    other = read_toml(recipe_path(found))
    if "objective" not in other:
        raise UserError(f"recipe {found} states no objective; give another --objective")
    taken = {section: other[section] for section in _SECTIONS if section in other}
    if "projection" in OBJECTIVES.get(other["objective"]["name"]).options:
        taken["objective"] = {**other["objective"], "projection": "none"}
    return {**{section: content for section, content in document.items() if section not in _SECTIONS}, **taken}
