"""Count the rows of a text on which the rules of a bundled sweep write something else than those of an earlier commit.

    python scripts/changed_outputs.py SWEEP --corpus FILE --commit COMMIT [--commit COMMIT ...] [--every 5] [--rules A,B]

The records of a sweep's runs stay when a rule is mended; this says how far its rows are from what the rules write today. The counts go to
docs/results/changed/SWEEP.json, beside those of other commits on the same rows, and from there to the sweep's page.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
RESULTS = ROOT / "docs" / "results"
# Run by the interpreter of today with the source of either commit: names and rows come in on stdin, outputs go out on stdout.
_WRITE = """
import json, sys
from augcse.augmentations.run.apply import Job, Request, apply_requests
names, rows = json.load(sys.stdin)
results = apply_requests([Request(row, text, tuple(names)) for row, text in enumerate(rows)], Job(1))
json.dump(dict(zip(names, zip(*results))), sys.stdout)
"""


def main() -> None:
    from augcse.augmentations.composition import split_names
    from augcse.files import file_sha256, write_json

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", help="the name of a bundled sweep")
    parser.add_argument("--corpus", type=Path, required=True, help="one sentence per line")
    parser.add_argument("--commit", action="append", required=True, help="a commit whose rules records were made with")
    parser.add_argument("--rules", type=split_names, help="of these alone; the counts of the others stay")
    parser.add_argument("--every", type=int, default=1, help="5: every fifth row")
    arguments = parser.parse_args()
    rows, names = arguments.corpus.read_text("utf-8").splitlines()[:: arguments.every], arguments.rules or rules_of(arguments.sweep)
    today = outputs(ROOT / "src", names, rows)
    changed = {commit: _changed(outputs_of(commit, names, rows), today) for commit in arguments.commit}
    path = RESULTS / "changed" / f"{arguments.sweep}.json"
    path.parent.mkdir(exist_ok=True)
    corpus = {"path": arguments.corpus.name, "sha256": file_sha256(arguments.corpus), "rows": len(rows), "every": arguments.every}
    kept = _earlier(path, corpus)
    counts = {commit: dict(sorted({**kept.get(commit, {}), **changed[commit]}.items())) for commit in changed}
    write_json(path, {"corpus": corpus, "commits": {**kept, **counts}})


def _changed(before: Mapping[str, Sequence[str | None]], today: Mapping[str, Sequence[str | None]]) -> dict[str, int]:
    return {name: differing(before[name], outputs) for name, outputs in today.items()}


def _earlier(path: Path, corpus: Mapping[str, Any]) -> dict[str, dict[str, int]]:
    """Return the counts that are there of the same rows, by commit."""
    kept: dict[str, Any] = json.loads(path.read_text("utf-8")) if path.exists() else {}
    return kept["commits"] if kept.get("corpus") == corpus else {}


def rules_of(sweep: str) -> list[str]:
    """Return the augmentations and compositions of a sweep's rows that need no corpus, in the order of the alphabet."""
    from augcse.augmentations.sets import expand
    from augcse.augmentations.spec import parse_spec
    from augcse.sweeping.file import read_plan
    from augcse.sweeping.plan import cells_of

    named = {name for cell in cells_of(read_plan(sweep, {}), {}) for name in expand(cell.recipe.augmentation.pool)}
    return sorted(name for name in named if not parse_spec(name).is_fitted)


def outputs_of(commit: str, names: Sequence[str], rows: Sequence[str]) -> dict[str, list[str | None]]:
    """Return what each rule of a commit writes for each row."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(["git", "-C", str(ROOT), "worktree", "add", "--detach", folder, commit], check=True)
        try:
            return outputs(Path(folder) / "src", names, rows)
        finally:
            subprocess.run(["git", "-C", str(ROOT), "worktree", "remove", "--force", folder], check=True)


def outputs(source: Path, names: Sequence[str], rows: Sequence[str]) -> dict[str, list[str | None]]:
    """Return what each rule of a source folder writes for each row."""
    environment = {**os.environ, "PYTHONPATH": str(source)}
    request = json.dumps([list(names), list(rows)])
    done = subprocess.run([sys.executable, "-c", _WRITE], input=request, env=environment, check=True, capture_output=True, text=True)
    written: dict[str, list[str | None]] = json.loads(done.stdout)
    return written


def differing(before: Sequence[str | None], after: Sequence[str | None]) -> int:
    """Return on how many rows two lists of outputs differ."""
    return sum(old != new for old, new in zip(before, after, strict=True))


if __name__ == "__main__":
    main()
