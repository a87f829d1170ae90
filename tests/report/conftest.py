"""A tiny run with pairs of its own, trained once, and a model that was not trained beside it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from augcse.encoding.model import encode_distinct, load_encoder
from augcse.evaluation.evaluate import evaluate
from augcse.evaluation.pairs import read_pairs
from augcse.evaluation.tasks.sts import LoadedPairs
from augcse.pipeline import train
from augcse.resources import DEMO_PAIRS


@pytest.fixture(scope="package")
def trained_at(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path) -> Path:
    """A folder with a run, `run`, of `corpus.txt` scored on `mine.tsv`, and its start's scores with other pooling, `beside.json`.

    It is selected by pairs graded by the opposite of the start's cosines, so that whatever training does is better.
    """
    home = tmp_path_factory.mktemp("report")
    (home / "corpus.txt").write_bytes(corpus.read_bytes())
    pairs = read_pairs(DEMO_PAIRS)
    rows = list(zip(pairs.scores, pairs.first, pairs.second, strict=True))[:60]
    (home / "mine.tsv").write_text("".join(f"{score}\t{first}\t{second}\n" for score, first, second in rows), "utf-8")
    start = load_encoder(str(tiny_backbone), "cls")
    cosines = LoadedPairs(pairs).cosines(*encode_distinct(start, pairs.sentences()))[: len(rows)]
    opposite = zip(-cosines, pairs.first, pairs.second, strict=False)
    (home / "dev.tsv").write_text("".join(f"{score:.8f}\t{first}\t{second}\n" for score, first, second in opposite), "utf-8")
    (home / "beside").symlink_to(tiny_backbone)
    with pytest.MonkeyPatch.context() as patch:
        # As on a command line, the paths of the record are relative.
        patch.chdir(home)
        train(
            "augcse-mini", corpus="corpus.txt", output="run", model=str(tiny_backbone), dev="dev.tsv", test="mine.tsv", workers=1,
            **{"batch_size": 40, "max_steps": 4, "training.precision": "fp32", "learning_rate": 1e-2},
        )  # fmt: skip
        scores = evaluate("beside", ["mine.tsv"], pooling="mean").as_json()
    (home / "beside.json").write_text(json.dumps(scores), "utf-8")
    return home
