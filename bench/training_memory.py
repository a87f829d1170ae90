"""Peak resident memory of training for two corpus sizes: it must not grow with the corpus.

python bench/training_memory.py CORPUS [CORPUS ...] [--sizes 10000,1000000] [--steps 20] [--recipe simcse-mini] [--json]
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="+")
    parser.add_argument("--sizes", default="10000,1000000")
    parser.add_argument("--steps", type=int, default=20)
    parser.add_argument("--recipe", default="simcse-mini")
    parser.add_argument("--json", action="store_true")
    arguments = parser.parse_args()
    results = []
    for size in map(int, arguments.sizes.split(",")):
        with tempfile.TemporaryDirectory() as folder:
            record = _train(arguments, size, Path(folder))
        results.append({"sentences": size, **{key: record[key] for key in ("peak_memory_mb", "wall_time_s", "steps")}})
        if not arguments.json:
            print(f"{size:>9,} sentences: peak {record['peak_memory_mb']:,.0f} MB, {record['wall_time_s']:.0f} s, {record['steps']} steps")
    if arguments.json:
        print(json.dumps(results, indent=2))


def _train(arguments: argparse.Namespace, size: int, folder: Path) -> dict[str, float]:
    from augcse.corpus.read import read_sentences

    corpus = folder / "corpus.txt"
    with corpus.open("w", encoding="utf-8") as file:
        file.writelines(sentence + "\n" for sentence in islice(read_sentences(arguments.corpus), size))
    command = [sys.executable, "-m", "augcse", "train", arguments.recipe, "--corpus", corpus, "--output", folder / "run"]
    command += ["--set", f"max_steps={arguments.steps}", "--dev", "none"]
    started = time.perf_counter()
    subprocess.run(list(map(str, command)), check=True, capture_output=True)
    record: dict[str, float] = json.loads((folder / "run" / "run.json").read_text("utf-8"))
    record["wall_time_s"] = time.perf_counter() - started
    return record


if __name__ == "__main__":
    main()
