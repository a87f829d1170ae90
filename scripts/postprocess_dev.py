"""Measure post-processing on STS-B's development pairs, by which its defaults were chosen; no test pair is read.

    python scripts/postprocess_dev.py CORPUS --data DIR --name NAME [--model mini-bert] [--sample 10000]

The record goes to docs/results/postprocess/NAME.json: Spearman x 100 of each chain of steps fitted on CORPUS, and of whitening fitted on
the first few sentences of the same sample, with shrinkage and without. `make docs` makes the tables of docs/postprocess.md from it.
"""

from __future__ import annotations

import argparse
import copy
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

if TYPE_CHECKING:
    from augcse.encoding.fitting import Array, Fitting
    from augcse.evaluation.tasks.sts import LoadedPairs

RESULTS = Path(__file__).resolve().parents[1] / "docs" / "results" / "postprocess"
# What comes before the steps on sentences, and these.
PREFIXES = ["", "sif:a=0.0001", "sif:a=0.0003", "sif:a=0.001", "sif:a=0.003", "sif:a=0.01"]
FITTED_PREFIXES = ["", "sif:a=0.001"]
STEPS = [
    "remove-components:k=1",
    "remove-components:k=2",
    "remove-components:k=1,centre=true",
    "whiten:exponent=0.25",
    "whiten:exponent=0.5",
    "whiten:exponent=0.75",
    "whiten",
    "whiten:shrinkage=none",
    "whiten:dim=64",
    "whiten:dim=128",
    "flow",
]
SIZES = [2, 10, 30, 100, 250, 300, 1000, 3000, 10_000]


def main() -> None:
    from augcse.corpus.files import Corpus
    from augcse.corpus.sample import sample_corpus
    from augcse.encoding.model import load_encoder
    from augcse.evaluation.base import TASKS
    from augcse.files import write_json

    arguments = _arguments()
    text = sample_corpus(Corpus.of(arguments.corpus), arguments.sample)
    pairs: Any = TASKS.get("STSB-dev").load(arguments.data)
    scores: dict[str, float] = {}
    by_size: dict[str, Any] = {}
    for prefix in PREFIXES:
        fitting = _fitting(load_encoder(arguments.model, "mean", "cpu"), text.sentences, prefix)
        dev = _encoded(fitting, pairs)
        scores[prefix] = _score(pairs, dev)
        print(prefix or "mean", scores[prefix], file=sys.stderr, flush=True)
        if prefix in FITTED_PREFIXES:
            scores |= {f"{prefix} + {step}".removeprefix(" + "): _fitted_score(fitting, step, pairs, dev) for step in STEPS}
            by_size[prefix] = _scores_by_size(fitting.embeddings(), pairs, dev)
    document = {"model": arguments.model, "text": text.described(), "task": "STSB-dev", "scores": scores, "by_size": by_size}
    write_json(RESULTS / f"{arguments.name}.json", document)


def _fitting(model: Any, sentences: Sequence[str], prefix: str) -> Fitting:
    from augcse.encoding.fitting import Fitting
    from augcse.encoding.step import parse_step

    fitting = Fitting(model, sentences)
    if prefix:
        spec = parse_step(prefix)
        spec.step.function(fitting, **spec.options)
    return fitting


def _encoded(fitting: Fitting, pairs: LoadedPairs) -> tuple[Array, dict[str, int]]:
    from augcse.encoding.model import encode_distinct

    return encode_distinct(fitting.model, pairs.sentences())


def _fitted_score(fitting: Fitting, text: str, pairs: LoadedPairs, dev: tuple[Array, dict[str, int]]) -> float:
    """Fit one step on the sample's embeddings, which are made once, and let the development embeddings through its module."""
    import torch

    from augcse.encoding.step import parse_step

    spec = parse_step(text)
    fitting.embeddings()
    grown = copy.copy(fitting)
    spec.step.function(grown, **spec.options)
    *_, module = grown.model.children()
    with torch.no_grad():
        embeddings = module({"sentence_embedding": torch.from_numpy(dev[0])})["sentence_embedding"].numpy()
    score = _score(pairs, (embeddings, dev[1]))
    print(" +", text, score, file=sys.stderr, flush=True)
    return score


def _scores_by_size(sample: Array, pairs: LoadedPairs, dev: tuple[Array, dict[str, int]]) -> dict[str, dict[str, float]]:
    from augcse.encoding.whitening import oracle_approximating_shrinkage, whitening_transform

    found: dict[str, dict[str, float]] = {"none": {}, "oas": {}, "share": {}}
    for size in (size for size in SIZES if size <= len(sample)):
        share = oracle_approximating_shrinkage(sample[:size])
        found["share"][str(size)] = round(share, 4)
        for name, shrinkage in (("none", 0.0), ("oas", share)):
            weight, bias = whitening_transform(sample[:size], shrinkage=shrinkage)
            found[name][str(size)] = _score(pairs, (dev[0] @ weight.T + bias, dev[1]))
    return found


def _score(pairs: LoadedPairs, encoded: tuple[Array, dict[str, int]]) -> float:
    return round(pairs.score(*encoded), 2)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--name", required=True)
    parser.add_argument("--model", default="mini-bert")
    parser.add_argument("--sample", type=int, default=10_000)
    return parser.parse_args()


if __name__ == "__main__":
    main()
