"""The folder of a sweep: its layout, and checks that it can be used and that its unfinished runs can be resumed.

DIR/sweep.json        the name of the sweep, its tasks and its runs
DIR/runs/NAME/        the run folders of augcse train; checkpoints are removed when a run finishes
DIR/logs/NAME.log     the output of each run
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
from augcse.sweeping.plan import SweepPlan
from augcse.training.inputs import INPUTS, described_files, described_recipe, differences, read_inputs
from augcse.training.run_folder import CHECKPOINTS, PREPARED

SWEEP, RUNS, LOGS, SOUPS = "sweep.json", "runs", "logs", "soups"
TABLE, MARKDOWN, REPORT = "table.json", "table.md", "report.html"
_SHOWN_DIFFERENCES = 3


def check_sweep_folder(folder: Path, plan: SweepPlan) -> None:
    """Raise `UserError` for a folder that cannot be written, or that holds anything but this sweep."""
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


def check_run_folder(folder: Path, recipe: Recipe, corpus: Corpus, evaluation: Mapping[str, Any]) -> None:
    """Raise `UserError`, with the differences, if the folder holds a run that was started with other inputs.

    Args:
        folder: the run's folder.
        recipe: the recipe that the run would have now.
        corpus: the corpus that the run would have now.
        evaluation: "dev", "test" and "data" as `RunEvaluation.inputs` describes them.
    """
    if not (folder / INPUTS).exists():
        return
    saved = read_inputs(folder)
    current = json.loads(json.dumps({"recipe": described_recipe(recipe), "corpus": described_files(corpus), **evaluation}))
    # Only paths and digests of the corpus files; the options for reading them are compared when the run is resumed.
    comparable = {**saved, "corpus": [{key: file[key] for key in ("path", "sha256")} for file in saved.get("corpus", [])]}
    deciding, _ = differences({key: comparable.get(key) for key in current}, current)
    if deciding:
        more = f" and {len(deciding) - _SHOWN_DIFFERENCES} more" if len(deciding) > _SHOWN_DIFFERENCES else ""
        raise UserError(f"{folder} holds a run with {', '.join(deciding[:_SHOWN_DIFFERENCES])}{more}; choose another --output")


def write_sweep(folder: Path, plan: SweepPlan, runs: Sequence[str]) -> None:
    """Write sweep.json, by which `check_sweep_folder` recognizes the folder."""
    write_json(folder / SWEEP, {"sweep": plan.name, "dev": plan.dev, "test": list(plan.test), "runs": list(runs)})


def remove_resume_data(folder: Path) -> None:
    """Remove checkpoints and prepared data of a finished run, which would fill the disk in a sweep of many runs."""
    for name in (CHECKPOINTS, PREPARED):
        shutil.rmtree(folder / name, ignore_errors=True)
