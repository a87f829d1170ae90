"""Find a model by bundled name, folder or hub name. All loading goes through here, so that every model is checked first.

A hub repository is downloaded (never code or pickles) and then loaded from its local folder, like any local model.
"""

from __future__ import annotations

import difflib
from contextlib import suppress
from functools import partial
from pathlib import Path

from augcse.errors import ForeignFailure, UserError
from augcse.foreign_code import refuse_foreign_code, refuse_pickled_weights
from augcse.resources import MINI_BERT

# Arguments for transformers' loaders, a second safeguard; without trust_remote_code they would prompt on the terminal.
SAFE_LOADING = {"local_files_only": True, "trust_remote_code": False}
SAFE_WEIGHTS = {**SAFE_LOADING, "use_safetensors": True}
BUNDLED_BACKBONES = {"mini-bert": MINI_BERT}
# Full text in NOTICE.
BUNDLED_LICENCES = {"mini-bert": "CC-BY-SA-3.0"}
# Every model folder has one of them.
_MODEL_FILES = ("modules.json", "config.json")
_CONFIGURATION_FILES = ["*.json", "*.txt", "*.model", "*.spm", "*.codes", "*.tiktoken"]
_WEIGHT_FILES = ["*.safetensors"]
# The hub's conversion bot and the title of its pull requests, whose reference is an ordinary revision.
_CONVERTER, _CONVERTED = "SFconvertbot", "Adding `safetensors` variant of this model"
# Exports of the same weights for other engines.
_OTHER_ENGINES = ["onnx/*", "openvino/*", "coreml/*"]


def model_folder(name: str, *, weights: bool = True) -> Path:
    """Return the folder of a model after checking it, downloading it if `name` is a hub name.

    Args:
        name: `mini-bert` (bundled), a folder, or a hub name, optionally with `@revision`.
        weights: whether to include the weights, or only configuration and tokenizer.

    Raises:
        UserError: no such folder or repository, no model in it, a reference to code, or pickled weights only.
    """
    folder = local_model_folder(name)
    if folder is None:
        folder = _download(name, weights=weights)
    refuse_foreign_code(folder)
    if weights:
        refuse_pickled_weights(folder, name)
    return folder


def local_model_folder(name: str) -> Path | None:
    """Return the folder of a bundled name or a path, not yet checked for code; None for a hub name.

    Raises:
        UserError: the name looks like a path but is not a model folder.
    """
    if not name.strip():
        raise UserError("no model named; give a folder, a hub name, or one of: " + ", ".join(BUNDLED_BACKBONES))
    path = BUNDLED_BACKBONES.get(name, Path(name).expanduser())
    if path.is_dir():
        if not holds_model(path):
            inside = f"did you mean {path / 'model'}?" if holds_model(path / "model") else "give a folder that a model was saved in"
            raise UserError(f"{name} holds no model: neither modules.json nor config.json is in it; {inside}")
        return path
    if path.exists():
        raise UserError(f"{name} is a file; a model is a folder (or a hub name)")
    check_is_no_path(name)
    return None


def check_is_no_path(name: str) -> None:
    """Raise `UserError`, with the most similar folder, for a path that does not exist.

    A hub name is `name` or `owner/name`. Anything else is a path, as is a name that starts like a path or with an existing folder.
    """
    path = Path(name).expanduser()
    starts_with_folder = len(path.parts) > 1 and Path(path.parts[0]).is_dir()
    starts_like_path = path.is_absolute() or name.startswith((".", "~")) or starts_with_folder
    has_form_of_hub_name = name.strip() and name.count("/") <= 1 and "\\" not in name
    if has_form_of_hub_name and not starts_like_path:
        return
    near = nearest_model(path)
    remedy = f"did you mean {near}?" if near else f"give an existing folder, a hub name, or one of: {', '.join(BUNDLED_BACKBONES)}"
    raise UserError(f"no model folder {name or repr(name)}; {remedy}")


