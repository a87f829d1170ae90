"""Put the records of a bundled sweep's finished runs under docs/results, without the folders of the machine.

    python scripts/keep_sweep.py SWEEP_DIR [--commit COMMIT] [--results DIR]

Every SWEEP_DIR/runs/NAME/run.json that is a run of the sweep which SWEEP_DIR/sweep.json names goes to docs/results/SWEEP/NAME.json, also
where the last command made other rows or seeds of it. The SHA-256 of the run's weights is put into it, and what scripts/measure_spaces.py
found of its model, as "spaces"; with `--commit` that of the package that trained it, whose rules made the rows, as "rules_commit". `make
docs` makes the page docs/results/SWEEP.md of them, which says which cells have not been run.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from kept_record import without_folders
from measure_spaces import SPACES

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results"
WEIGHTS = "weights_sha256"
RULES_COMMIT = "rules_commit"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", type=Path)
    parser.add_argument("--commit", help="of the package that trained the runs")
    parser.add_argument("--results", type=Path, default=RESULTS)
    arguments = parser.parse_args()
    written = keep(arguments.sweep, arguments.results, arguments.commit)
    print(len(written), "records kept")
    finished = {path.parent.name for path in (arguments.sweep / "runs").glob("*/run.json")}
    if left := sorted(finished - {path.stem for path in written}):
        print(f"not runs of the bundled sweep's cells and seeds, left out: {', '.join(left)}")


def keep(sweep: Path, results: Path, commit: str | None = None) -> list[Path]:
    """Write the records of the sweep's runs and return where; those of other sweeps in the folder are left."""
    from augcse.files import write_json
    from augcse.report.record import load_record
    from augcse.sweeping.file import read_plan
    from augcse.sweeping.plan import cells_of

    name = json.loads((sweep / "sweep.json").read_text("utf-8"))["sweep"]
    runs = [cell.run_name(seed) for cell in cells_of(read_plan(name, {}), {}) for seed in cell.seeds]
    written = []
    for run in runs:
        path = sweep / "runs" / run / "run.json"
        if path.exists():
            spaces = path.parent / SPACES
            measured = {"spaces": json.loads(spaces.read_text("utf-8"))} if spaces.exists() else {}
            added = {WEIGHTS: weights_sha256(path.parent / "model"), **measured, **({RULES_COMMIT: commit} if commit else {})}
            written.append(results / name / f"{run}.json")
            write_json(written[-1], {**without_folders(load_record(path)), **added})
    return written


def weights_sha256(model: Path) -> dict[str, str]:
    """Return the SHA-256 of each file of weights in a model's folder."""
    from augcse.files import file_sha256

    return {path.relative_to(model).as_posix(): file_sha256(path) for path in sorted(model.rglob("*.safetensors"))}


if __name__ == "__main__":
    main()
