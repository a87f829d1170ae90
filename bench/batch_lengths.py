"""The effect of equal-length batches on negatives and padding, compared with random ones: the figures of docs/design.md.

    python bench/batch_lengths.py CORPUS [--output docs/results/batch_lengths.json]

Tokens are mini-bert's, cut at 32, in batches of 64; means over three epochs of one seed.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import get_args

import numpy as np
import numpy.typing as npt

from augcse.corpus.read import read_sentences
from augcse.encoding.model import load_tokenizer
from augcse.files import file_sha256, write_json
from augcse.training.batches import BatchKind, StoreBatchSampler

BATCH_ROWS, MAX_LEN_TOKENS, EPOCHS, SEED = 64, 32, 3, 1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--output", type=Path, default=Path(__file__).resolve().parents[1] / "docs" / "results" / "batch_lengths.json")
    arguments = parser.parse_args()
    sentences = list(read_sentences([arguments.corpus]))
    encoded = load_tokenizer("mini-bert")(sentences, truncation=True, max_length=MAX_LEN_TOKENS)["input_ids"]
    lengths = np.array([len(tokens) for tokens in encoded])
    figures = {kind: measure(lengths, kind) for kind in get_args(BatchKind)}
    corpus = {"name": arguments.corpus.name, "sha256": file_sha256(arguments.corpus), "sentences": len(sentences)}
    write_json(arguments.output, {"corpus": corpus, "batch_rows": BATCH_ROWS, "max_len_tokens": MAX_LEN_TOKENS, **figures})
    print(figures)


def measure(lengths: npt.NDArray[np.int64], kind: BatchKind) -> dict[str, float]:
    """Return the mean number of negatives of the anchor's length, and of computed positions per real token."""
    sampler = StoreBatchSampler(lengths, BATCH_ROWS, SEED, kind=kind)
    equal, positions, tokens, rows = 0, 0, 0, 0
    for epoch in range(EPOCHS):
        sampler.set_epoch(epoch)
        for batch in sampler:
            batch_lengths = lengths[batch]
            equal += int((batch_lengths[:, None] == batch_lengths[None, :]).sum()) - len(batch_lengths)
            positions += len(batch_lengths) * int(batch_lengths.max())
            tokens += int(batch_lengths.sum())
            rows += len(batch_lengths)
    return {"negatives_of_equal_length": round(equal / rows, 1), "positions_per_token": round(positions / tokens, 2)}


if __name__ == "__main__":
    main()
