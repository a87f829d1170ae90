"""The schema of the parts of a run's record, `run.json`, that a report reads; they are validated once, on loading.

Other keys may have any value or be absent, so that records of earlier and later versions can be read.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from augcse.allowed_values import value_text
from augcse.errors import UserError
from augcse.model_folder import holds_model
from augcse.training.run_folder import RECORD

Record = dict[str, Any]
# The output of `augcse evaluate --json`, in a model's folder.
SCORES = "score.json"
_RUNS = "runs"
_REMEDY = "give a run's folder, or what augcse evaluate --json printed"
# Orders of magnitude above any figure of a run, and small enough for plots.
LARGEST = 1e12
Figure = Annotated[float, Field(ge=-LARGEST, le=LARGEST, allow_inf_nan=False)]
Count = Annotated[int, Field(ge=0, le=int(LARGEST))]
Name = Annotated[str, Field(min_length=1, max_length=200)]
# A task, or the path of a file.
TaskName = Annotated[str, Field(min_length=1, max_length=5000)]


class _Checked(BaseModel):
    # Strict: values are validated as they are, without type coercion.
    model_config = ConfigDict(extra="ignore", strict=True)


class _Training(_Checked):
    seed: int = Field(ge=-LARGEST, le=LARGEST)
    batch_size: Count = 64


class _Model(_Checked):
    backbone: str = Field(max_length=5000)
    max_len_tokens: Count = 32


class _Columns(_Checked):
    columns: dict[Name, Name] = {}


class _Augmentation(_Checked):
    names: list[TaskName] = []
    positives: list[TaskName] = []
    negatives: list[TaskName] = []
    neutral: list[TaskName] = []
    parser: TaskName = "en_ewt"


class _Recipe(_Checked):
    name: Name
    objective: dict[str, Any]
    training: _Training
    # Every record of augcse has these; handwritten ones may not.
    model: _Model | None = None
    augmentation: _Augmentation = _Augmentation()
    corpus: _Columns = _Columns()


class _Hardware(_Checked):
    processor: str = Field(max_length=500)


class _File(_Checked):
    path: str = Field(min_length=1, max_length=5000)
    sha256: str = Field(min_length=1, max_length=200)


class _Data(_Checked):
    folder: str = Field(max_length=5000)
    # Older records also have files that the run's tasks did not read.
    sha256: dict[TaskName, Name] = {}


class _Fingerprint(_Checked):
    column: str | None = None


class _Prepared(_Checked):
    fingerprint: _Fingerprint = _Fingerprint()
    distinct: Count | None = None
    label_counts: dict[Name, Count] | None = None


class _CurvePoint(_Checked):
    step: Count
    discriminator_accuracy: Figure | None = None
    contrastive: Figure | None = None
    eval_stsb_dev: Figure | None = None


class _Moment(_Checked):
    step: Count
    dev: dict[TaskName, Figure] = {}
    test: dict[TaskName, Figure] = {}


class _Mix(_Moment):
    weight: Annotated[float, Field(ge=0, le=1)]


class _Interval(_Checked):
    low: Figure
    high: Figure


class _ComparedInterval(_Interval):
    level: Figure
    resamples: Count


class _Difference(_Checked):
    difference: Figure
    interval: _ComparedInterval


class _Gain(_Difference):
    name: TaskName


class _CurveMix(_Checked):
    weight: Annotated[float, Field(ge=0, le=1)]
    dev: dict[TaskName, Figure] = {}
    from_start: _Difference | None = None


class _Interpolation(_Checked):
    weight: Annotated[float, Field(ge=0, le=1)]
    curve: list[_CurveMix]


class _ScoresDocument(_Checked):
    model: str = Field(min_length=1, max_length=5000)
    scores: dict[TaskName, Figure]
    intervals: dict[TaskName, _Interval] = {}


class _RunRecord(_Checked):
    recipe: _Recipe
    scores: dict[TaskName, Figure]
    intervals: dict[TaskName, _Interval] = {}
    curves: list[_CurvePoint]
    steps: Count
    precision: Name
    # Of the last process, which began at the last of `resumed_from_steps`.
    wall_time_s: Figure
    resumed_from_steps: list[Count] = []
    peak_memory_mb: Figure
    hardware: _Hardware
    # Older records lack these; `best` is None if nothing was scored during training.
    before: _Moment | None = None
    best: _Moment | None = None
    last: _Moment | None = None
    kept_step: Count | None = None
    # Of the kept model over the start, by the selection score.
    gain: _Gain | None = None
    # If start and trained model were interpolated.
    kept: _Mix | None = None
    interpolation: _Interpolation | None = None
    corpus: list[_File] = []
    prepared: _Prepared | None = None
    data: _Data | None = None
    dev: str | None = Field(None, max_length=5000)
    test: list[TaskName] = []
    files: dict[TaskName, list[_File]] = {}


def load_record(folder: Path) -> Record:
    """Read a run's record.

    Args:
        folder: a run's folder, or its run.json.

    Raises:
        UserError: there is no record, it is not JSON, or a key that a report reads is missing or of the wrong type.
    """
    path = record_path(folder)
    document = _read_json(path, "a run record")
    check_record(document, str(path))
    record: Record = document
    return record


def load_records(folders: Sequence[Path]) -> list[Record]:
    """Read several records; raises `UserError` for one that is given twice."""
    paths = [record_path(folder).resolve() for folder in folders]
    for folder, path in zip(folders, paths, strict=True):
        if paths.count(path) > 1:
            raise UserError(f"{folder} is given twice; name each run once")
    return [load_record(folder) for folder in folders]


def record_path(folder: Path) -> Path:
    """Return the path of a run's record; raises `UserError` if there is none."""
    path = folder / RECORD if folder.is_dir() else folder
    if not path.is_file() and folder.is_dir() and holds_model(folder):
        scores = f"augcse evaluate {folder} --json > {folder / SCORES}"
        raise UserError(f"{folder} holds a model that no run made, without scores; {scores} puts them there")
    if not path.is_file():
        raise UserError(f"{folder} holds no {RECORD}: not a run folder, or the run has not finished")
    return path


