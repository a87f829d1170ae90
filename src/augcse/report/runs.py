"""The runs of a report: names, groups of seeds, curves, and differing settings."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from augcse.encoding.front_matter import model_name
from augcse.errors import UserError
from augcse.files import names_by_folder
from augcse.report.record import LARGEST, Record, load_records, record_path
from augcse.report.svg import Point
from augcse.training.inputs import read_inputs
from augcse.training.outcome import added_pooling, kept_moment, started_from
from augcse.training.run_folder import RECORD

STS_COLUMNS = ("STS12", "STS13", "STS14", "STS15", "STS16", "STSB", "SICKR", "avg")
SEED = "recipe.training.seed"
# Runs of a group that its name lists.
_NAMED_RUNS = 3
_SHOWN_CHARACTERS = 80


@dataclass(frozen=True)
class ReportedRun:
    """A finished run.

    Args:
        name: the shortest end of its folder's path that is unique among the runs.
        folder: of the run.
        record: its validated run.json.
        models: digests of the models that it started from, if its inputs.json has them.
        selected_by: the dev data that selected its model, with digests of files, if its inputs.json has it.
    """

    name: str
    folder: Path
    record: Record
    models: Mapping[str, str]
    selected_by: Mapping[str, Any] | None = None

    @property
    def seed(self) -> int:
        """The training seed."""
        seed: int = self.record["recipe"]["training"]["seed"]
        return seed

    @property
    def kept_step(self) -> int:
        """The step whose model is kept; the last one if the record does not say."""
        kept: int | None = self.record.get("kept_step")
        if kept is not None:
            return kept
        best = self.record.get("best")
        return int(best["step"] if best else self.record["steps"])

    @property
    def kept(self) -> Mapping[str, Any]:
        """The record's entry of the kept model; {} if there is none."""
        return kept_moment(self.record)

    @property
    def kept_in_words(self) -> str:
        """A phrase for which model is kept, to follow the name of a score."""
        weight = self.kept.get("weight", 1.0)
        if self.kept_step == 0:
            return "of the start, which is kept"
        mix = f", {weight:.3g} of it and {1 - weight:.3g} of the start" if weight < 1 else ""
        return f"after step {self.kept_step:,}{mix}"

    @property
    def start_in_words(self) -> str:
        """A phrase for the model that training began with."""
        return started_from(self.record)

    @property
    def start_name(self) -> str:
        """The name of the model that training began with: the backbone's, or that of the start that was built from it."""
        recipe = self.record["recipe"]
        section = recipe.get("model") or {}
        name = model_name(section.get("backbone", "a model"))
        if recipe.get("start"):
            return f"the start built of {name}"
        added = added_pooling(section, own_modules=self.record.get("own_modules", True))
        return f"{name} ({added} pooling)" if added else name

    @property
    def before(self) -> dict[str, float]:
        """Test scores before training; {} if the record has none."""
        return dict((self.record.get("before") or {}).get("test", {}))

    def settings(self) -> dict[str, Any]:
        """Return everything that determines the result, except the evaluation data, see `data`: dotted key -> value."""
        record = self.record
        deciding = {
            "recipe": {key: value for key, value in record["recipe"].items() if key not in ("name", "evaluation")},
            "corpus": [file["sha256"] for file in record.get("corpus", [])],
            "dev": self.chosen_by,
            "precision": record["precision"],
            "model files": dict(self.models),
        }
        return dict(_flatten(deciding))

    @property
    def data(self) -> dict[str, str]:
        """The SHA-256 of each file of evaluation data."""
        return dict((self.record.get("data") or {}).get("sha256", {}))

    @property
    def chosen_by(self) -> str | None:
        """A key for the dev data that selected its model: a digest of the content, or its name if the content is unknown."""
        named: str | None = self.record.get("dev")
        return named if self.selected_by is None else _short_digest(dict(self.selected_by))

    def dev_name(self) -> str:
        """Return the name of the dev data that selected its model, with a digest of its content if known."""
        named = self.record.get("dev") or "-"
        return named if self.selected_by is None else f"{named} ({self.chosen_by})"

    def corpus_name(self) -> str:
        """Return the names of its corpus files, each with the beginning of its SHA-256."""
        files = self.record.get("corpus", [])
        return ", ".join(f"{Path(file['path']).name} ({file['sha256'][:8]})" for file in files) or "-"

    def start(self) -> str:
        """Return a key for the model settings that the run started from."""
        return self._settings_of("recipe.model.", "recipe.start.", "model files.")

    def start_files(self) -> str:
        """Return a key for the model files that the run started from."""
        return self._settings_of("recipe.model.backbone", "recipe.start.", "model files.")

    def _settings_of(self, *prefixes: str) -> str:
        return json.dumps({key: value for key, value in self.settings().items() if key.startswith(prefixes)})


def load_runs(folders: Sequence[Path], names: Sequence[str] | None = None) -> list[ReportedRun]:
    """Read runs, and name them by folder if no names are given.

    Raises:
        UserError: a record that cannot be read, or one that is given twice.
    """
    records = load_records(folders)
    homes = [_naming_path(record_path(folder)) for folder in folders]
    names = names or names_by_folder([home.resolve() for home in homes])
    return [_reported_run(name, home, record) for name, home, record in zip(names, homes, records, strict=True)]


def _naming_path(record: Path) -> Path:
    """Return the path that names a run: the folder of its run.json, or the path of a record with another name, without its suffix."""
    return record.parent if record.name == RECORD else record.with_suffix("")


def _reported_run(name: str, folder: Path, record: Record) -> ReportedRun:
    """Return a run with the digests in its inputs.json, if that can be read."""
    try:
        inputs = read_inputs(folder)
    except UserError:
        return ReportedRun(name, folder, record, {})
    models, dev = inputs.get("models"), inputs.get("dev")
    model_digests = dict(models) if isinstance(models, dict) else {}
    selected_by = _without_paths(dev) if isinstance(dev, dict) else None
    return ReportedRun(name, folder, record, model_digests, selected_by)


