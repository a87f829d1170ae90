"""The runs of a report: named by folder, grouped as seeds of one setting, with their curves and the settings they differ in."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any

from augcse.errors import UserError
from augcse.report.record import LARGEST, Record, load_records, record_path
from augcse.report.svg import Point
from augcse.training.inputs import read_inputs
from augcse.training.outcome import kept_moment
from augcse.training.run_folder import RECORD

STS_COLUMNS = ("STS12", "STS13", "STS14", "STS15", "STS16", "STSB", "SICKR", "avg")
SEED = "recipe.training.seed"
# What a report may name of a group.
_NAMED_RUNS = 3
_SHOWN_CHARACTERS = 80


@dataclass(frozen=True)
class Run:
    """A finished run as a report sees it.

    Args:
        name: its folder's, as much of the path as tells it from the others.
        folder: where it lies.
        record: of its run.json, checked.
        models: digests of the models that it began with, where its inputs.json says them.
        selected_by: what its model is selected by, files by their content, where its inputs.json says it.
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
        """The step whose model is kept; the last one where the record does not say."""
        kept: int | None = self.record.get("kept_step")
        best = self.record.get("best")
        if kept is not None:
            return kept
        return int(best["step"] if best else self.record["steps"])

    @property
    def kept(self) -> Mapping[str, Any]:
        """What the record holds of the model that is kept; {} where it says none."""
        return kept_moment(self.record)

    @property
    def kept_in_words(self) -> str:
        """Which model is kept, as it follows the name of a score."""
        weight = self.kept.get("weight", 1.0)
        if self.kept_step == 0:
            return "of the start, which is kept"
        return f"after step {self.kept_step:,}" + (f", {weight:.3g} of it and {1 - weight:.3g} of the start" if weight < 1 else "")

    @property
    def before(self) -> dict[str, float]:
        """Test scores of the model as it was given; {} where the record does not say them."""
        return dict((self.record.get("before") or {}).get("test", {}))

    def settings(self) -> dict[str, Any]:
        """Return all that decides the result: dotted key -> value."""
        record = self.record
        deciding = {
            "recipe": {key: value for key, value in record["recipe"].items() if key not in ("name", "evaluation")},
            "corpus": [file["sha256"] for file in record.get("corpus", [])],
            "evaluation data": _short_digest((record.get("data") or {}).get("sha256")),
            "dev": self.chosen_by,
            "precision": record["precision"],
            "model files": dict(self.models),
        }
        return dict(_flat(deciding))

    @property
    def chosen_by(self) -> str | None:
        """What tells what its model is selected by from others, as a key: files by their content; where that is not known, by its name."""
        named: str | None = self.record.get("dev")
        return named if self.selected_by is None else _short_digest(dict(self.selected_by))

    def dev_name(self) -> str:
        """Return what its model is selected by, as it was given, with the beginning of the digest of its content where that is known."""
        named = self.record.get("dev") or "-"
        return named if self.selected_by is None else f"{named} ({self.chosen_by})"

    def corpus_name(self) -> str:
        """Return the names of its corpus's files, each with the beginning of its SHA-256."""
        return ", ".join(f"{Path(file['path']).name} ({file['sha256'][:8]})" for file in self.record.get("corpus", [])) or "-"

    def start(self) -> str:
        """Return what the recipe says of the model that the run began with, as a key."""
        return self._settings_of("recipe.model.", "recipe.start.", "model files.")

    def start_files(self) -> str:
        """Return what tells the files that the run began with from others, as a key."""
        return self._settings_of("recipe.model.backbone", "recipe.start.", "model files.")

    def _settings_of(self, *prefixes: str) -> str:
        return json.dumps({key: value for key, value in self.settings().items() if key.startswith(prefixes)})


def load_runs(folders: Sequence[Path], names: Sequence[str] | None = None) -> list[Run]:
    """Read runs, each once, named by folder where no names are given.

    Raises:
        UserError: a record that cannot be read, or one that is given twice.
    """
    records = load_records(folders)
    homes = [_home(record_path(folder)) for folder in folders]
    names = names or names_by_folder([home.resolve() for home in homes])
    return [_run(name, home, record) for name, home, record in zip(names, homes, records, strict=True)]


