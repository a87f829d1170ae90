"""Find the models, texts and data of a record on this machine; nothing is downloaded, and changed files are refused.

A relative path is resolved from the working folder, and from the parents of the run's folder, since training was started in one of them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from augcse.config import validate
from augcse.errors import UserError
from augcse.files import file_sha256
from augcse.model_folder import BUNDLED_BACKBONES, holds_model, local_model_folder
from augcse.report.runs import ReportedRun
from augcse.report.scores import ScoreRow
from augcse.training.run_folder import MODEL, START

# How many parents of the run's folder are tried.
_PARENTS = 3

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer


def start_model(run: ReportedRun) -> SentenceTransformer:
    """Load the model that a run started from, as it was given. Raises `UserError` if it is not on this machine."""
    from augcse.training.encoder import load_given

    recipe = validate(run.record["recipe"], f"the recipe of {run.name}")
    start = local_backbone(run) if recipe.start is None else _local_model(str(run.folder / START))
    return load_given(recipe.beginning_with(str(start)))


def local_backbone(run: ReportedRun) -> Path:
    """Return the folder of the model that a run started from. Raises `UserError` if it is not on this machine."""
    return _local_model((run.record["recipe"].get("model") or {}).get("backbone", ""), run)


def kept_model(run: ReportedRun) -> SentenceTransformer:
    """Load the model that a run saved. Raises `UserError` if it is gone."""
    from augcse.encoding.model import load_encoder

    return load_encoder(str(_local_model(str(run.folder / MODEL))))


def row_model(row: ScoreRow) -> SentenceTransformer:
    """Load the model of a row of scores. Raises `UserError` if it is not on this machine."""
    from augcse.encoding.model import load_encoder

    if row.run is not None:
        return start_model(row.run) if row.kind == "before" else kept_model(row.run)
    return load_encoder(str(_local_model(row.model or "")))


def recorded_file(run: ReportedRun, file: Mapping[str, str]) -> Path:
    """Return a file that a record names by path and SHA-256. Raises `UserError` if it is missing or has changed."""
    existing = [path for path in _candidates(run, file["path"]) if path.is_file()]
    if not existing:
        raise UserError(f"{file['path']} is not here any more; put it back")
    match = next((path for path in existing if file_sha256(path) == file["sha256"]), None)
    if match is None:
        raise UserError(f"{existing[0]} has changed since {run.name} was made with it; put the old one back, or train again")
    return match


def data_folder(run: ReportedRun) -> Path | None:
    """Return the data folder of a run's record, if it exists here."""
    recorded = (run.record.get("data") or {}).get("folder")
    return next((path for path in _candidates(run, recorded) if path.is_dir()), None) if recorded else None


def _candidates(run: ReportedRun, recorded: str) -> Iterator[Path]:
    path = Path(recorded).expanduser()
    yield path
    if not path.is_absolute():
        yield from (parent / path for parent in list(run.folder.resolve().parents)[:_PARENTS])


def _local_model(name: str, run: ReportedRun | None = None) -> Path:
    """Return the folder of a local model: bundled, a folder, or in the hub's cache. Raises `UserError` for any other."""
    if run is not None:
        # A folder with the name of a bundled model is not that model.
        candidates = () if name in BUNDLED_BACKBONES else _candidates(run, name)
        name = next((str(path) for path in candidates if path.is_dir() and holds_model(path)), name)
    folder = local_model_folder(name)
    if folder is not None:
        return folder
    from huggingface_hub import try_to_load_from_cache

    repository, _, revision = name.partition("@")
    for candidate in (repository, f"sentence-transformers/{repository}"):
        cached = try_to_load_from_cache(candidate, "config.json", revision=revision or None) if candidate.count("/") <= 1 else None
        if isinstance(cached, str):
            return Path(cached).parent
    raise UserError(f"the model {name} is not on this machine; fetch it (augcse evaluate {name} ...), and make the report again")
