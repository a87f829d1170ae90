"""A sweep's folder: whether it is free or this sweep's, which of its runs are finished, and what must be so before one goes on.

DIR/sweep.json        what the sweep is
DIR/runs/NAME/        the run folders of augcse train, each without checkpoints once it is finished
DIR/logs/NAME.log     what each run had to say
DIR/table.json, table.md, report.html
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from augcse.config import Recipe
from augcse.corpus.files import Corpus
from augcse.errors import UserError
from augcse.files import cannot_write, check_can_hold_model, write_json
from augcse.locks import LOCK
from augcse.sweeping.plan import Plan
from augcse.training.inputs import INPUTS, described_files, described_recipe, differences, read_inputs
from augcse.training.run_folder import CHECKPOINTS, PREPARED, finished_record

SWEEP, RUNS, LOGS, SOUPS = "sweep.json", "runs", "logs", "soups"
TABLE, MARKDOWN, REPORT = "table.json", "table.md", "report.html"
_SHOWN_DIFFERENCES = 3


def check_sweep_folder(folder: Path, plan: Plan) -> None:
    """Refuse a folder that holds something else than this sweep, or cannot be one. Raises `UserError`."""
    check_can_hold_model(folder)
    try:
        names = {entry.name for entry in folder.iterdir()} - {LOCK} if folder.exists() else set()
    except OSError as error:
        raise cannot_write(folder, error) from error
    names = {name for name in names if not name.startswith(".")}
    if not names:
        return
    if SWEEP not in names:
        raise UserError(f"{folder} is not empty and holds no sweep ({SWEEP} is missing); choose another --output")
    try:
        name = json.loads((folder / SWEEP).read_text("utf-8"))["sweep"]
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise UserError(f"{folder / SWEEP} is damaged; choose another --output") from error
    if name != plan.name:
        raise UserError(f"{folder} holds the sweep of {name}, not of {plan.name}; choose another --output")


def check_run_folder(folder: Path, recipe: Recipe, corpus: Corpus, scored: Mapping[str, Any]) -> None:
    """Refuse a run that began with something else than it would now. Raises `UserError` for the differences, by name.

    Args:
        folder: of the run.
        recipe: of the run.
        corpus: of the run.
        scored: "dev", "test" and "data" as `RunEvaluation.inputs` describes them.
    """
    if not (folder / INPUTS).exists():
        return
    began = read_inputs(folder)
    now = json.loads(json.dumps({"recipe": described_recipe(recipe), "corpus": described_files(corpus), **scored}))
    # Of the corpus's files path and content; how they are read is compared when the run goes on.
    same_keys = {**began, "corpus": [{key: file[key] for key in ("path", "sha256")} for file in began.get("corpus", [])]}
    deciding, _ = differences({key: same_keys.get(key) for key in now}, now)
    if deciding:
        more = f" and {len(deciding) - _SHOWN_DIFFERENCES} more" if len(deciding) > _SHOWN_DIFFERENCES else ""
        raise UserError(f"{folder} holds a run with {', '.join(deciding[:_SHOWN_DIFFERENCES])}{more}; choose another --output")


def write_sweep(folder: Path, plan: Plan, runs: Sequence[str]) -> None:
    """Write what the sweep is, so that its folder is known."""
    write_json(folder / SWEEP, {"sweep": plan.name, "dev": plan.dev, "test": list(plan.test), "runs": list(runs)})


def finished(folder: Path) -> dict[str, Any] | None:
    """Return the record of a finished run; None where something is left to do."""
    return finished_record(folder)


def remove_what_was_for_resuming(folder: Path) -> None:
    """Remove checkpoints and prepared data of a finished run: a sweep of a hundred would fill a disk with them."""
    for name in (CHECKPOINTS, PREPARED):
        shutil.rmtree(folder / name, ignore_errors=True)
