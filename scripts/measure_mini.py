"""Train the main mini recipes on Wikipedia and on mixed text, over seeds, and score them on the seven STS tasks.

    python scripts/measure_mini.py --wiki FILE --mixed FILE --data DIR [--steps 400] [--seeds 1 11 42 68 421] [--cells CELL ...]

Each corpus is the first 28,000 sentences of its file, which is all of the mixed text (scripts/mixed_text.py). In float32, dev is STS-B dev.
The cell augcse-best/mixed has the steps of its recipe, whatever --steps says: it builds its start and its teacher itself, from the corpus.
The cell rankcse-mini-whitened/mixed is a gentle distillation with settings of its own, chosen by STS-B dev (docs/teachers.md): `--free DIR`
is the `--work` folder of scripts/free_models.py, which made its start and its teacher there, both trained on nothing.

Each record goes to docs/results/mini/RECIPE-CORPUS-seedN/run.json without the folders of the machine; a cell that has one is left out,
so the command can be stopped and run again. With `--models DIR` the trained models are kept there. `make docs` makes the table.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

from kept_record import without_folders

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "mini"
WHITENED, BEST = "rankcse-mini-whitened", "augcse-best"
AUGMENTED = ("contrastive-mini", "augcse-positive-mini", "denosent-mini")
ON_MIXED = ("simcse-mini", "augcse-mini", *AUGMENTED, "rankcse-mini", WHITENED, BEST)
CELLS = [*(f"{recipe}/mixed" for recipe in ON_MIXED), "simcse-mini/wiki", "augcse-mini/wiki"]
START, TEACHER = "layers-whitened", "static-once-synonyms"
SENTENCES = 28_000


def main() -> None:
    arguments = _arguments()
    with tempfile.TemporaryDirectory() as folder:
        for corpus in ("wiki", "mixed"):
            write_corpus(getattr(arguments, corpus), Path(folder) / f"{corpus}.txt")
        for seed in arguments.seeds:
            for cell in arguments.cells:
                recipe, corpus = cell.split("/")
                path = arguments.results / f"{recipe}-{corpus}-seed{seed}" / "run.json"
                if not path.exists():
                    run(recipe, Path(folder) / f"{corpus}.txt", seed, path, arguments)


def write_corpus(source: Path, path: Path) -> None:
    """Write the first sentences of a text."""
    from augcse.corpus.read import read_sentences
    from augcse.files import write_text

    write_text(path, "".join(f"{sentence}\n" for sentence in islice(read_sentences([source]), SENTENCES)))


def run(recipe: str, corpus: Path, seed: int, path: Path, arguments: argparse.Namespace) -> None:
    """Train and score one cell, and keep its record."""
    from augcse.files import write_json
    from augcse.pipeline import train

    settings: dict[str, Any] = {"training.seed": seed, "training.max_steps": arguments.steps, "training.precision": "fp32"}
    if recipe == BEST:
        del settings["training.max_steps"]
        settings["evaluation.baselines"] = False
    if recipe == WHITENED:
        settings |= whitened_settings(arguments.free)
    with tempfile.TemporaryDirectory() as folder:
        output, name = Path(folder) / "run", recipe.removesuffix("-whitened")
        finished = train(name, corpus=corpus, output=output, data=arguments.data, dev="stsb", test="sts", **settings)
        if arguments.models:
            shutil.copytree(finished.model, arguments.models / path.parent.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_json(path, without_folders(finished.record))
    average = finished.record["scores"]["avg"]
    print(path.parent.name, f"{average:.2f}", f"{finished.record['wall_time_s']:.0f} s", file=sys.stderr, flush=True)


def whitened_settings(free: Path) -> dict[str, Any]:
    """Return the settings for distillation at a low learning rate from an untrained start."""
    return {
        "model.backbone": str(free.resolve() / START),
        "objective.teachers": [str(free.resolve() / TEACHER)],
        "objective.teacher_temperature": 0.05,
        "training.batch_size": 128,
        "training.learning_rate": 1e-4,
        "training.max_steps": 40,
        "evaluation.baselines": False,
    }


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wiki", type=Path, required=True)
    parser.add_argument("--mixed", type=Path, required=True)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=400)
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 11, 42, 68, 421])
    parser.add_argument("--cells", nargs="+", choices=CELLS, default=CELLS)
    parser.add_argument("--results", type=Path, default=RESULTS)
    parser.add_argument("--models", type=Path)
    parser.add_argument("--free", type=Path)
    arguments = parser.parse_args()
    if arguments.free is None and any(cell.startswith(WHITENED) for cell in arguments.cells):
        parser.error(f"{WHITENED} needs --free, the folder where scripts/free_models.py made {START} and {TEACHER}; or give --cells")
    return arguments


if __name__ == "__main__":
    main()
