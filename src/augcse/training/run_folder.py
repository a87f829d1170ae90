"""The folder of a run: its layout, and checks that it can be used or its run be resumed. Never imports torch.

`recipe` is the resolved settings of a run: a recipe, or the options of a pretraining.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from augcse.errors import FailedWorkError, Interrupted, UserError
from augcse.files import cannot_write, check_can_hold_model, reported_write, write_json, write_text
from augcse.locks import LOCK, locked_folder
from augcse.recipe_toml import to_toml
from augcse.training.inputs import INPUTS, Inputs, described_recipe, differences, inputs_digest, read_inputs, write_inputs

RECIPE = "recipe.toml"
RECORD = "run.json"
CHECKPOINTS = "checkpoints"
PREPARED = "prepared"
MODEL = "model"
# The initial model, if the recipe builds one.
START = "start"
# The steps at which the run was resumed so far.
RESUMES = "resumes.json"
_SHOWN_DIFFERENCES = 3
# The files of a run that ended before its first checkpoint.
_BEGINNING = {RECIPE, INPUTS, START, PREPARED, CHECKPOINTS, RESUMES, LOCK}


def check_output(folder: Path, recipe: BaseModel, resume: bool) -> None:
    """Check, without writing, that a run can use the folder.

    Raises:
        UserError: the folder cannot be used, has other content, has a run although `resume` is off, or has a run of another recipe.
    """
    check_can_hold_model(folder)
    try:
        free = _is_free(folder)
    except OSError as error:
        raise cannot_write(folder, error) from error
    if resume and (folder / INPUTS).exists():
        _refuse_differences(folder, {"recipe": read_inputs(folder).get("recipe")}, {"recipe": described_recipe(recipe)})
    elif not free and not resume:
        raise UserError(f"{folder} is not empty; choose another --output, or continue with --resume")
    elif not free:
        raise UserError(f"{folder} holds no run to continue ({INPUTS} is missing); choose another --output")


def begin(folder: Path, recipe: BaseModel, inputs: Inputs, resume: bool) -> None:
    """Write recipe and inputs into the folder of a new run; do nothing for a resumed one. The folder is locked by the caller.

    The files left by a run that ended before its first checkpoint are removed: the new run must neither compare its scores to the best
    score of that one, nor train on rows that another tokenizer made. With `resume` the inputs are the same, and the rows are reused.
    """
    if resume and (folder / INPUTS).exists():
        return
    with reported_write(folder):
        (folder / RESUMES).unlink(missing_ok=True)
        for name in (CHECKPOINTS, PREPARED):
            if (folder / name).exists():
                shutil.rmtree(folder / name)
    write_text(folder / RECIPE, to_toml(recipe))
    write_inputs(folder, inputs)


@contextmanager
def locked_run_folder(folder: Path) -> Iterator[None]:
    """Lock the folder of the run; if a signal interrupts the block, or it fails, add to the message what is kept and how to resume."""
    from augcse.training.processes import is_first_process
    from augcse.training.stopping import signals_interrupt

    try:
        if not is_first_process():
            with signals_interrupt():
                yield
            return
        with locked_folder(folder), signals_interrupt(), _undo_claim_on_refusal(folder):
            yield
    except Interrupted as stop:
        raise Interrupted(f"{stop}; {_kept_in_words(folder)}", stop.signal_number) from None
    except FailedWorkError as failure:
        raise FailedWorkError(failure.reason, _kept_in_words(folder)) from failure


def _kept_in_words(folder: Path) -> str:
    from augcse.training.checkpoints import checkpoints

    if kept := checkpoints(folder / CHECKPOINTS):
        return f"{kept[-1]} is kept, continue with --resume"
    if folder.exists():
        return f"no step was kept in {folder}, continue with --resume"
    return "nothing is kept, begin again with the same command"


@contextmanager
def _undo_claim_on_refusal(folder: Path) -> Iterator[None]:
    """Remove the files of `begin` if the block refuses its input before it has written anything else."""
    present = {entry.name for entry in folder.iterdir()}
    try:
        yield
    except FailedWorkError:
        raise
    except UserError:
        claimed = {entry.name for entry in folder.iterdir()} - present
        if claimed <= {RECIPE, INPUTS, START}:
            for name in claimed - {START}:
                (folder / name).unlink()
            if START in claimed:
                shutil.rmtree(folder / START)
        raise


def check_run(folder: Path, recipe: BaseModel, inputs: Inputs, resume: bool, warn: Callable[[str], None]) -> None:
    """Check that a run can use the folder and, with `resume`, that the run in it has the same inputs.

    Raises:
        UserError: see `check_output` and `check_inputs`.
    """
    check_output(folder, recipe, resume)
    if resume and (folder / INPUTS).exists():
        check_inputs(folder, recipe, inputs, warn)


def check_inputs(folder: Path, recipe: BaseModel, inputs: Inputs, warn: Callable[[str], None]) -> None:
    """Compare the saved inputs of the run to the current ones. Raises `UserError` with the differences that change the result."""
    for remark in _refuse_differences(folder, read_inputs(folder), inputs):
        warn(f"the run began with {remark}: its result may differ in the last bits")
    path = folder / RECIPE
    if not path.exists():
        write_text(path, to_toml(recipe))
    elif path.read_bytes() != to_toml(recipe).encode():
        raise UserError(f"{path} was changed after the run began; delete it (it is written again), or choose another --output")


def digest_of_run(folder: Path, inputs: Inputs, resume: bool) -> str:
    """Return the digest that the checkpoints of a run have: that of its saved inputs if it is resumed, else that of the current ones.

    The two may differ although `check_inputs` accepts them, e.g. if an older version recorded files that no task reads.
    """
    return inputs_digest(read_inputs(folder) if resume and (folder / INPUTS).exists() else inputs)


def _refuse_differences(folder: Path, saved: Inputs, current: Inputs) -> list[str]:
    """Raise `UserError` for differences that change the result; return those that may change its last bits."""
    deciding, remarks = differences(saved, current)
    if deciding:
        more = f" and {len(deciding) - _SHOWN_DIFFERENCES} more" if len(deciding) > _SHOWN_DIFFERENCES else ""
        remedy = "leave --resume out to begin again" if _is_free(folder) else "choose another --output"
        raise UserError(f"{folder} holds a run with {', '.join(deciding[:_SHOWN_DIFFERENCES])}{more}; resume with the same, or {remedy}")
    return remarks


def finished_record(folder: Path) -> dict[str, Any] | None:
    """Return the record of a finished run whose model exists; None if the run is not finished."""
    try:
        record = json.loads((folder / RECORD).read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return record if isinstance(record, dict) and (folder / MODEL / "modules.json").is_file() else None


def resumed_from(folder: Path) -> list[int]:
    """Return the steps at which the run in the folder was resumed so far."""
    try:
        return [int(step) for step in json.loads((folder / RESUMES).read_text("utf-8"))]
    except (OSError, ValueError, TypeError):
        return []


def record_resume(folder: Path, step: int) -> None:
    """Append a step to those at which the run was resumed; 0 if it starts again."""
    write_json(folder / RESUMES, [*resumed_from(folder), step])


def _is_free(folder: Path) -> bool:
    """Return whether the folder is absent, empty, or has the files of a run that ended before its first checkpoint."""
    if not folder.exists():
        return True
    # Hidden files are partial ones, or a file manager's.
    names = {entry.name for entry in folder.iterdir() if not entry.name.startswith(".")}
    return names <= _BEGINNING and not _has_started(folder / CHECKPOINTS)


def _has_started(checkpoints: Path) -> bool:
    """Return whether there is more than the initial model, which is saved as the best model of step 0."""
    from augcse.training.checkpoints import BEST, best_record

    kept = {entry.name for entry in checkpoints.iterdir() if not entry.name.startswith(".")} if checkpoints.is_dir() else set()
    if kept != {BEST}:
        return bool(kept)
    try:
        best = best_record(checkpoints)
        return best is None or best["step"] != 0
    except (OSError, ValueError, KeyError):
        return True
