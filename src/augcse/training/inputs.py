"""The inputs that determine the result of a run: saved as `inputs.json`, and compared key by key before the run is resumed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel

from augcse.augmentations.spec import files_of
from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.corpus.formats import file_format
from augcse.errors import UserError
from augcse.files import reported_read, write_json
from augcse.model_folder import BUNDLED_BACKBONES, holds_model
from augcse.objectives.base import find_objective
from augcse.training.manifest import digest_of, folder_digest
from augcse.training.record import versions

INPUTS = "inputs.json"
# Other versions of these may give different bits. Other packages only prepare the corpus, and the prepared data have a digest.
DECIDING_PACKAGES = ("augcse", "torch", "transformers", "sentence-transformers", "accelerate", "tokenizers", "numpy")
# A different machine changes the last bits at most, and a run may have to be resumed elsewhere: a warning, not an error.
_REMARKED = "machine."
# The location of a file does not affect the result.
_NOT_COMPARED = (".path", ".folder")
_SHOWN_CHARACTERS = 40
_DATA_OPTION = "--data (or AUGCSE_DATA)"
Inputs = dict[str, Any]


def describe_inputs(
    recipe: Recipe,
    corpus: Corpus,
    *,
    dev: Mapping[str, Any],
    test: Sequence[Any],
    data: Mapping[str, Any] | None,
) -> Inputs:
    """Return everything that determines the result of a run, as JSON.

    Args:
        recipe: the resolved recipe.
        corpus: the corpus files.
        dev: the task that is evaluated while training, with a digest of its content if it is a file.
        test: the tasks that the finished model is scored on, with digests of files.
        data: the folder of the evaluation data, and digests of the files that these tasks read; None without a folder.
    """
    document = {
        "recipe": described_recipe(recipe),
        "models": _model_folders(recipe),
        "objective_code": find_objective(recipe.objective.name).code_sha256(),
        "augmentation_files": files_of(recipe.augmentation.named),
        "corpus": described_corpus(corpus),
        "dev": dict(dev),
        "test": list(test),
        "data": data,
        **described_system(recipe.training.precision),
    }
    return dict(json.loads(json.dumps(document)))


def described_corpus(corpus: Corpus) -> list[dict[str, Any]]:
    """Return path, SHA-256 and reading options of each file."""
    return [
        {**entry, "format": file_format(path), "column": corpus.column, "encoding_errors": corpus.encoding_errors}
        for entry, path in zip(described_files(corpus), corpus.paths, strict=True)
    ]


def described_system(precision: Literal["auto", "bf16", "fp32"]) -> dict[str, Any]:
    """Return the properties of the environment that affect the result: number format, processes, versions, machine."""
    from augcse.objectives.gather import launched_processes
    from augcse.training.precision import resolve_precision

    return {
        "precision": resolve_precision(precision),
        "processes": launched_processes(),
        "versions": {name: version for name, version in versions().items() if name in DECIDING_PACKAGES},
        "machine": _machine(),
    }


def described_files(corpus: Corpus) -> list[dict[str, Any]]:
    """Return path and SHA-256 of each file."""
    return [{"path": str(path), "sha256": digest} for path, digest in zip(corpus.paths, corpus.sha256, strict=True)]


def described_recipe(recipe: BaseModel) -> dict[str, Any]:
    """Return the recipe, or other resolved settings, as JSON."""
    return dict(json.loads(json.dumps(recipe.model_dump(exclude_none=True))))


def write_inputs(folder: Path, inputs: Inputs) -> None:
    """Write inputs.json into the folder of a run, with a digest of its content."""
    write_json(folder / INPUTS, {**inputs, "sha256": digest_of(inputs)})


def read_inputs(folder: Path) -> Inputs:
    """Read inputs.json. Raises `UserError` if it is missing or its content does not match its digest."""
    path = folder / INPUTS
    try:
        inputs = json.loads(path.read_text("utf-8"))
        if inputs.pop("sha256") == digest_of(inputs):
            return dict(inputs)
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        pass
    raise UserError(f"{path} is damaged, so that the inputs of this run are unknown; choose another --output")


def inputs_digest(inputs: Inputs) -> str:
    """Return a digest of the inputs that must be equal to resume a run; checkpoints have it, so that those of other runs are detected."""
    return digest_of(sorted((key, value) for key, value in _flat_items(inputs) if not key.startswith(_REMARKED)))


def differences(saved: Inputs, current: Inputs) -> tuple[list[str], list[str]]:
    """Compare the inputs that a run was started with to the current ones.

    Returns:
        The differences that change the result, and those that may change its last bits, each as "key = value (now value)".
    """
    saved, current = _with_comparable_data(saved, current)
    old, new = dict(_flat_items(saved)), dict(_flat_items(current))
    changed = [key for key in sorted({*old, *new}) if old.get(key) != new.get(key)]
    texts = {key: f"{key.removeprefix('recipe.')} = {_shown_value(old, key)} (now {_shown_value(new, key)})" for key in changed}
    deciding = [text for key, text in texts.items() if not key.startswith(_REMARKED)]
    return deciding, [text.removeprefix(_REMARKED) for key, text in texts.items() if key.startswith(_REMARKED)]


def _flat_items(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    """Yield dotted keys and values; the entries of a list of tables are numbered from 1."""
    if isinstance(value, list) and any(isinstance(entry, dict) for entry in value):
        value = {str(number): entry for number, entry in enumerate(value, start=1)}
    if not isinstance(value, dict):
        if not key.endswith(_NOT_COMPARED):
            yield key, value
        return
    for name, entry in value.items():
        yield from _flat_items(entry, f"{key}.{name}" if key else name)


def _with_comparable_data(saved: Inputs, current: Inputs) -> tuple[Inputs, Inputs]:
    """Return both with the evaluation data that they can be compared by: files that both record, or the folders if one records no data."""
    saved_data, current_data = saved.get("data"), current.get("data")
    if saved_data is None or current_data is None:
        return _with_data_folder(saved), _with_data_folder(current)
    # Older versions recorded every file of the folder. Those that no task reads do not affect the result, and the tasks are compared too.
    in_both = {name: digest for name, digest in saved_data["sha256"].items() if name in current_data["sha256"]}
    return {**saved, "data": {**saved_data, "sha256": in_both}}, current


def _with_data_folder(inputs: Inputs) -> Inputs:
    """Return the inputs with the evaluation data's folder, if files in it are read, in place of the digests of these files."""
    data = inputs.get("data") or {}
    return {**inputs, "data": None, _DATA_OPTION: data["folder"] if data.get("sha256") else None}


