"""`augcse list`."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import typer

from augcse.cli.console import print_json, print_table


class Kind(StrEnum):
    """What can be listed."""

    augmentations = "augmentations"
    objectives = "objectives"
    tasks = "tasks"
    recipes = "recipes"


def list_members(
    kind: Kind = typer.Argument(help="What to list."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List what there is, from the registries."""
    cards = _CARDS[kind]()
    if as_json:
        print_json(cards)
        return
    columns = {
        Kind.augmentations: ["name", "family", "meaning", "needs", "description"],
        Kind.objectives: ["name", "class", "paper", "equation", "description"],
        Kind.tasks: ["name", "suites", "pairs", "score"],
        Kind.recipes: ["name", "description"],
    }[kind]
    print_table(columns, [[_cell(card[column]) for column in columns] for card in cards])


def _augmentations() -> list[dict[str, Any]]:
    from augcse.augmentations.base import AUGMENTATIONS

    return [member.card() for member in AUGMENTATIONS]


def _objectives() -> list[dict[str, Any]]:
    from augcse.objectives.base import OBJECTIVES

    return [OBJECTIVES[name].card() for name in OBJECTIVES]


def _tasks() -> list[dict[str, Any]]:
    from augcse.evaluation.base import TASKS

    return [task.card() for task in TASKS]


def _recipes() -> list[dict[str, Any]]:
    from augcse.config import load_recipe, recipe_header, recipe_names

    return [
        {
            "name": name,
            "description": recipe_header(name).split("\n")[0],
            "header": recipe_header(name),
            "objective": load_recipe(name).objective.name,
            "backbone": load_recipe(name).model.backbone,
        }
        for name in recipe_names()
    ]


_CARDS = {
    Kind.augmentations: _augmentations,
    Kind.objectives: _objectives,
    Kind.tasks: _tasks,
    Kind.recipes: _recipes,
}


def _cell(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
