"""The cost of parsing, by spaCy as it is and with our matrix products, and of reading a parse from the disk cache.

    python bench/parses.py CORPUS [--sentences 3000] [--output docs/results/parses.json]

Processor milliseconds per sentence, for the first sentences of a text; how many of them the two pipelines parse differently; bytes cached.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from itertools import islice
from pathlib import Path
from typing import Any

import spacy
from spacy.language import Language

from augcse.annotation.kept import PARSES, kept_parses
from augcse.annotation.pipeline import BUNDLED_PARSER, load_pipeline, parse_sentences
from augcse.corpus.read import read_sentences
from augcse.files import file_sha256, write_json
from augcse.resources import PARSER
from augcse.training.record import hardware, versions
from measuring import timed

# Parsed before the clock runs.
_FIRST = 100
OUTPUT = Path(__file__).resolve().parents[1] / "docs" / "results" / "parses.json"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--sentences", type=int, default=3_000)
    parser.add_argument("--output", type=Path, default=OUTPUT)
    arguments = parser.parse_args()
    sentences = list(islice(read_sentences([arguments.corpus]), arguments.sentences))
    corpus = {"name": arguments.corpus.name, "sha256": file_sha256(arguments.corpus), "sentences": len(sentences)}
    figures = measure(sentences)
    write_json(arguments.output, {"corpus": corpus, **figures, "hardware": hardware(), "versions": versions()})
    print(figures)


def measure(sentences: list[str]) -> dict[str, float]:
    """Return milliseconds of processor time and bytes of the cache, per sentence."""
    plain, ours = spacy.load(PARSER), load_pipeline(BUNDLED_PARSER)
    for pipeline in (plain, ours):
        _read(pipeline, sentences[:_FIRST])
    spacy_time, plain_read = timed(lambda: _read(plain, sentences))
    _, ours_read = timed(lambda: _read(ours, sentences))
    with tempfile.TemporaryDirectory() as folder:
        os.environ["AUGCSE_CACHE"] = folder
        parsed, expected = timed(lambda: list(parse_sentences(sentences)))
        written, first = timed(lambda: kept_parses(sentences))
        read, second = timed(lambda: kept_parses(sentences))
        if not first == second == expected:
            raise ValueError("what was kept is not what was parsed")
        file_bytes = (Path(folder) / PARSES.file).stat().st_size
    return {
        **{
            f"{name}_ms": round(1000 * time["cpu_s"] / len(sentences), 3)
            for name, time in (("spacy", spacy_time), ("parse", parsed), ("keep", written), ("read", read))
        },
        "read_differently": sum(one != other for one, other in zip(plain_read, ours_read, strict=True)),
        "bytes": round(file_bytes / len(sentences)),
    }


def _read(pipeline: Language, sentences: list[str]) -> list[Any]:
    """Return tag, head, label and lemma of every word."""
    docs = pipeline.pipe(sentences, batch_size=128)
    return [[(word.tag_, word.head.i, word.dep_, word.lemma_) for word in doc] for doc in docs]


if __name__ == "__main__":
    main()
