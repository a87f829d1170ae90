"""The record of a run (`run.json`): its recipe, data, versions and hardware, and its results."""

from __future__ import annotations

import hashlib
import html
import os
import platform
import resource
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from importlib import metadata
from pathlib import Path
from typing import TYPE_CHECKING, Any

from augcse import __version__
from augcse.clock import CpuClock
from augcse.config import Recipe
from augcse.files import file_sha256
from augcse.training.outcome import baseline_rows, outcome_rows

if TYPE_CHECKING:
    from augcse.corpus.files import Corpus
    from augcse.training.run import Trained

RECORDED_PACKAGES = (
    "torch",
    "transformers",
    "sentence-transformers",
    "accelerate",
    "datasets",
    "spacy",
    "numpy",
    "tokenizers",
    "num2words",
)


@dataclass(frozen=True)
class Run:
    """A finished run: its folder, its model's folder, and its record (what `run.json` holds)."""

    folder: Path
    model: Path
    record: dict[str, Any] = field(repr=False)

    def __str__(self) -> str:
        """The path of the model, and the scores before training, of the best step and of the last."""
        lines = ["  ".join(row) for header, rows in self._tables() for row in [header, *rows]]
        return "\n".join([f"{self.record['steps']} steps; model: {self.model}", *lines])

    def _repr_html_(self) -> str:
        """The same as a table, for notebooks."""
        tables = "".join(_html_table([header, *rows]) for header, rows in self._tables())
        return f"<p>{self.record['steps']} steps; model: <code>{html.escape(str(self.model))}</code></p>{tables}"

    def _tables(self) -> list[tuple[list[str], list[list[str]]]]:
        """Header and rows of the scores of the run, and of its baselines."""
        return [(header, rows) for header, rows in (outcome_rows(self.record), baseline_rows(self.record)) if rows]


def _html_table(lines: Sequence[Sequence[str]]) -> str:
    cells = ["".join(f"<td>{html.escape(cell)}</td>" for cell in line) for line in lines]
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in cells)}</table>"


def versions() -> dict[str, str]:
    """Return the versions of Python and of the packages that affect results, torch's with its build: "2.13.0+cu130"."""
    import torch

    installed = {"python": platform.python_version(), "augcse": __version__}
    for package in RECORDED_PACKAGES:
        try:
            installed[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            installed[package] = "not installed"
    # The metadata of the wheels on PyPI leaves the build out.
    return {**installed, "torch": str(torch.__version__)}


@lru_cache(maxsize=1)
def source_sha256() -> str:
    """Return the SHA-256 of the package as it is installed: code, word lists and bundled models, which all may affect a result.

    Between two releases many states of the code have the same version; the hash identifies the state that made a result.
    """
    root = Path(__file__).parents[1]
    files = (path for path in root.rglob("*") if path.is_file() and path.parent.name != "__pycache__")
    lines = sorted(f"{path.relative_to(root).as_posix()} {file_sha256(path)}\n" for path in files)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def hardware() -> dict[str, Any]:
    """Return the machine, the device and the thread count."""
    import torch

    return {
        "platform": platform.platform(),
        "processor": _processor_name(),
        "cores": os.cpu_count(),
        "torch_threads": torch.get_num_threads(),
        "device": torch.cuda.get_device_name(0) if torch.cuda.is_available() else "cpu",
        "omp_wait_policy": os.environ.get("OMP_WAIT_POLICY", ""),
    }


def described_run(recipe: Recipe, corpus: Corpus, trained: Trained, data: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return the part of the record that describes the run: recipe, data, versions, hardware and model, without its results."""
    from augcse.training.inputs import described_files
    from augcse.training.start import described_start

    return {
        "recipe": recipe.model_dump(),
        "versions": versions(),
        "source_sha256": source_sha256(),
        "hardware": hardware(),
        "precision": trained.precision,
        "corpus": described_files(corpus),
        "data": data,
        "prepared": trained.store_meta,
        "start": described_start(trained.model.parent, recipe.start),
        "own_modules": trained.own_modules,
        "modules": trained.modules,
        "weights": asdict(trained.weights),
        "negatives_per_anchor": trained.negatives_per_anchor,
    }


def effort(trained: Trained, started: float, clock: CpuClock) -> dict[str, Any]:
    """Return steps, time, memory and training curves, for the record."""
    return {
        "steps": trained.steps,
        "resumed_from_steps": trained.resumed_from_steps,
        # Of this process alone, since the last resume.
        "wall_time_s": round(time.time() - started, 1),
        "cpu_time_s": {part: round(seconds, 1) for part, seconds in clock.seconds.items()},
        "peak_memory_mb": peak_memory_mb(),
        "curves": trained.history,
    }


def since_resume(record: Mapping[str, Any]) -> str:
    """Return since when the wall time of a run's record counts, as text to append; "" for a run that was never resumed.

    >>> since_resume({"resumed_from_steps": [4, 8]})
    ' since the resume at step 8'
    """
    steps = record.get("resumed_from_steps")
    return f" since the resume at step {steps[-1]:,}" if steps else ""


def peak_memory_mb() -> float:
    """Return the peak resident memory of this process so far."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    # Linux counts kibibytes, macOS bytes.
    return round(peak / (1 << 20 if sys.platform == "darwin" else 1 << 10), 1)


def _processor_name() -> str:
    try:
        with Path("/proc/cpuinfo").open(encoding="utf-8") as file:
            for line in file:
                if line.startswith("model name"):
                    return line.split(":", 1)[1].strip()
    except OSError:
        pass
    return platform.processor()