def _without_paths(value: Any) -> Any:
    """Return a description of files without their paths."""
    if isinstance(value, dict):
        return {key: _without_paths(entry) for key, entry in value.items() if key != "path"}
    return [_without_paths(entry) for entry in value] if isinstance(value, list) else value


def groups(runs: Sequence[ReportedRun]) -> list[list[ReportedRun]]:
    """Group the runs that differ only in their seed, in the order of their first run."""
    runs_by_settings: dict[str, list[ReportedRun]] = {}
    for run, settings in zip(runs, _settings_of_all(runs), strict=True):
        without_seed = {key: value for key, value in settings.items() if key != SEED}
        runs_by_settings.setdefault(json.dumps(without_seed, sort_keys=True), []).append(run)
    return list(runs_by_settings.values())


def _settings_of_all(runs: Sequence[ReportedRun]) -> list[dict[str, Any]]:
    """Return the settings of each run, with a digest of those of its evaluation files whose content differs between the runs.

    Files of a single run do not count: other tests read other files, and older records have files that no task read.
    """
    digests: dict[str, set[str]] = {}
    for run in runs:
        for file, digest in run.data.items():
            digests.setdefault(file, set()).add(digest)
    differing = [{file: digest for file, digest in run.data.items() if len(digests[file]) > 1} for run in runs]
    return [{**run.settings(), "evaluation data": _short_digest(data or None)} for run, data in zip(runs, differing, strict=True)]


def start_groups(runs: Sequence[ReportedRun]) -> list[list[ReportedRun]]:
    """Group the runs that started from the same model, in the order of their first run."""
    by_start: list[list[ReportedRun]] = []
    for run in runs:
        matching = next((members for members in by_start if all(_same_start(run, member) for member in members)), None)
        if matching is None:
            by_start.append([run])
        else:
            matching.append(run)
    return by_start


def _same_start(run: ReportedRun, other: ReportedRun) -> bool:
    """Return whether two runs started from the same model: the same files and, to two decimals, the same scores.

    Other model settings, such as dropout, need not change the model before training; without common scores, they have to agree too.
    """
    if run.start_files() != other.start_files():
        return False
    tasks = run.before.keys() & other.before.keys()
    if not tasks:
        return run.start() == other.start()
    return all(round(run.before[task] - other.before[task], 2) == 0 for task in tasks)


def group_name(group: Sequence[ReportedRun]) -> str:
    """Return the names of a group's runs, abbreviated if there are many."""
    names = [run.name for run in group]
    more = len(names) - _NAMED_RUNS
    listed = ", ".join(names[:_NAMED_RUNS])
    return listed if more <= 0 else f"{listed} and {more} more"


def setting_name(group: Sequence[ReportedRun]) -> str:
    """Return the name of a group without the seed suffixes of a sweep's folders."""
    names = list(dict.fromkeys(run.name.rpartition("/")[2].rpartition("-seed")[0] or run.name for run in group))
    return names[0] if len(names) == 1 else group_name(group)


def differing_settings(runs: Sequence[ReportedRun]) -> dict[str, dict[str, list[str]]]:
    """Return the settings in which the runs differ: key -> value, as text -> names of the runs. The seed is left out."""
    all_settings = _settings_of_all(runs)
    differing: dict[str, dict[str, list[str]]] = {}
    for key in dict.fromkeys(key for settings in all_settings for key in settings):
        texts = [json.dumps(settings.get(key), sort_keys=True) for settings in all_settings]
        if len(set(texts)) > 1 and key != SEED:
            values: dict[str, list[str]] = {}
            for run, settings in zip(runs, all_settings, strict=True):
                name_of_files = {"corpus": run.corpus_name, "dev": run.dev_name}.get(key)
                text = name_of_files() if name_of_files else _short_text(settings.get(key))
                values.setdefault(text, []).append(run.name)
            differing[key.removeprefix("recipe.")] = values
    return differing


def curve(record: Record, name: str) -> list[Point]:
    """Return (step, value) of one curve, without missing and non-finite values."""
    points = [(entry["step"], entry.get(name)) for entry in record["curves"]]
    return [(step, value) for step, value in points if isinstance(value, (int, float)) and math.isfinite(value) and abs(value) <= LARGEST]


def mean_curve(curves: Sequence[Sequence[Point]]) -> list[Point]:
    """Return (step, mean over the curves that have the step)."""
    values: dict[float, list[float]] = {}
    for points in curves:
        for step, value in points:
            values.setdefault(step, []).append(value)
    return [(step, fmean(values[step])) for step in sorted(values)]


def smoothed(points: Sequence[Point], window: int = 9) -> list[Point]:
    """Return the running mean over the last `window` points."""
    return [
        (x, sum(y for _, y in points[max(0, index - window + 1) : index + 1]) / min(index + 1, window))
        for index, (x, _) in enumerate(points)
    ]


def _short_digest(value: Any) -> str | None:
    return None if value is None else hashlib.sha256(json.dumps(value, sort_keys=True).encode()).hexdigest()[:12]


def _flatten(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(value, dict):
        yield key, value
        return
    for name, entry in value.items():
        yield from _flatten(entry, f"{key}.{name}" if key else str(name))


def _short_text(value: Any) -> str:
    """Return a setting for display, abbreviated; "-" for an empty one."""
    if value is None or value in ([], {}, ""):
        return "-"
    if isinstance(value, list):
        text = ", ".join(map(str, value))
    elif isinstance(value, float):
        text = f"{value:g}"
    else:
        text = str(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."
