"""Train every objective's bundled recipe for some steps and keep the records, for the table in docs/objectives.md.

    python scripts/objective_runs.py CORPUS --data DIR [--paragraphs FILE] [--recipes NAME ...] [--steps 200] [--results FOLDER]

Each run's record goes to docs/results/objectives/NAME/run.json, or below the folder that is named; a recipe that has one is left out, so
the command can be stopped and run again. Recipes that read the next sentence are trained on the paragraphs: as many sentences as the
corpus has, in order, with blank lines between documents; recipes with [corpus] columns on the NLI triplets of the data folder, without the
one with a [task], which has no corpus there. The untrained encoder's score is untrained/evaluation.json there.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

from kept_record import without_folders

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "objectives"
DEV_TASK = "STSB-dev"
TRIPLETS = "nli/triplets_train_only.csv.xz"


def main() -> None:
    from augcse.config import load_recipe, recipe_names
    from augcse.corpus.read import read_sentences
    from augcse.objectives.base import OBJECTIVES

    arguments = _arguments()
    untrained(arguments.data, arguments.results)
    documents = Path(tempfile.gettempdir()) / "augcse-objective-runs" / "documents.txt"
    for name in arguments.recipes or [name for name in recipe_names() if name.endswith("-mini")]:
        recipe = load_recipe(name)
        views = OBJECTIVES.get(recipe.objective.name).views
        if recipe.task is not None or (arguments.results / name / "run.json").exists():
            continue
        if "next" in views and not documents.exists():
            split_documents(arguments.paragraphs, documents, sum(1 for _ in read_sentences([arguments.corpus])))
        plain = documents if "next" in views else arguments.corpus
        corpus = arguments.data / TRIPLETS if recipe.corpus.columns else plain
        run(name, corpus, arguments.data, arguments.steps, arguments.results)


def untrained(data: Path, results: Path) -> None:
    """Score the backbone as the recipes start from it."""
    from augcse.evaluation.evaluate import evaluate
    from augcse.files import write_json

    path = results / "untrained" / "evaluation.json"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        write_json(path, {**evaluate("mini-bert", [DEV_TASK], data, pooling="cls").as_json(), "pooling": "cls"})


def split_documents(paragraphs: Path, path: Path, sentences: int) -> None:
    """Write the first sentences of "= title =" lines, paragraphs and blank lines: one a line, in order, documents parted as they were."""
    import spacy

    from augcse.corpus.read import read_sentences
    from augcse.files import write_text

    splitter = spacy.blank("en")
    splitter.add_pipe("sentencizer")
    lines: list[str] = []
    left = sentences
    for paragraph in read_sentences([paragraphs], keep_blank=True):
        if left <= 0:
            break
        if not paragraph:
            lines.append("")
        elif not paragraph.startswith("= "):
            found = [sentence.text.strip() for sentence in splitter(paragraph).sents]
            lines += found
            left -= len(found)
    path.parent.mkdir(parents=True, exist_ok=True)
    write_text(path, "\n".join(lines) + "\n")


def run(name: str, corpus: Path, data: Path, steps: int, results: Path) -> None:
    """Train one recipe and keep its record."""
    from augcse.files import write_json
    from augcse.pipeline import train

    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder) / "run"
        settings: dict[str, Any] = {
            "training.max_steps": steps,
            "training.eval_every_steps": steps // 4,
            "training.checkpoint_every_steps": steps,
            # They are the same for all, and in docs/results/free.
            "evaluation.baselines": False,
        }
        finished = train(name, corpus=corpus, output=output, data=data, dev="stsb", test="none", **settings)
        (results / name).mkdir(parents=True, exist_ok=True)
        write_json(results / name / "run.json", without_folders(finished.record))
    scores = [(point["step"], round(point["eval_stsb_dev"], 2)) for point in finished.record["curves"] if "eval_stsb_dev" in point]
    print(name, json.dumps(scores), f"{finished.record['wall_time_s']:.0f} s", file=sys.stderr, flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--paragraphs", type=Path)
    parser.add_argument("--recipes", nargs="+")
    parser.add_argument("--steps", type=int, default=200)
    parser.add_argument("--results", type=Path, default=RESULTS)
    return parser.parse_args()


if __name__ == "__main__":
    main()
