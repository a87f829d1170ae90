"""A static encoder beside the average of word2vec and fastText vectors trained on the same text: quality on STS-B dev, and time.

    python bench/static_word_vectors.py CORPUS --data DATA [--sentences 100000] [--epochs 5]

Every model learns from the first `--sentences` of CORPUS, in one thread. word2vec and fastText (gensim, `pip install augcse[bench]`) are
skip-gram with 300 dimensions, a window of 5 and 5 negatives, gensim's other defaults; they see lower-case words, or the tokens of the
static encoder's own tokenizer. Their averages: plain, weighted by a / (a + p) with a = 1e-3 (Arora et al. 2017), and with the first
component removed as there, which is taken from 10,000 sentences of the text. No test pair is read.

The record goes to docs/results/static_speed/word_vectors.json, of which `make docs` makes a table of docs/results/static-speed.md.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from measuring import timed

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")

Array = npt.NDArray[Any]
Divide = Callable[[Sequence[str]], list[list[str]]]
RECORD = Path(__file__).resolve().parents[1] / "docs" / "results" / "static_speed" / "word_vectors.json"
DIM, WINDOW, NEGATIVES, SEED, A, COMPONENT_SENTENCES = 300, 5, 5, 1, 1e-3, 10_000
_WORD = re.compile(r"\w+")


def main() -> None:
    arguments = _arguments()
    from augcse.evaluation.base import TASKS
    from augcse.files import write_json
    from augcse.training.record import hardware

    with arguments.corpus.open(encoding="utf-8") as file:
        text = [line.rstrip("\n") for line in islice(file, arguments.sentences)]
    pairs: Any = TASKS.get("STSB-dev").load(arguments.data)
    rows, tokens_of = _static_rows(text, pairs)
    missing = []
    try:
        rows += _gensim_rows(text, pairs, {"words": words_of, "tokens": tokens_of}, arguments.epochs)
    except ImportError:
        missing.append("gensim")
    settings = {"sentences": len(text), "epochs": arguments.epochs, "dim": DIM, "window": WINDOW, "negatives": NEGATIVES, "a": A}
    RECORD.parent.mkdir(parents=True, exist_ok=True)
    write_json(RECORD, {"hardware": hardware(), "corpus": arguments.corpus.name, **settings, "missing": missing, "rows": rows})


def words_of(sentences: Sequence[str]) -> list[list[str]]:
    """Return the sentences as lower-case words, without punctuation."""
    return [_WORD.findall(sentence.lower()) for sentence in sentences]


def _static_rows(text: Sequence[str], pairs: Any) -> tuple[list[dict[str, Any]], Divide]:
    """Make the static encoder, stock and with each token once; return their rows of the record, and its tokenizer's division."""
    from augcse.encoding.model import encode_distinct, load_encoder
    from augcse.encoding.static.build import static

    rows = []
    with tempfile.TemporaryDirectory() as name:
        corpus = Path(name) / "corpus.txt"
        corpus.write_text("".join(f"{sentence}\n" for sentence in text), "utf-8")
        for once in (False, True):
            folder = Path(name) / f"model-{once}"
            spent, _ = timed(partial(static, corpus, output=folder, tokens_once=once))
            model = load_encoder(str(folder), device="cpu")
            score = pairs.score(*encode_distinct(model, pairs.sentences()))
            kind = "augcse static, each token once" if once else "augcse static"
            rows.append(_row(kind, "tokens", spent, {"as it is": score}))
        tokenizer: Any = model[0].tokenizer

    def divide(sentences: Sequence[str]) -> list[list[str]]:
        return [encoding.tokens for encoding in tokenizer._tokenizer.encode_batch(list(sentences), add_special_tokens=False)]

    return rows, divide


def _gensim_rows(text: Sequence[str], pairs: Any, divisions: dict[str, Divide], epochs: int) -> list[dict[str, Any]]:
    from gensim.models import FastText, Word2Vec

    rows = []
    for unit, divide in divisions.items():
        units = divide(text)
        for name, kind in (("word2vec", Word2Vec), ("fastText", FastText)):
            settings = {"vector_size": DIM, "window": WINDOW, "negative": NEGATIVES, "sg": 1, "epochs": epochs, "seed": SEED, "workers": 1}
            spent, model = timed(partial(kind, sentences=units, **settings))
            rows.append(_row(name, unit, spent, _scores(model.wv, units, divide, pairs)))
    return rows


def _scores(vectors: Any, units: Sequence[Sequence[str]], divide: Divide, pairs: Any) -> dict[str, float]:
    """Return STS-B dev of the plain mean, the weighted one, and that without its first component."""
    from augcse.encoding.components import component_removal

    counts = Counter(word for sentence in units for word in sentence)
    total = counts.total()
    step = max(len(units) // COMPONENT_SENTENCES, 1)
    sample = units[::step][:COMPONENT_SENTENCES]
    texts = pairs.sentences()
    row_of = {sentence: row for row, sentence in enumerate(dict.fromkeys(texts))}
    divided = divide(list(row_of))
    plain = means(divided, vectors, lambda word: 1.0)

    def weight(word: str) -> float:
        return A / (A + counts[word] / total)

    weighted = means(divided, vectors, weight)
    matrix, bias, _ = component_removal(means(sample, vectors, weight), 1)
    removed = weighted @ matrix.T + bias
    variants = {"mean": plain, "SIF": weighted, "SIF, component removed": removed}
    return {name: pairs.score(embeddings.astype(np.float32), row_of) for name, embeddings in variants.items()}


def means(sentences: Sequence[Sequence[str]], vectors: Any, weight: Callable[[str], float]) -> Array:
    """Return the mean of each sentence's known words' vectors, each times its weight: (sentences, dim); zeros where none is known."""
    means_by_row = np.zeros((len(sentences), vectors.vector_size))
    for row, words in enumerate(sentences):
        known = [weight(word) * vectors[word] for word in words if word in vectors]
        if known:
            means_by_row[row] = np.mean(known, axis=0)
    return means_by_row


def _row(model: str, unit: str, spent: dict[str, float], scores: dict[str, float]) -> dict[str, Any]:
    row = {
        "model": model,
        "units": unit,
        **{name: round(value, 1) for name, value in spent.items()},
        "stsb_dev": {name: round(value, 2) for name, value in scores.items()},
    }
    print(json.dumps(row), file=sys.stderr, flush=True)
    return row


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path, help="a text file, one sentence per line")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--sentences", type=int, default=100_000)
    parser.add_argument("--epochs", type=int, default=5)
    return parser.parse_args()


if __name__ == "__main__":
    main()
