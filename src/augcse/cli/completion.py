"""What the shell offers at the tab key; each answer costs no heavy import."""

from __future__ import annotations


def recipe(incomplete: str) -> list[str]:
    """Complete a recipe's name."""
    from augcse.config import recipe_names

    return [name for name in recipe_names() if name.startswith(incomplete)]


def augmentation_list(incomplete: str) -> list[str]:
    """Complete the last of several augmentations or sets, comma-separated."""
    from augcse.augmentations.base import AUGMENTATIONS
    from augcse.augmentations.sets import SETS

    return _last_of_list(incomplete, [*SETS, *AUGMENTATIONS.names()])


def task_list(incomplete: str) -> list[str]:
    """Complete the last of several tasks or suites, comma-separated."""
    from augcse.evaluation.base import TASKS, suites

    return _last_of_list(incomplete, [*suites(), *TASKS.names()])


def _last_of_list(incomplete: str, names: list[str]) -> list[str]:
    head, comma, last = incomplete.rpartition(",")
    return [head + comma + name for name in names if name.startswith(last)]
