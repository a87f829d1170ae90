"""Shell completion, without heavy imports."""

from __future__ import annotations

from pathlib import Path

from augcse.corpus.formats import file_format


def recipe(incomplete: str) -> list[str]:
    """Complete a recipe's name."""
    from augcse.config import recipe_names

    return [name for name in recipe_names() if name.startswith(incomplete)]


def recipe_or_sweep(incomplete: str) -> list[str]:
    """Complete the name of a recipe or of a sweep."""
    from augcse.sweeping.file import sweep_names

    return [*recipe(incomplete), *(name for name in sweep_names() if name.startswith(incomplete))]


def augmentation_list(incomplete: str) -> list[str]:
    """Complete the last of several augmentations, sets or compositions, comma-separated."""
    from augcse.augmentations.base import AUGMENTATIONS
    from augcse.augmentations.composition import COMPOSITIONS
    from augcse.augmentations.sets import SETS

    begun = max(incomplete.rfind(","), incomplete.rfind("("), -1) + 1
    names = [*SETS, *AUGMENTATIONS.names(), *(f"{name}(" for name in COMPOSITIONS)]
    return [incomplete[:begun] + name for name in names if name.startswith(incomplete[begun:].lstrip())]


def step(incomplete: str) -> list[str]:
    """Complete a post-processing step's name."""
    from augcse.encoding.step import STEPS

    return [name for name in STEPS.names() if name.startswith(incomplete)]


def task_list(incomplete: str) -> list[str]:
    """Complete the last of several tasks, suites or files, comma-separated."""
    from augcse.evaluation.base import TASKS, suites

    return _last_of_list(incomplete, [*suites(), *TASKS.names(), *_tables(incomplete.rpartition(",")[2])])


def _tables(incomplete: str) -> list[str]:
    """Return the folders and tables whose path starts with `incomplete`."""
    head, slash, _ = incomplete.rpartition("/")
    folder = Path(f"{head}{slash}" or ".").expanduser()
    try:
        paths = sorted(folder.iterdir())
    except OSError:
        return []
    names = [f"{path.name}/" if path.is_dir() else path.name for path in paths if path.is_dir() or file_format(path) != "text"]
    return [f"{head}{slash}{name}" for name in names if not name.startswith(".")]


def _last_of_list(incomplete: str, names: list[str]) -> list[str]:
    head, comma, last = incomplete.rpartition(",")
    return [head + comma + name for name in names if name.startswith(last)]