def run_folders(source: Path) -> list[Path]:
    """Return the run itself, or the finished runs of a sweep's folder."""
    if source.is_dir() and (source / _RUNS).is_dir():
        return [folder for folder in sorted((source / _RUNS).iterdir()) if (folder / RECORD).is_file()]
    record_path(source)
    return [source]


def check_record(document: Any, where: str) -> None:
    """Validate a record; raises `UserError` with `where`, the key, and what is wrong with it."""
    _check_document(_RunRecord, document, where, "is it the run.json of a finished run?")


def scores_path(path: Path) -> Path | None:
    """Return the scores file of a model: `score.json` of a folder, or the path itself; None if it does not look like one."""
    if path.is_dir():
        has_scores_only = (path / SCORES).is_file() and not (path / RECORD).exists()
        return path / SCORES if has_scores_only else None
    if not path.is_file() or path.name == RECORD:
        return None
    try:
        document = _read_json(path, "scores")
    except UserError:
        return None
    looks_like_scores = isinstance(document, dict) and "scores" in document and "recipe" not in document
    return path if looks_like_scores else None


def load_scores(path: Path) -> Record:
    """Read the output of `augcse evaluate --json`.

    Raises:
        UserError: it is not JSON, or model or scores are missing or of the wrong type.
    """
    try:
        document = _read_json(path, "scores")
        _check_document(_ScoresDocument, document, str(path), "name the model and its scores")
    except UserError as error:
        raise UserError(f"{error}; give what augcse evaluate --json prints") from error
    scores: Record = document
    return scores


def _read_json(path: Path, content_name: str) -> Any:
    """Read a JSON file; raises `UserError` that says which `content_name` was expected."""
    try:
        return json.loads(path.read_text("utf-8"))
    except OSError as error:
        raise UserError(f"{path}: cannot be read: {error.strerror}; {_REMEDY}") from error
    except UnicodeDecodeError as error:
        raise UserError(f"{path}: not {content_name}: not UTF-8 (byte {error.start}); {_REMEDY}") from error
    except (ValueError, RecursionError) as error:
        # ValueError: JSON syntax errors, and numbers of thousands of digits.
        raise UserError(f"{path}: not {content_name}: {error or 'nested too deeply'}; {_REMEDY}") from error


def _check_document(schema: type[_Checked], document: Any, where: str, remedy: str) -> None:
    """Validate a document; raises `UserError` about the first key that is missing or wrong."""
    try:
        schema.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        key = ".".join(map(str, first["loc"])) or "the document"
        if first["type"] == "missing":
            raise UserError(f"{where}: {key} is missing; {remedy}") from error
        raise UserError(f"{where}: {key} is {value_text(first['input'])}; {first['msg'][0].lower()}{first['msg'][1:]}") from error
