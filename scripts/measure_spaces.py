"""Measure the embedding spaces of a sweep's models and training-free baselines, for scripts/keep_sweep.py to record.

    python scripts/measure_spaces.py SWEEP_DIR --data DIR [--sample 500]

Alignment and uniformity on STS-B's test sentences, and the summary of the checks without labels (docs/probe.md) on a sample of the run's
text. Each goes to SWEEP_DIR/runs/NAME/spaces.json, {"model": figures, baseline: figures}; a run that has the file is left out.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sentence_transformers import SentenceTransformer

SPACES = "spaces.json"
FREE = ("mean", "sif", "whitened", "static")
FIGURES = ("alignment", "uniformity")
PROBE = "probe"


class Spaces:
    """Measures models; texts and what costs nothing are made once for each corpus.

    Args:
        data: the evaluation data.
        sample: sentences of a corpus that the checks read.
    """

    def __init__(self, data: Path, sample: int) -> None:
        from augcse.evaluation.detail import load_pair_tasks

        self._task = load_pair_tasks(["STSB"], data)["STSB"]
        self._texts = cache(lambda corpus: _probe_texts(corpus, sample))
        self._free = cache(self._of_baselines)

    def of_run(self, run: Path) -> dict[str, dict[str, float]]:
        """Return the figures of a run's model, and of the baselines of its backbone and text."""
        from augcse.encoding.model import load_encoder

        record = json.loads((run / "run.json").read_text("utf-8"))
        [corpus] = [file["path"] for file in record["corpus"]]
        return {"model": self._of(load_encoder(str(run / "model")), corpus), **self._free(record["recipe"]["model"]["backbone"], corpus)}

    def _of_baselines(self, backbone: str, corpus: str) -> dict[str, dict[str, float]]:
        from augcse.corpus.files import Corpus
        from augcse.encoding.model import load_encoder
        from augcse.evaluation.baselines import MAKERS, Parts
        from augcse.evaluation.encoded_once import EncodedOnce

        # Of the hybrid alone it would be asked.
        parts = Parts(backbone, Corpus.of(corpus, None, "strict"), EncodedOnce(load_encoder(backbone)))
        return {name: self._of(MAKERS[name](parts), corpus) for name in FREE}

    def _of(self, model: SentenceTransformer, corpus: str) -> dict[str, float]:
        from augcse.analysis.geometry import describe
        from augcse.analysis.probe.run import model_figures
        from augcse.analysis.probe.texts import BATCH_TEXTS
        from augcse.encoding.model import encode_distinct

        figures: Mapping[str, float] = describe(self._task.pairs, *encode_distinct(model, self._task.sentences()))
        texts = self._texts(corpus)
        summary = model_figures(texts, *encode_distinct(model, texts.all(), BATCH_TEXTS))["summary", ""]
        return {**{name: round(figures[name], 4) for name in FIGURES}, PROBE: round(summary, 4)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sweep", type=Path)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sample", type=int, default=500)
    arguments = parser.parse_args()
    measure(arguments.sweep, arguments.data, arguments.sample)


def measure(sweep: Path, data: Path, sample: int) -> None:
    """Measure every finished run that has no measurements yet."""
    from augcse.files import write_json

    spaces = Spaces(data, sample)
    for record in sorted((sweep / "runs").glob("*/run.json")):
        path = record.parent / SPACES
        if not path.exists():
            write_json(path, spaces.of_run(record.parent))
            print(record.parent.name, file=sys.stderr, flush=True)


def _probe_texts(corpus: str, sample: int) -> Any:
    from augcse.analysis.probe.texts import prepare
    from augcse.analysis.sample import draw_sample
    from augcse.corpus.read import read_sentences

    return prepare(draw_sample(read_sentences([Path(corpus)]), sample, seed=0), seed=0)


if __name__ == "__main__":
    main()
