"""The training state in checkpoints: optimizer, schedule, random generators and the loss's own tensors, as safetensors and JSON.

Checkpoints contain no pickle, so that loading one cannot run code.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from safetensors import SafetensorError
from safetensors.torch import load_file, save_file
from torch import Tensor

from augcse.errors import UserError

if TYPE_CHECKING:
    from augcse.objectives.sentence_loss import SentenceLoss

OPTIMIZER = "optimizer"
SCHEDULER = "scheduler.json"
GENERATORS = "generators"
FIGURES = "figures"


def save_optimizer(optimizer: torch.optim.Optimizer, scheduler: Any, folder: Path) -> None:
    """Write the states of optimizer and learning-rate schedule."""
    state = optimizer.state_dict()
    tensors: dict[str, Tensor] = {}
    values: dict[str, dict[str, Any]] = {}
    for index, entry in state["state"].items():
        for name, value in entry.items():
            if isinstance(value, Tensor):
                tensors[f"{index}.{name}"] = value.contiguous()
            else:
                values.setdefault(str(index), {})[name] = value
    _write_state(folder / OPTIMIZER, tensors, {"groups": state["param_groups"], "values": values})
    (folder / SCHEDULER).write_text(json.dumps(scheduler.state_dict()), "utf-8")


def load_optimizer(optimizer: torch.optim.Optimizer, scheduler: Any, folder: Path) -> None:
    """Restore what `save_optimizer` wrote. Raises `UserError` if it belongs to another set of parameters."""
    tensors, document = _read_state(folder / OPTIMIZER)
    state: dict[int, dict[str, Any]] = {int(index): dict(entry) for index, entry in document["values"].items()}
    for key, value in tensors.items():
        index, name = key.split(".", 1)
        state.setdefault(int(index), {})[name] = value
    try:
        optimizer.load_state_dict({"state": state, "param_groups": document["groups"]})
    except ValueError as error:
        raise UserError(f"{folder} is a checkpoint of another objective or model ({error}); start a new training") from error
    scheduler.load_state_dict(_read_json(folder / SCHEDULER))


def save_generators(folder: Path, rank: int = 0) -> None:
    """Write the states of the process-wide generators that torch's dropout and the trainer draw from."""
    algorithm, keys, *position = np.random.get_state()  # noqa: NPY002 - the trainer draws from it
    tensors = {"torch": torch.random.get_rng_state(), "numpy": torch.from_numpy(np.asarray(keys).astype(np.int64))}
    if torch.cuda.is_available():
        tensors["cuda"] = torch.cuda.random.get_rng_state()
    version, internal, gauss = random.getstate()
    _write_state(_generators_path(folder, rank), tensors, {"numpy": [algorithm, *position], "python": [version, list(internal), gauss]})


def load_generators(folder: Path, rank: int = 0) -> None:
    """Restore what `save_generators` wrote."""
    tensors, document = _read_state(_generators_path(folder, rank))
    torch.random.set_rng_state(tensors["torch"])
    if "cuda" in tensors and torch.cuda.is_available():
        torch.cuda.random.set_rng_state(tensors["cuda"])
    algorithm, *position = document["numpy"]
    np.random.set_state((algorithm, tensors["numpy"].numpy().astype(np.uint32), *position))  # noqa: NPY002
    version, internal, gauss = document["python"]
    random.setstate((version, tuple(internal), gauss))


def save_figures(folder: Path, rank: int, sums: dict[str, Tensor], document: dict[str, Any]) -> None:
    """Write the sums since the last log, so that a resumed run has the same curves as an uninterrupted one."""
    _write_state(folder / f"{FIGURES}-{rank}", {name: value.detach().cpu().clone() for name, value in sums.items()}, document)


def load_figures(folder: Path, rank: int) -> tuple[dict[str, Tensor], dict[str, Any]]:
    """Return what `save_figures` wrote."""
    return _read_state(folder / f"{FIGURES}-{rank}")


def _generators_path(folder: Path, rank: int) -> Path:
    return folder / f"{GENERATORS}-{rank}"


def own_state(loss: SentenceLoss) -> dict[str, Tensor]:
    """Return the loss's parameters and buffers, without the encoder's and those that are rebuilt (`Traits.rebuilt`).

    Tied weights are returned under their first name alone: safetensors does not accept shared memory.
    """
    left_out = ("model.", *loss.traits.rebuilt)
    tensors = {name: value for name, value in loss.state_dict().items() if not name.startswith(left_out)}
    first_names = {value.data_ptr(): name for name, value in reversed(tensors.items()) if value.numel()}
    return {name: value for name, value in tensors.items() if first_names.get(value.data_ptr(), name) == name}


def load_own_state(loss: SentenceLoss, path: Path) -> None:
    """Restore what `own_state` saved. Raises `UserError` if the file is missing or belongs to another loss."""
    expected = own_state(loss)
    saved = load_file(path) if path.exists() else {}
    if set(saved) != set(expected):
        raise UserError(f"{path} does not hold this objective's modules; it was made by another recipe, start a new training")
    loss.load_state_dict(saved, strict=False)


def _write_state(path: Path, tensors: dict[str, Tensor], document: dict[str, Any]) -> None:
    save_file(tensors, path.with_suffix(".safetensors"))
    path.with_suffix(".json").write_text(json.dumps(document), "utf-8")


def _read_state(path: Path) -> tuple[dict[str, Tensor], dict[str, Any]]:
    try:
        return load_file(path.with_suffix(".safetensors")), _read_json(path.with_suffix(".json"))
    except (OSError, SafetensorError) as error:
        raise _damaged(path.with_suffix(".safetensors")) from error


def _read_json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise _damaged(path) from error


def _damaged(path: Path) -> UserError:
    return UserError(f"checkpoint {path.parent} is damaged ({path.name}); delete it and resume from the one before")