def _shown_value(values: Mapping[str, Any], key: str) -> str:
    text = "nothing" if values.get(key) is None else str(values[key])
    return text if len(text) <= _SHOWN_CHARACTERS or key == _DATA_OPTION else f"{text[:12]}..."


def _model_folders(recipe: Recipe) -> dict[str, str]:
    """Return a digest of each model that is a local folder: the backbone, and models named by the objective's options."""
    named = {"model.backbone": recipe.model.backbone}
    for key, value in recipe.objective.options().items():
        values = {f".{number}": entry for number, entry in enumerate(value, start=1)} if isinstance(value, (list, tuple)) else {"": value}
        named |= {f"objective.{key}{number}": entry for number, entry in values.items() if isinstance(entry, str)}
    folders = {key: BUNDLED_BACKBONES.get(value, Path(value).expanduser()) for key, value in named.items()}
    with reported_read():
        return {key: folder_digest(folder) for key, folder in folders.items() if holds_model(folder)}


def _machine() -> dict[str, Any]:
    """Return the properties of the machine that may change the last bits of a result."""
    import torch

    return {
        "threads": torch.get_num_threads(),
        "device": torch.cuda.get_device_name(0) if torch.cuda.is_available() else "cpu",
        "instructions": torch.backends.cpu.get_cpu_capability(),
    }
