"""Reporting of a run that is started from Python: the log, trackers by name, and the caller's callbacks. Never imports torch."""

from __future__ import annotations

import importlib.util
import logging
import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from augcse.errors import MissingDependencyError, UserError, unknown_name
from augcse.training.progress import StageProgress
from augcse.training.watcher import Watcher

if TYPE_CHECKING:
    from transformers import TrainerCallback

# The packages that provide each tracker, one of which must be installed; error messages suggest the first.
REPORTERS = {"tensorboard": ("tensorboard", "tensorboardX"), "trackio": ("trackio",), "wandb": ("wandb",)}
NOWHERE = "none"
Reporters = Annotated[str | Sequence[str], Field(description=f"{', '.join(REPORTERS)}, a list of them, or {NOWHERE}")]
_EVERY_S = 15.0
_log = logging.getLogger("augcse.training")


def reporting_to(
    watcher: Watcher | None,
    batch_size: int,
    callbacks: Iterable[TrainerCallback | type[TrainerCallback]] = (),
    report_to: str | Iterable[str] = NOWHERE,
) -> Watcher:
    """Return the watcher, or one that writes to the log, with callbacks and trackers added.

    Raises:
        UserError: an unknown tracker, one whose package is not installed, or an invalid callback.
    """
    trackers, others = checked_trackers(report_to), checked_callbacks(callbacks)
    return replace(watcher or log_watcher(batch_size), callbacks=others, report_to=trackers)


def checked_trackers(report_to: str | Iterable[str]) -> tuple[str, ...]:
    """Return the names of the trackers, each once; () for "none" or no name.

    Raises:
        UserError: as `reporting_to`.
    """
    given = report_to.split(",") if isinstance(report_to, str) else list(report_to)
    names = list(dict.fromkeys(str(name).strip() for name in given))
    if names in ([], [NOWHERE]):
        return ()
    for name in names:
        if name not in REPORTERS:
            raise unknown_name("report_to", name, [*REPORTERS, NOWHERE])
        if not any(map(_is_installed, REPORTERS[name])):
            raise MissingDependencyError(f"report_to {name} needs the package {REPORTERS[name][0]}: pip install {REPORTERS[name][0]}")
    return tuple(names)


def checked_callbacks(callbacks: Iterable[TrainerCallback | type[TrainerCallback]]) -> tuple[TrainerCallback, ...]:
    """Return the callbacks as instances; classes are instantiated.

    Raises:
        UserError: `callbacks` is not a list, or one of them is not a `transformers.TrainerCallback`.
    """
    if not isinstance(callbacks, Iterable):
        raise UserError(f"callbacks is a {type(callbacks).__name__}; give a list of transformers' TrainerCallback")
    given = list(callbacks)
    if not given:
        return ()
    from transformers import TrainerCallback

    for number, callback in enumerate(given):
        if not issubclass(callback if isinstance(callback, type) else type(callback), TrainerCallback):
            raise UserError(f"callbacks[{number}] is {callback!r}; give an object or a class of transformers' TrainerCallback")
    return tuple(callback() if isinstance(callback, type) else callback for callback in given)


def log_watcher(batch_size: int, unit: str = "sentences") -> Watcher:
    """Return a watcher that writes to the log "augcse.training": stages, progress every 15 s and whenever there are scores, warnings."""
    progress = _LoggedProgress(batch_size, unit)
    return Watcher(start=progress.start, advance=progress.advance, warn=_log.warning, note=_log.info, finish=_log.info)


class _LoggedProgress:
    def __init__(self, batch_size: int, unit: str) -> None:
        self._progress = StageProgress(batch_size, unit)
        self._logged_s = time.monotonic()

    def start(self, stage: str, total: int | None) -> None:
        self._progress.start(stage, total)
        self._logged_s = time.monotonic()
        _log.info(self._progress.beginning())

    def advance(self, count: int, figures: Mapping[str, float]) -> None:
        self._progress.advance(count, figures)
        scored = any(name.startswith("eval_") for name in figures)
        if scored or time.monotonic() - self._logged_s > _EVERY_S:
            self._logged_s = time.monotonic()
            _log.info(self._progress.line())


def tracker_callbacks(names: Sequence[str], run_folder: Any) -> list[tuple[str, TrainerCallback]]:
    """Return transformers' callback for each tracker, with its name.

    TensorBoard's files are written to `tensorboard` in the run's folder, unless TENSORBOARD_LOGGING_DIR is set.
    """
    from transformers.integrations import get_reporting_integration_callbacks

    callbacks = [(name, kind()) for name in names for kind in get_reporting_integration_callbacks([name])]
    for name, callback in callbacks:
        if name == "tensorboard" and callback.logging_dir is None:
            callback.logging_dir = str(run_folder / name)
    return callbacks


def _is_installed(package: str) -> bool:
    spec = importlib.util.find_spec(package)
    # A folder of that name, such as W&B's output folder, is found as a namespace package without an origin.
    return spec is not None and spec.origin is not None
