"""Runs of SimCSE with the discriminator on easily distinguished augmentations, for several values of lambda and alpha.

    python scripts/discriminator_runs.py CORPUS --data DIR [--cells looks-on ...] [--steps 200] [--results FOLDER]

simcse-discriminator-mini with four augmentations that anyone can tell apart (`NAMES`), rows that no augmentation changed left out, and the
settings of `CELLS`; the same batches and seed for each. Records go to docs/results/discriminator/CELL/run.json, below another folder where
one is named; a cell that has one is left out, so the command can be stopped and run again. The page docs/results/discriminator.md is made
of them (`scripts/generate_docs.py`).
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from kept_record import without_folders

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "discriminator"
NAMES = ["PigLatin", "RandomPunctuationInsertion", "RandomWordAugmentation", "RandomCrop"]
# lambda and alpha; alpha = 0: the discriminator looks on.
CELLS = {
    "looks-on": {"weight": 1.0, "alpha": 0.0},
    "antagonistic": {"weight": 1.0, "alpha": -1.0},
    "antagonistic-0.005": {"weight": 0.005, "alpha": -1.0},
    "collaborative": {"weight": 1.0, "alpha": 1.0},
}


def main() -> None:
    arguments = _arguments()
    for cell in arguments.cells:
        if not (arguments.results / cell / "run.json").exists():
            run(cell, CELLS[cell], arguments)


def run(cell: str, section: dict[str, Any], arguments: argparse.Namespace) -> None:
    """Train one cell and keep its record."""
    from augcse.files import write_json
    from augcse.pipeline import train

    settings: dict[str, Any] = {
        **{f"objective.discriminator.{name}": value for name, value in section.items()},
        "objective.discriminator.rows": "augmented",
        "augmentation.names": NAMES,
        "training.max_steps": arguments.steps,
        "training.eval_every_steps": arguments.steps,
        "training.checkpoint_every_steps": arguments.steps,
        "training.patience_scores": 0,
        "evaluation.baselines": False,
    }
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "run"
        finished = train(
            "simcse-discriminator-mini", corpus=arguments.corpus, output=output, data=arguments.data, dev="stsb", test="none", **settings
        )
        (arguments.results / cell).mkdir(parents=True, exist_ok=True)
        write_json(arguments.results / cell / "run.json", without_folders(finished.record))
    print(cell, f"{finished.record['wall_time_s']:.0f} s", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--cells", nargs="+", choices=CELLS, default=list(CELLS))
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--results", type=Path, default=RESULTS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
