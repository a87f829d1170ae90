"""Run the benches whose figures docs/speed.md shows, each in a process of its own, and write a record of each to docs/results/speed.

    python bench/record.py CORPUS [--parts strings training ...] [--libraries-python PYTHON]     or: make bench CORPUS=FILE

A record holds the command, what it printed as JSON, the machine and how busy it was, versions, date, commit, and the corpus's checksum.
`--libraries-python` is the Python of an environment that has nlpaug, TextAttack and glitchlings as well (bench/libraries_requirements.txt;
TextAttack runs on older transformers only); without it the part `libraries` is left out and its record stays. A part that is named is run
alone, so that one record is renewed.
"""

from __future__ import annotations

import argparse
import json
import os
import shlex
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from augcse.files import file_sha256, write_json
from augcse.training.record import hardware, versions

ROOT = Path(__file__).resolve().parents[1]
RECORDS = ROOT / "docs" / "results" / "speed"
LIBRARIES = "libraries"
# The script and its arguments after the corpus.
PARTS = {
    "strings": "augmentation_speed.py --json",
    "memory": "augmentation_speed.py --memory --seconds 300 --json",
    "pipeline": "augmentation_speed.py --pipeline 12-aug-2 --sentences 8000 --json",
    "una": "una_speed.py --sentences 1000000 --json",
    "training": "training_speed.py --json",
    "training_memory": "training_memory.py --json",
    "objectives": "objective_speed.py --steps 1 --rounds 3 --json",
    LIBRARIES: "libraries_speed.py --json",
}


def main() -> None:
    arguments = _arguments()
    corpus = {"file": arguments.corpus.name, "sha256": file_sha256(arguments.corpus)}
    for part in arguments.parts:
        if part == LIBRARIES and arguments.libraries_python is None:
            print(f"{part}: left out, no --libraries-python", file=sys.stderr)
            continue
        python = arguments.libraries_python if part == LIBRARIES else sys.executable
        print(f"{part} ...", file=sys.stderr, flush=True)
        about = {**_described(), "corpus": corpus, **({"note": arguments.note} if arguments.note else {})}
        write_json(RECORDS / f"{part}.json", {**about, **run(part, arguments.corpus, python)})


def run(part: str, corpus: Path, python: str) -> dict[str, Any]:
    """Run a bench and return its command as the docs show it, its wall seconds and what it printed."""
    script, *options = shlex.split(PARTS[part])
    started = time.perf_counter()
    command = [python, str(ROOT / "bench" / script), str(corpus), *options]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    shown = " ".join(["python", f"bench/{script}", "CORPUS", *(option for option in options if option != "--json")])
    return {"command": shown, "seconds": round(time.perf_counter() - started), "result": json.loads(done.stdout)}


def _described() -> dict[str, Any]:
    return {
        "date": datetime.now(UTC).date().isoformat(),
        "commit": _git("rev-parse", "--short=10", "HEAD"),
        # The load average of the last minute, and the number of usable cores.
        "load_before": round(os.getloadavg()[0], 1),
        "cores_used": len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count(),
        "hardware": hardware(),
        "versions": versions(),
    }


def _git(*command: str) -> str:
    return subprocess.run(["git", *command], cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--parts", nargs="+", choices=list(PARTS), default=list(PARTS), metavar="PART", help=", ".join(PARTS))
    parser.add_argument("--libraries-python", metavar="PYTHON")
    parser.add_argument("--note", help="a sentence that the page shows beside the figures: where data came from, say")
    return parser.parse_args()


if __name__ == "__main__":
    main()
