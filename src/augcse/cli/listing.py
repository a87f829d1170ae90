"""`augcse list`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import groupby
from typing import TYPE_CHECKING, Any

import typer

from augcse.cli.console import print_json, print_line, print_table, warn

if TYPE_CHECKING:
    from augcse.config import Recipe
    from augcse.registry import Registry

Card = Mapping[str, Any]
OFFLINE, PAPER = "offline", "paper"
_MEANINGS = {"highly_preserving": "preserving", "possible_alteration": "possible", "alteration": "altering"}
_HEADINGS = {
    OFFLINE: "Offline, on the bundled backbone, in minutes on two cores:",
    PAPER: "Rows of papers, which download what they name; a GPU is advised:",
}


class Kind(StrEnum):
    """What can be listed."""

    augmentations = "augmentations"
    sets = "sets"
    compositions = "compositions"
    objectives = "objectives"
    tasks = "tasks"
    recipes = "recipes"
    steps = "steps"


def list_members(
    kind: Kind = typer.Argument(help="What to list."),
    as_json: bool = typer.Option(False, "--json", help="Print one JSON document."),
) -> None:
    """List the registered members of a kind."""
    make_cards, print_members = _LISTS[kind]
    members = make_cards()
    if as_json:
        print_json(members)
    else:
        print_members(members)


def _cards(registry: Registry[Any]) -> list[Card]:
    """Return the cards of a registry's members, and warn about every plugin that failed to load."""
    for failure in registry.failures():
        warn(failure)
    return [member.card() for member in registry]


def _augmentations() -> list[Card]:
    from augcse.augmentations.base import AUGMENTATIONS

    return _cards(AUGMENTATIONS)


def _show_augmentations(cards: Sequence[Card]) -> None:
    rows = [[card["name"], _MEANINGS[card["meaning"]], _with_needs(card)] for card in cards]
    print_table(["name", "meaning", "description"], rows)


def _with_needs(card: Card) -> str:
    """Return the description, with a note if a checkpoint must be downloaded."""
    return f"{card['description']} Downloads a published checkpoint." if "seq2seq" in card["needs"] else card["description"]


def _sets() -> list[Card]:
    from augcse.augmentations.sets import SETS, set_card

    return [set_card(name) for name in SETS]


def _show_sets(cards: Sequence[Card]) -> None:
    rows = [[card["name"], ", ".join(card["downloads"]) or "nothing", ", ".join(card["members"])] for card in cards]
    print_table(["name", "downloads for", "members"], rows)


def _compositions() -> list[Card]:
    from augcse.augmentations.composition import COMPOSITIONS

    return [composition.card() for composition in COMPOSITIONS.values()]


def _show_compositions(cards: Sequence[Card]) -> None:
    print_table(["form", "description"], [[card["form"], card["description"]] for card in cards])


def _objectives() -> list[Card]:
    from augcse.objectives.base import OBJECTIVES

    return _cards(OBJECTIVES)


def _show_objectives(cards: Sequence[Card]) -> None:
    rows = [[card["name"], card["class"], f"{card['description']} ({card['paper']}, {card['equation']})"] for card in cards]
    print_table(["name", "class", "description"], rows, whole_columns=2)


def _tasks() -> list[Card]:
    from augcse.evaluation.base import TASKS

    return _cards(TASKS)


def _show_tasks(cards: Sequence[Card]) -> None:
    rows = [[card["name"], ", ".join(card["suites"]), f"{card['pairs']:,}", card["score"]] for card in cards]
    print_table(["name", "suites", "pairs", "score"], rows)


def _recipes() -> list[Card]:
    """Return the cards of all recipes, those that run offline first."""
    from augcse.config import load_recipe, recipe_header, recipe_names

    cards = [recipe_card(name, load_recipe(name), recipe_header(name)) for name in recipe_names()]
    return sorted(cards, key=lambda card: card["group"])


def recipe_card(name: str, recipe: Recipe, header: str) -> Card:
    """Return the entry of a recipe in `augcse list recipes --json`, with its downloads and hardware needs."""
    from augcse.augmentations.sets import PUBLISHED_CHECKPOINTS
    from augcse.model_folder import BUNDLED_BACKBONES

    section = recipe.augmentation
    named = " ".join([*section.names, *section.positives, *section.negatives, *section.neutral])
    hub = [recipe.model.backbone] if recipe.model.backbone not in BUNDLED_BACKBONES else []
    downloads = [*hub, *(name for name in dict.fromkeys(re.findall(r"\w+", named)) if name in PUBLISHED_CHECKPOINTS)]
    label = [recipe.task.label] if recipe.task else []
    return {
        "name": name,
        "group": PAPER if downloads else OFFLINE,
        "description": header.split("\n")[0],
        "header": header,
        "objective": recipe.objective.name,
        "backbone": recipe.model.backbone,
        "downloads": downloads,
        "gpu_advised": bool(downloads),
        "columns": [*recipe.corpus.columns.values(), *label],
    }


def _show_recipes(cards: Sequence[Card]) -> None:
    for group, members in groupby(cards, key=lambda card: card["group"]):
        print_line(_HEADINGS[group])
        print_table([], [[f"  {card['name']}", _recipe_needs(card), card["description"]] for card in members])


def _recipe_needs(card: Card) -> str:
    corpus = f"columns {', '.join(card['columns'])}" if card["columns"] else "text"
    return ", ".join([corpus, *(download.rpartition("/")[2] for download in card["downloads"])])


def _steps() -> list[Card]:
    from augcse.encoding.step import STEPS

    return _cards(STEPS)


def _show_steps(cards: Sequence[Card]) -> None:
    rows = [[card["name"], _option_list(card["options"]), f"{card['description']} ({card['source']})"] for card in cards]
    print_table(["name", "options", "description"], rows)


def _option_list(options: Sequence[Card]) -> str:
    return ", ".join(f"{option['name']}={'none' if option['default'] is None else str(option['default']).lower()}" for option in options)


_LISTS = {
    Kind.augmentations: (_augmentations, _show_augmentations),
    Kind.sets: (_sets, _show_sets),
    Kind.compositions: (_compositions, _show_compositions),
    Kind.objectives: (_objectives, _show_objectives),
    Kind.tasks: (_tasks, _show_tasks),
    Kind.recipes: (_recipes, _show_recipes),
    Kind.steps: (_steps, _show_steps),
}
