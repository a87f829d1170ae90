"""Recipes, and other resolved settings, written as TOML."""

from __future__ import annotations

import json
from typing import Any

from pydantic import BaseModel


def to_toml(recipe: BaseModel) -> str:
    """Return the resolved recipe as TOML, readable by `load_recipe`; empty values (no columns, no task) are left out."""
    document = recipe.model_dump(exclude_none=True)
    top = [f"{key} = {toml_value(value)}" for key, value in document.items() if not isinstance(value, dict)]
    for section, content in document.items():
        if isinstance(content, dict):
            lines = [f"{key} = {toml_value(value)}" for key, value in content.items() if value != {}]
            top += ["", f"[{section}]", *lines] if lines else []
    return "\n".join(top) + "\n"


def toml_value(value: Any) -> str:
    """Return a value as TOML writes it; texts, numbers, lists and tables of them."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(map(toml_value, value)) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key} = {toml_value(entry)}" for key, entry in value.items()) + "}"
    # JSON's escapes are TOML's, except that JSON does not escape DEL.
    return json.dumps(str(value), ensure_ascii=False).replace("\x7f", "\\u007f")
