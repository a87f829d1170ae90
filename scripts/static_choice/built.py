"""Encoders that `augcse.static` itself makes of a text, scored on development pairs."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any


def score(sentences: Sequence[str], settings: Mapping[str, Any], tasks: Sequence[str], data: Path) -> dict[str, Any]:
    """Make an encoder of sentences, and return its scores, sizes and the CPU seconds that its making took."""
    import augcse
    from augcse.evaluation.evaluate import evaluate

    with tempfile.TemporaryDirectory() as name:
        corpus = Path(name) / "corpus.txt"
        corpus.write_text("\n".join(sentences) + "\n", "utf-8")
        started = time.process_time()
        record = augcse.static(corpus, output=Path(name) / "model", **settings).record
        seconds = time.process_time() - started
        scores = evaluate(Path(name) / "model", list(tasks), data).as_json()["scores"]
    sizes = {key: record.get(key) for key in ("tokens", "vocabulary", "contexts_counted", "dim", "megabytes")}
    return {**sizes, "cpu_s": round(seconds, 1), "scores": {task: round(scores[task], 2) for task in tasks}}