def nearest_model(path: Path) -> Path | None:
    """Return the model folder whose name is most similar to a path that does not exist, or None."""
    missing = next((part for part in (path, *path.parents) if not part.exists() and part.parent.is_dir()), None)
    if missing is None:
        return None
    below_missing = path.relative_to(missing)
    try:
        siblings = {entry.name: entry for entry in missing.parent.iterdir() if entry.is_dir()}
    except OSError:
        return None
    for name in difflib.get_close_matches(missing.name, siblings, n=5, cutoff=0.6):
        for folder in (siblings[name] / below_missing, siblings[name] / "model"):
            if holds_model(folder):
                return folder
    inside = missing.parent / "model"
    return inside if holds_model(inside) else None


def holds_model(folder: Path) -> bool:
    """Return whether a folder holds a model."""
    return any((folder / file).is_file() for file in _MODEL_FILES)


def _download(name: str, *, weights: bool) -> Path:
    """Return the snapshot of a hub repository, in the hub's own cache."""
    repository, _, revision = name.partition("@")
    # Models of the organisation sentence-transformers may be named without it.
    names = [repository] if "/" in repository else [repository, f"sentence-transformers/{repository}"]
    with ForeignFailure(partial(_download_failure, name)):
        folder = _first_snapshot(names, revision or None, weights=weights)
    if not holds_model(folder):
        raise UserError(f"{name} holds no model: neither modules.json nor config.json is in it; give the name of one that does")
    if weights and not any(folder.rglob("*.safetensors")):
        raise UserError(f"{name} holds no safetensors weights, and pickles are not read; give a revision that does (NAME@refs/pr/1)")
    return folder


def _first_snapshot(names: list[str], revision: str | None, *, weights: bool) -> Path:
    """Return the snapshot of the first repository that exists."""
    from huggingface_hub.errors import LocalEntryNotFoundError, RepositoryNotFoundError

    *others, last = names
    for name in others:
        with suppress(RepositoryNotFoundError, LocalEntryNotFoundError):
            return _snapshot(name, revision, weights=weights)
    return _snapshot(last, revision, weights=weights)


def _snapshot(repository: str, revision: str | None, *, weights: bool) -> Path:
    """Download a repository; if it has no safetensors, download the conversion by the hub's bot if there is one."""
    from huggingface_hub import is_offline_mode, snapshot_download

    wanted = [*_CONFIGURATION_FILES, *(_WEIGHT_FILES if weights else [])]
    folder = Path(snapshot_download(repository, revision=revision, allow_patterns=wanted, ignore_patterns=_OTHER_ENGINES))
    if weights and revision is None and not is_offline_mode() and not any(folder.rglob("*.safetensors")):
        converted = _converted_revision(repository)
        return _snapshot(repository, converted, weights=True) if converted else folder
    return folder


def _converted_revision(repository: str) -> str | None:
    """Return the revision with the hub bot's safetensors conversion of a repository; None if there is none."""
    from huggingface_hub import HfApi

    requests = HfApi().get_repo_discussions(repository, author=_CONVERTER, discussion_type="pull_request", discussion_status="open")
    return next((request.git_reference for request in requests if request.title == _CONVERTED), None)


def _download_failure(name: str, error: BaseException) -> str:
    """Return the one-line message for a model that could not be downloaded."""
    from huggingface_hub import is_offline_mode

    near = nearest_model(Path(name))
    guess = f"; did you mean the folder {near}?" if near else ""
    if is_offline_mode():
        reason = "no such folder, it is not in the hub's local cache, and the hub is switched off here (HF_HUB_OFFLINE=1)"
        return f"cannot load the model {name}: {reason}" + (guess or "; give a local folder")
    reason = str(error).strip().split("\n")[0] or type(error).__name__
    return f"cannot load the model {name}: {reason[:200]} (check the name, or give a local folder){guess}"
