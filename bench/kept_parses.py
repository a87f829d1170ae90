"""The cost of parsing, and of reading a parse from the disk cache: the figures of docs/sweep.md.

    python bench/kept_parses.py CORPUS [--sentences 3000] [--output docs/results/kept_parses.json]

Processor time of one thread for the first sentences of a text: parsed, parsed and cached, read from the cache; and the bytes of the cache.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from itertools import islice
from pathlib import Path

from augcse.annotation.kept import PARSES, kept_parses
from augcse.annotation.pipeline import load_pipeline, parse_sentences
from augcse.corpus.read import read_sentences
from augcse.files import file_sha256, write_json
from augcse.training.record import hardware, versions
from measuring import timed

OUTPUT = Path(__file__).resolve().parents[1] / "docs" / "results" / "kept_parses.json"


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
    load_pipeline()
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
            for name, time in (("parse", parsed), ("keep", written), ("read", read))
        },
        "bytes": round(file_bytes / len(sentences)),
    }


if __name__ == "__main__":
    main()
