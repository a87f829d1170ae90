"""Measure what the switches change: the two main mini recipes with each value, over seeds, scored on the seven STS tasks.

    python scripts/measure_switches.py CORPUS --data DIR [--steps 400] [--seeds 1 11 42 68 421] [--recipes simcse-mini augcse-mini]

Each cell trains on the first sentences of the corpus, as many as the steps read (steps times batch size); `repeated_texts` on these with
every fifth row replaced by one of 50 sentences of the corpus, so that 20 % of the rows are repetitions, as in a crawl with boilerplate.
In float32, dev is STS-B dev. Each record goes to docs/results/switches/CELL-seedN/run.json without the folders of the machine; a cell that
has one is left out, so the command can be stopped and run again. All cells of a seed come before those of the next. `make docs` makes the
table in docs/results/README.md from the records.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any

from kept_record import without_folders

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "switches"
PLAIN, REPEATED = "plain.txt", "repeated.txt"
REPEATED_EVERY, REPEATED_SENTENCES = 5, 50
# By recipe: cell -> (what differs from the recipe, corpus).
SHARED: dict[str, tuple[dict[str, Any], str]] = {
    "default": ({}, PLAIN),
    "random-batches": ({"training.batches": "random"}, PLAIN),
    "constant-rate": ({"training.schedule": "constant"}, PLAIN),
    "repeated-masked": ({}, REPEATED),
    "repeated-kept": ({"objective.repeated_texts": "keep"}, REPEATED),
}
CELLS = {
    "simcse-mini": SHARED,
    "augcse-mini": {"default": ({}, PLAIN), "repo-fidelity": ({"objective.fidelity": "repo"}, PLAIN)},
}


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        corpora = write_corpora(arguments.corpus, arguments.steps, Path(folder))
        for seed in arguments.seeds:
            for recipe in arguments.recipes:
                for cell, (settings, corpus) in CELLS[recipe].items():
                    path = arguments.results / f"{recipe}-{cell}-seed{seed}" / "run.json"
                    if not path.exists():
                        run(recipe, {**settings, "training.seed": seed}, corpora / corpus, arguments.data, arguments.steps, path)


def write_corpora(corpus: Path, steps: int, folder: Path) -> Path:
    """Write both corpora, the first sentences of `corpus` plain and with repetitions, and return their folder."""
    from augcse.config import load_recipe
    from augcse.corpus.read import read_sentences
    from augcse.files import write_text

    rows = steps * max(load_recipe(recipe).training.batch_size for recipe in CELLS)
    sentences = list(islice(read_sentences([corpus]), rows))
    write_text(folder / PLAIN, "\n".join(sentences) + "\n")
    write_text(folder / REPEATED, "\n".join(with_repetitions(sentences)) + "\n")
    return folder


def with_repetitions(sentences: Iterable[str]) -> Iterator[str]:
    """Replace every fifth sentence by one of 50: the first 50 that are not replaced, in turn."""
    kept: list[str] = []
    replaced = 0
    for row, sentence in enumerate(sentences):
        if row % REPEATED_EVERY == REPEATED_EVERY - 1:
            yield kept[replaced % min(REPEATED_SENTENCES, len(kept))]
            replaced += 1
        else:
            kept.append(sentence)
            yield sentence


def run(recipe: str, settings: dict[str, Any], corpus: Path, data: Path, steps: int, path: Path) -> None:
    """Train and score one cell, and keep its record."""
    from augcse.files import write_json
    from augcse.pipeline import train

    with tempfile.TemporaryDirectory() as folder:
        more = {**settings, "training.max_steps": steps, "training.precision": "fp32"}
        finished = train(recipe, corpus=corpus, output=Path(folder) / "run", data=data, dev="stsb", test="sts", **more)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, without_folders(finished.record))
    print(
        path.parent.name, f"{finished.record['scores']['avg']:.2f}", f"{finished.record['wall_time_s']:.0f} s", file=sys.stderr, flush=True
    )


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 11, 42, 68, 421])
    parser.add_argument("--recipes", nargs="+", choices=list(CELLS), default=list(CELLS))
    parser.add_argument("--results", type=Path, default=RESULTS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
