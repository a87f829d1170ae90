"""AugCSE's Table 15: distances in shape of anchors, entailed and contradicted sentences, in ANLI and other NLI data.

    python scripts/nli_shapes.py DATA [--model mini-bert] [--record docs/results/nli-shapes.json]

DATA/nli holds ANLI's development rows and triplets of LingNLI and CAD, which stand for MNLI and SNLI. What `augcse analyze isomorphism`
prints of three texts; here they are cut from the labelled rows first.
"""

from __future__ import annotations

import argparse
import csv
import json
import lzma
import tempfile
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

ANLI = ("R1_dev", "R2_dev", "R3_dev")
TRIPLETS = "triplets_train_only.csv.xz"
ANCHOR, ENTAILED, CONTRADICTED = "anchor", "entailment", "contradiction"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("--model", default="mini-bert")
    parser.add_argument("--sentences", type=int, default=1000)
    parser.add_argument("--record", type=Path)
    arguments = parser.parse_args()
    from augcse.files import file_sha256
    from augcse.training.record import versions

    folder = arguments.data / "nli"
    sets = {"LingNLI + CAD": triplets(folder / TRIPLETS), "ANLI": anli(folder / "ANLI")}
    found = {name: shapes(arguments.model, texts, arguments.sentences) for name, texts in sets.items()}
    files = [folder / TRIPLETS, *(folder / "ANLI" / f"{name}.tsv.xz" for name in ANLI)]
    about = {"model": arguments.model, "sentences": arguments.sentences, "files": {path.name: file_sha256(path) for path in files}}
    text = json.dumps({**about, "versions": versions(), "sets": found}, indent=2) + "\n"
    print(text, end="")
    if arguments.record:
        arguments.record.write_text(text, "utf-8")


def triplets(path: Path) -> dict[str, list[str]]:
    """Return the texts of a table of anchor, entailed and contradicted sentence."""
    with lzma.open(path, "rt", encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    columns = {ANCHOR: "sent0", ENTAILED: "sent1", CONTRADICTED: "hard_neg"}
    return {name: [row[column] for row in rows] for name, column in columns.items()}


def anli(folder: Path) -> dict[str, list[str]]:
    """Return the texts of ANLI's rounds: contexts, and the hypotheses by label; neutral ones are left out."""
    texts: dict[str, list[str]] = {ANCHOR: [], ENTAILED: [], CONTRADICTED: []}
    for label, premise, hypothesis in _labelled(folder):
        if label in texts:
            texts[ANCHOR].append(premise)
            texts[label].append(hypothesis)
    return texts


def _labelled(folder: Path) -> Iterator[list[str]]:
    for name in ANLI:
        with lzma.open(folder / f"{name}.tsv.xz", "rt", encoding="utf-8") as file:
            yield from (line.rstrip("\n").split("\t") for line in file)


def shapes(model: str, texts: dict[str, list[str]], sentences: int) -> list[dict[str, Any]]:
    """Return the measures of every two of the texts."""
    from augcse.analysis.spaces import compare_texts
    from augcse.corpus.files import Corpus

    with tempfile.TemporaryDirectory() as folder:
        corpora = {}
        for name, lines in texts.items():
            path = Path(folder) / f"{name}.txt"
            path.write_text("\n".join(lines) + "\n", "utf-8")
            corpora[name] = Corpus.of(path)
        return [{"texts": list(pair), **asdict(one)} for pair, one in compare_texts(model, corpora, sentences=sentences).items()]


if __name__ == "__main__":
    main()
