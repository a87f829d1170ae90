"""The recipe by which the contract tests train an objective."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from augcse.config import Recipe, load_recipe, recipe_names
from augcse.objectives.base import ObjectiveCard


def mini_recipe(card: ObjectiveCard, backbone: Path, **overrides: Any) -> Recipe:
    """Return the objective's first mini recipe without a discriminator beside it, on this backbone."""
    minis = (load_recipe(name, {"model.backbone": str(backbone), **overrides}) for name in recipe_names() if name.endswith("-mini"))
    plain = (recipe for recipe in minis if recipe.objective.name == card.name and recipe.objective.discriminator is None)
    found = next(plain, None)
    assert found is not None, f"no recipe trains {card.name} on the bundled backbone: add src/augcse/recipes/{card.name}-mini.toml"
    return found
