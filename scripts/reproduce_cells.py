"""Retrain randomly drawn runs of a bundled sweep, and compare the results with their records byte for byte.

    python scripts/reproduce_cells.py SWEEP --corpus FILE --corpus FILE --data DIR --output DIR [--runs 2] [--draw 0] [--only NAME]

Each is trained from the recipe of its record alone, on as many threads. Compared are the weights' SHA-256, every number of the curves and
every score. Another kind of processor rounds otherwise (docs/design.md), so that only records of this kind are drawn from. A rule that has
changed since makes other rows: such a run needs the package of its commit (a worktree of it first on PYTHONPATH), one of the drawn runs at
a time (`--only`). What was found, and the commit of the package, is added to docs/results/reproduced/SWEEP.json, and goes from there to
the sweep's page.
"""

from __future__ import annotations

import argparse
import json
import subprocess
from collections.abc import Iterable, Mapping
from pathlib import Path
from random import Random
from typing import Any

from keep_sweep import RESULTS, WEIGHTS, weights_sha256

COMPARED = (WEIGHTS, "curves", "scores")


def main() -> None:
    from augcse.files import write_json

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", help="the name of a bundled sweep")
    parser.add_argument("--corpus", type=Path, action="append", required=True, help="the sweep's texts")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--output", type=Path, required=True, help="a folder for the runs")
    parser.add_argument("--runs", type=int, default=2)
    parser.add_argument("--draw", type=int, default=0, help="the seed of the draw")
    parser.add_argument("--only", help="this one of the drawn runs")
    arguments = parser.parse_args()
    records = {path.stem: json.loads(path.read_text("utf-8")) for path in (RESULTS / arguments.sweep).glob("*.json")}
    names = drawn(records, arguments.runs, arguments.draw, _processor())
    path = RESULTS / "reproduced" / f"{arguments.sweep}.json"
    found = json.loads(path.read_text("utf-8"))["runs"] if path.exists() else {}
    for name in [name for name in names if arguments.only in (None, name)]:
        corpus = corpus_of(records[name], arguments.corpus)
        keys = differing(records[name], corpus, arguments.data, arguments.output / name)
        found[name] = {"draw": arguments.draw, "commit": _commit(), "processor": _processor(), "differing": keys}
        print(name, "differs in " + ", ".join(keys) if keys else "is the same", flush=True)
    path.parent.mkdir(exist_ok=True)
    write_json(path, {"runs": dict(sorted(found.items()))})


def _commit() -> str:
    """Return the commit of the package that is imported."""
    import augcse

    folder = Path(augcse.__file__).parent
    return subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=folder, check=True, capture_output=True, text=True).stdout.strip()


def drawn(records: Mapping[str, Mapping[str, Any]], count: int, draw: int, processor: str) -> list[str]:
    """Draw records to reproduce, among those with recorded weights and the same kind of processor."""
    names = sorted(name for name, record in records.items() if WEIGHTS in record and record["hardware"]["processor"] == processor)
    if len(names) < count:
        raise SystemExit(
            f"{len(names)} records that name their weights come from {processor}, of {count} to be drawn; run more of the sweep here"
        )
    return Random(draw).sample(names, count)


def corpus_of(record: Mapping[str, Any], files: Iterable[Path]) -> Path:
    """Return the file that the run was made of, by its hash."""
    from augcse.files import file_sha256

    [wanted] = [file["sha256"] for file in record["corpus"]]
    found = next((file for file in files if file_sha256(file) == wanted), None)
    if found is None:
        raise SystemExit(f"no --corpus has the SHA-256 {wanted}; give the texts that the sweep was made of")
    return found


def differing(record: Mapping[str, Any], corpus: Path, data: Path | None, output: Path) -> list[str]:
    """Retrain the run of a record and return the differences."""
    import torch

    import augcse
    from augcse.config import Recipe

    torch.set_num_threads(record["hardware"]["torch_threads"])
    recipe = Recipe.model_validate(record["recipe"])
    run = augcse.train(recipe, corpus=corpus, output=output, data=data, dev=record["dev"] or "none", test=record["test"])
    again = {**json.loads((run.folder / "run.json").read_text("utf-8")), WEIGHTS: weights_sha256(run.model)}
    return [key for key in COMPARED if _untimed(again)[key] != _untimed(record)[key]]


def _untimed(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return a record without the time that its last process took, with which the curves of older packages end."""
    return {**record, "curves": [point for point in record["curves"] if "train_runtime" not in point]}


def _processor() -> str:
    from augcse.training.record import hardware

    name: str = hardware()["processor"]
    return name


if __name__ == "__main__":
    main()
