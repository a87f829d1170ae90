"""The reference pages: tasks, recipes, commands."""

from __future__ import annotations

from typing import Any

import typer

from augcse.cli.app import app
from augcse.config import load_recipe, recipe_header, recipe_names
from augcse.evaluation.base import TASKS
from augcse.report.table import Table
from docs_pages.layout import NOTE


def tasks() -> str:
    header = ["task", "suites", "pairs", "score", "files under --data", "hub"]
    rows = []
    for card in (task.card() for task in TASKS):
        folder = f"{card['folder']}/" if "folder" in card else ""
        files = ", ".join(f"`{folder}{file}`" for file in card["files"])
        rows.append([card["name"], ", ".join(card["suites"]), f"{card['pairs']:,}", card["score"], files, card["hub"] or "-"])
    return NOTE + "# Tasks\n\n" + Table(header, rows).markdown() + "\n"


def recipes() -> str:
    parts = [
        "# Recipes\n\nTwo kinds. Those that end in `-mini` train the bundled backbone offline; they keep the defaults of this package where"
        " these differ from the papers ([which, and their switches](design.md#what-differs-from-the-papers-by-default-and-its-switch))."
        " `adapt`, `adapt-static`, `augcse-best` and `augcse-best-bert` are this package's own and follow no paper's row. The others are a"
        " row of a paper each, trained, selected and tested as published; they need a backbone from the hub and a corpus like the paper's."
        " A header says the row, its figure, and what still differs.\n"
    ]
    for name in recipe_names():
        recipe = load_recipe(name)
        settings = (
            f"`{recipe.objective.name}` on `{recipe.model.backbone}`, batch {recipe.training.batch_size}"
            f" ({recipe.training.batches}), learning rate {recipe.training.learning_rate:g} ({recipe.training.schedule}), selected by"
            f" {'STS-B dev' if recipe.evaluation.dev in ('auto', 'stsb') else recipe.evaluation.dev}, tested on"
            f" {', '.join(recipe.evaluation.test)}"
        )
        parts.append(f"## {name}\n\n{settings}\n\n```text\n{recipe_header(name)}\n```\n")
    return NOTE + "\n".join(parts)


def command_line() -> str:
    parts = [
        "# Command line\n\nExit codes: 0 success, 2 usage or bad input (one line on stderr), 1 failure (a full disk, a killed"
        " worker process, a failed run of a sweep), 130 or 143 stopped by SIGINT or SIGTERM. `--json` prints one document.\n"
    ]
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        parts.append(f"## augcse {name}\n\n{_command(command)}\n")
        parts += [f"### augcse {name} {inner}\n\n{_command(member)}\n" for inner, member in getattr(command, "commands", {}).items()]
    return NOTE + "\n".join(parts)


def _command(command: Any) -> str:
    """What a command is for, and its options; a group of commands has none of its own."""
    rows = [[_flag(parameter), _default(parameter), parameter.help or ""] for parameter in command.params]
    options = Table(["option", "default", "meaning"], rows).markdown()
    return f"{command.help}\n\n{options}" if rows else str(command.help)


def _flag(parameter: Any) -> str:
    if parameter.param_type_name != "option":
        return str(parameter.name.upper())
    return ", ".join(f"`{name}`" for name in [parameter.opts[0], *parameter.secondary_opts])


def _default(parameter: Any) -> str:
    if parameter.required:
        return "required"
    if isinstance(parameter.default, bool):
        return "on" if parameter.default else ""
    return "" if parameter.default in (None, "", [], ()) else f"`{parameter.default}`"
