"""The cost of UNA: seconds and peak memory of fitting the term statistics, seconds to load them, negatives per second on one core.

Each part runs in a process of its own. Processor seconds are what one core needs; on a busy machine wall seconds are more.

    python bench/una_speed.py CORPUS [CORPUS ...] [--sentences 200000] [--negatives 20000] [--rounds 3] [--json]
"""

from __future__ import annotations

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path
from typing import Any


def main() -> None:
    arguments = _arguments()
    if arguments.part:
        print(json.dumps({"fit": fit, "negatives": make_negatives}[arguments.part](arguments)))
        return
    with tempfile.TemporaryDirectory() as folder:
        result = {part: _run_in_subprocess(part, folder) for part in ("fit", "negatives")}
    if arguments.json:
        print(json.dumps(result, indent=2))
        return
    fitted, negatives = result["fit"], result["negatives"]
    print(
        f"fit {fitted['sentences']:,} sentences: {fitted['cpu_s']:.1f} s ({fitted['wall_s']:.1f} s wall), reading included;"
        f" peak {fitted['peak_mb']:,.0f} MB; {fitted['terms']:,} terms, {fitted['saved_mb']:.0f} MB on disk"
    )
    print(f"load {negatives['load_s']:.2f} s; peak {negatives['peak_mb']:,.0f} MB")
    print(
        f"negatives per second and core: {negatives['per_cpu_s']:,.0f} (first time over new sentences: {negatives['first_per_cpu_s']:,.0f})"
    )


def fit(arguments: argparse.Namespace) -> dict[str, Any]:
    """Fit and save; a figure of the whole, reading and decompressing included."""
    from augcse.augmentations.rules.corpus.term_replacement.statistics import TermStatistics

    cpu, wall = time.process_time(), time.perf_counter()
    statistics = TermStatistics.fit(_sentences(arguments.corpus, arguments.sentences))
    statistics.save(arguments.folder)
    return {
        "sentences": statistics.sentences,
        "terms": len(statistics),
        "cpu_s": time.process_time() - cpu,
        "wall_s": time.perf_counter() - wall,
        "peak_mb": _peak_mb(),
        "saved_mb": sum(file.stat().st_size for file in arguments.folder.iterdir()) / 1e6,
    }


def make_negatives(arguments: argparse.Namespace) -> dict[str, Any]:
    """Load and make negatives in the chunks and with the random streams of `augcse augment`; the best of the rounds after the first."""
    from augcse.augmentations.base import AUGMENTATIONS, row_stream
    from augcse.augmentations.rules.corpus.term_replacement.statistics import TermStatistics
    from augcse.augmentations.run.engines import CHUNK_ROWS

    una, sentences = AUGMENTATIONS.get("UNA"), list(_sentences(arguments.corpus, arguments.negatives))
    wall = time.perf_counter()
    statistics = TermStatistics.load(arguments.folder)
    load_s = time.perf_counter() - wall
    rates = []
    for _ in range(arguments.rounds + 1):
        cpu = time.process_time()
        for start in range(0, len(sentences), CHUNK_ROWS):
            chunk = sentences[start : start + CHUNK_ROWS]
            una.apply_all(chunk, [row_stream(0, "UNA", start + row) for row in range(len(chunk))], statistics)
        rates.append(len(sentences) / (time.process_time() - cpu))
    return {"load_s": load_s, "first_per_cpu_s": rates[0], "per_cpu_s": max(rates[1:]), "all": rates, "peak_mb": _peak_mb()}


def _run_in_subprocess(part: str, folder: str) -> dict[str, Any]:
    command = [sys.executable, __file__, *sys.argv[1:], "--part", part, "--folder", folder]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    result: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return result


def _sentences(corpus: list[Path], number: int) -> Any:
    from augcse.corpus.read import read_sentences

    return islice(read_sentences(corpus), number)


def _peak_mb() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="+")
    parser.add_argument("--sentences", type=int, default=200_000)
    parser.add_argument("--negatives", type=int, default=20_000)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--part", choices=["fit", "negatives"], help=argparse.SUPPRESS)
    parser.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--json", action="store_true")
    return parser.parse_args()


if __name__ == "__main__":
    main()
