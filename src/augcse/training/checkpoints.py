"""The checkpoints of a run: list them, find the one to resume from, remove old ones, and read the best model so far."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augcse.errors import UserError
from augcse.files import reported_write, undo_replacement
from augcse.training.manifest import DamagedFolderError, check_folder

BEST = "best"
BEST_SCORE = "score.json"
_KEPT_CHECKPOINTS = 2
_NAME = "checkpoint-"


@dataclass(frozen=True)
class ResumePoint:
    """An intact checkpoint to resume from, and the digest of the prepared corpus that it was trained on."""

    path: Path
    step: int
    prepared: str | None


def checkpoints(folder: Path) -> list[Path]:
    """Return the folders of the checkpoints, oldest first."""
    return sorted((path for path in folder.glob(f"{_NAME}*") if path.name.removeprefix(_NAME).isdigit()), key=_step)


def last_step(folder: Path) -> int:
    """Return the step of the last checkpoint, 0 without one."""
    saved = checkpoints(folder)
    return _step(saved[-1]) if saved else 0


def checkpoint_path(folder: Path, step: int) -> Path:
    """Return the folder for the checkpoint of a step."""
    return folder / f"{_NAME}{step}"


def latest_intact_checkpoint(folder: Path, run: str | None, warn: Callable[[str], None] = lambda message: None) -> ResumePoint | None:
    """Return the latest intact checkpoint; None if there is no checkpoint at all.

    Args:
        folder: the folder of the checkpoints.
        run: the digest of the run's inputs; a checkpoint of another run counts as damaged. None: not compared.
        warn: receives a message for each damaged checkpoint.

    Raises:
        UserError: all checkpoints are damaged, or the best model that the checkpoint refers to is.
    """
    damaged: list[str] = []
    for path in reversed(checkpoints(folder)):
        try:
            about = _check_checkpoint(path, run)
        except DamagedFolderError as error:
            damaged.append(str(error))
            continue
        _check_best(folder, run, about.get("best"), warn)
        for message in damaged:
            warn(f"{message}; continuing from {path.name}, the one before")
        return ResumePoint(path, about["step"], about.get("prepared"))
    if damaged:
        raise UserError(f"{damaged[0]}, and there is no intact one before it; delete {folder} and resume to train from the start")
    _check_best(folder, run, None, warn)
    return None


def remove_other_checkpoints(folder: Path, step: int) -> None:
    """Keep the checkpoint of `step` and the one before it; later ones are from before the run was resumed at an earlier step."""
    earlier = [path for path in checkpoints(folder) if _step(path) <= step]
    for path in set(checkpoints(folder)) - set(earlier[-_KEPT_CHECKPOINTS:]):
        shutil.rmtree(path, ignore_errors=True)


def best_record(folder: Path) -> dict[str, Any] | None:
    """Return {"score", "step"} of the best model so far, None if there is none; `folder` is that of the checkpoints."""
    path = folder / BEST / BEST_SCORE
    return dict(json.loads(path.read_text("utf-8"))) if path.exists() else None


def trained_encoder(folder: Path) -> tuple[Path, int]:
    """Return folder and step of the trained model: the best one, or the last one if none was better than the start."""
    best = best_record(folder)
    if best is not None and best["step"]:
        return folder / BEST, best["step"]
    last = checkpoints(folder)[-1]
    return last, _step(last)


def _check_checkpoint(path: Path, run: str | None) -> dict[str, Any]:
    """Return the metadata of a checkpoint; raises `DamagedFolderError` if it is damaged, or of another step or run."""
    about = check_folder(path).about
    if about.get("step") != _step(path):
        raise DamagedFolderError(f"{path} is damaged: it holds step {about.get('step')}")
    if run is not None and about.get("run") != run:
        raise DamagedFolderError(f"{path} is damaged: it belongs to another run")
    return about


def _check_best(folder: Path, run: str | None, expected: Mapping[str, Any] | None, warn: Callable[[str], None]) -> None:
    """Check the best model against the record of it in the checkpoint; a damaged one that is newer than the checkpoint is removed."""
    best = folder / BEST
    with reported_write(best):
        undo_replacement(best)
    try:
        about = check_folder(best).about if best.exists() or expected else {}
        if about and run is not None and about.get("run") != run:
            raise DamagedFolderError(f"{best} is damaged: it belongs to another run")
        if expected and about["score"] < expected["score"]:
            raise DamagedFolderError(f"{best} is damaged: it is an earlier one, of step {about['step']}")
    except DamagedFolderError as error:
        if expected:
            raise UserError(f"{error}; it cannot be restored from here: delete {folder} and resume to train from the start") from error
        warn(f"{error}; it is removed")
        shutil.rmtree(best, ignore_errors=True)


def _step(path: Path) -> int:
    return int(path.name.removeprefix(_NAME))
