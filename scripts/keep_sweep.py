"""Put the records of a sweep's finished runs under docs/results, without the folders of the machine.

    python scripts/keep_sweep.py SWEEP_DIR [--results DIR]

The records of SWEEP_DIR/runs/NAME/run.json go to docs/results/SWEEP/NAME.json, SWEEP being what SWEEP_DIR/sweep.json names. `make docs`
makes the page docs/results/SWEEP.md of them, which says which cells have not been run.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kept_record import without_folders

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", type=Path)
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    print(len(keep(arguments.sweep, arguments.results)), "records kept")


def keep(sweep: Path, results: Path) -> list[Path]:
    """Write the records of the runs that the sweep names, and return where; those of other sweeps in the folder are left."""
    from augcse.files import write_json
    from augcse.report.record import load_record

    plan = json.loads((sweep / "sweep.json").read_text("utf-8"))
    kept = []
    for name in plan["runs"]:
        path = sweep / "runs" / name / "run.json"
        if path.exists():
            kept.append(results / plan["sweep"] / f"{name}.json")
            write_json(kept[-1], without_folders(load_record(path)))
    return kept


if __name__ == "__main__":
    main()
