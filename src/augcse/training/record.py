"""`run.json`: what was run, on what, with what, and what came out. A figure without one does not count."""

from __future__ import annotations

import os
import platform
import resource
import sys
from importlib import metadata
from pathlib import Path
from typing import Any

from augcse import __version__

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


def versions() -> dict[str, str]:
    """Return Python's version and those of the packages that decide results."""
    found = {"python": platform.python_version(), "augcse": __version__}
    for package in RECORDED_PACKAGES:
        try:
            found[package] = metadata.version(package)
        except metadata.PackageNotFoundError:
            found[package] = "not installed"
    return found


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
