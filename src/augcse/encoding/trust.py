"""Which saved models may name modules outside sentence-transformers: those that name ours and bring no code.

sentence-transformers imports other packages' modules only with `trust_remote_code=True`, which also runs whatever code lies in the
folder or is referred to by its configuration. So the flag is given only where there is none.
"""

from __future__ import annotations

import json
from pathlib import Path

_LIBRARY, _OURS = "sentence_transformers.", "augcse."


def uses_only_our_modules(folder: Path) -> bool:
    """Whether a model folder names modules of this package, no third party's, and holds and refers to no code."""
    try:
        modules = [str(module["type"]) for module in json.loads((folder / "modules.json").read_text("utf-8"))]
        configurations = [json.loads(path.read_text("utf-8")) for path in folder.rglob("*.json") if "config" in path.name]
    except (OSError, ValueError, KeyError, TypeError):
        return False
    ours = any(module.startswith(_OURS) for module in modules)
    foreign = any(not module.startswith((_LIBRARY, _OURS)) for module in modules)
    refers = any("auto_map" in configuration for configuration in configurations)
    return ours and not foreign and not refers and not any(folder.rglob("*.py"))
