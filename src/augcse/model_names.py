"""Whether a model's name means a folder here or a model on the hub: a mistyped path is no hub name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path

from augcse.errors import UserError

_MODEL_FILES = ("modules.json", "config.json")


def check_is_no_path(name: str, bundled: Iterable[str]) -> None:
    """Raise `UserError` for a name that can only mean a folder and is none, with the nearest folder.

    A hub name is `name` or `owner/name`. What starts like a path, has more parts, or starts with a folder that lies here is a path.
    """
    path = Path(name).expanduser()
    starts_here = len(path.parts) > 1 and Path(path.parts[0]).is_dir()
    if name.strip() and not (path.is_absolute() or name.startswith((".", "~")) or name.count("/") > 1 or "\\" in name or starts_here):
        return
    near = nearest_model(path)
    remedy = f"did you mean {near}?" if near else f"give an existing folder, a hub name, or one of: {', '.join(bundled)}"
    raise UserError(f"no model folder {name or repr(name)}; {remedy}")


def nearest_model(path: Path) -> Path | None:
    """Return the model folder whose name is nearest to that of a path which does not exist, or None."""
    wrong = next((part for part in (path, *path.parents) if not part.exists() and part.parent.is_dir()), None)
    if wrong is None:
        return None
    rest = path.relative_to(wrong)
    try:
        siblings = {entry.name: entry for entry in wrong.parent.iterdir() if entry.is_dir()}
    except OSError:
        return None
    for name in difflib.get_close_matches(wrong.name, siblings, n=5, cutoff=0.6):
        found = next((folder for folder in (siblings[name] / rest, siblings[name] / "model") if holds_model(folder)), None)
        if found is not None:
            return found
    inside = wrong.parent / "model"
    return inside if holds_model(inside) else None


def holds_model(folder: Path) -> bool:
    """Whether a folder holds what a model folder must."""
    return any((folder / file).is_file() for file in _MODEL_FILES)