def _home(record: Path) -> Path:
    """Return what names a run: the folder of its run.json; of a record that was put elsewhere under a name of its own, that."""
    return record.parent if record.name == RECORD else record.with_suffix("")


def _run(name: str, folder: Path, record: Record) -> Run:
    try:
        inputs = read_inputs(folder)
    except UserError:
        return Run(name, folder, record, {})
    models, dev = inputs.get("models"), inputs.get("dev")
    return Run(name, folder, record, dict(models) if isinstance(models, dict) else {}, _by_content(dev) if isinstance(dev, dict) else None)


def _by_content(value: Any) -> Any:
    """Return a description of files without where they lie."""
    if isinstance(value, dict):
        return {key: _by_content(entry) for key, entry in value.items() if key != "path"}
    return [_by_content(entry) for entry in value] if isinstance(value, list) else value


def names_by_folder(folders: Sequence[Path]) -> list[str]:
    """Return the shortest ends of the paths that are all different, one length for those that share their last part.

    >>> names_by_folder([Path("/old/simcse"), Path("/new/simcse"), Path("/new/augcse")])
    ['old/simcse', 'new/simcse', 'augcse']
    """

    def end(folder: Path, parts: int) -> str:
        return "/".join(folder.parts[-parts:]) or str(folder)

    names = []
    for folder in folders:
        others = [other for other in folders if other.name == folder.name and other != folder]
        depth = 1
        while any(end(other, depth) == end(folder, depth) for other in others) and depth < len(folder.parts):
            depth += 1
        names.append(end(folder, depth))
    return names


def groups(runs: Sequence[Run]) -> list[list[Run]]:
    """Return the runs that differ in their seed alone together, in the order of their first."""
    found: dict[str, list[Run]] = {}
    for run in runs:
        alike = {key: value for key, value in run.settings().items() if key != SEED}
        found.setdefault(json.dumps(alike, sort_keys=True), []).append(run)
    return list(found.values())


def group_name(group: Sequence[Run]) -> str:
    """Return the names of a group's runs, the first few of many."""
    names = [run.name for run in group]
    more = len(names) - _NAMED_RUNS
    return ", ".join(names) if more <= 0 else f"{', '.join(names[:_NAMED_RUNS])} and {more} more"


def setting_name(group: Sequence[Run]) -> str:
    """Return the name of a group without the seeds in a sweep's folder names."""
    names = list(dict.fromkeys(run.name.rpartition("/")[2].rpartition("-seed")[0] or run.name for run in group))
    return names[0] if len(names) == 1 else group_name(group)


def differing_settings(runs: Sequence[Run]) -> dict[str, dict[str, list[str]]]:
    """Return the settings in which the runs differ: key -> value, as text -> names of the runs. The seed is left out."""
    settings = [run.settings() for run in runs]
    found: dict[str, dict[str, list[str]]] = {}
    for key in dict.fromkeys(key for each in settings for key in each):
        texts = [json.dumps(each.get(key), sort_keys=True) for each in settings]
        if len(set(texts)) > 1 and key != SEED:
            values: dict[str, list[str]] = {}
            for run, each in zip(runs, settings, strict=True):
                named = {"corpus": run.corpus_name, "dev": run.dev_name}.get(key)
                values.setdefault(named() if named else _short_text(each.get(key)), []).append(run.name)
            found[key.removeprefix("recipe.")] = values
    return found


def curve(record: Record, name: str) -> list[Point]:
    """Return (step, value) of one figure along the run, where it was measured and is finite."""
    points = [(entry["step"], entry.get(name)) for entry in record["curves"]]
    return [(step, value) for step, value in points if isinstance(value, (int, float)) and math.isfinite(value) and abs(value) <= LARGEST]


def mean_curve(curves: Sequence[Sequence[Point]]) -> list[Point]:
    """Return (step, mean of the curves that have it) at every step of any."""
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


def _flat(value: Any, key: str = "") -> Iterator[tuple[str, Any]]:
    if not isinstance(value, dict):
        yield key, value
        return
    for name, entry in value.items():
        yield from _flat(entry, f"{key}.{name}" if key else str(name))


def _short_text(value: Any) -> str:
    if value is None or value in ([], {}, ""):
        return "-"
    text = ", ".join(map(str, value)) if isinstance(value, list) else f"{value:g}" if isinstance(value, float) else str(value)
    return text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}..."
