"""Train an English spaCy pipeline with the labels of the bundled one, on UD English EWT with word vectors, and evaluate both.

    python scripts/train_parser.py DATA --output DIR [--steps 4000]

DATA/ud holds the treebank (CoNLL-U). The settings are those of the bundled pipeline (resources/en_ewt/config.cfg), which was trained
without vectors and without averaging its weights. The vectors are those of `augmentations/judge/word_contexts.safetensors`, counted in
Wikipedia; a word in capitals has that of its small letters. Takes some 20 minutes of a core. DIR/model-best is a pipeline for `--parser`;
docs/results/parser.json has its accuracy and that of the bundled pipeline on the development and test sentences, each a text of its own.
The bundled pipeline is not replaced: every rule's figures, samples and golden examples were made with it.
"""

from __future__ import annotations

import argparse
import lzma
from pathlib import Path

import numpy as np
import spacy
from safetensors.numpy import load_file
from spacy.cli.convert import convert
from spacy.cli.evaluate import evaluate
from spacy.cli.train import train
from spacy.vectors import Vectors

from augcse.augmentations.judge.words import WORD_CONTEXTS
from augcse.files import write_json
from augcse.resources import PARSER

RECORD = Path(__file__).resolve().parents[1] / "docs" / "results" / "parser.json"
SPLITS = ("train", "dev", "test")
SCORES = ("tag_acc", "lemma_acc", "dep_uas", "dep_las")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of texts that scripts/sample_domains.py reads")
    parser.add_argument("--output", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=4000)
    arguments = parser.parse_args()
    corpora = arguments.output / "corpora"
    write_corpora(arguments.data / "ud", corpora)
    write_vectors(arguments.output / "vectors")
    overrides = {
        "paths.train": str(corpora / "train.spacy"),
        "paths.dev": str(corpora / "dev.spacy"),
        "paths.vectors": str(arguments.output / "vectors"),
        "components.tok2vec.model.embed.include_static_vectors": True,
        "training.optimizer.use_averages": True,
        "training.max_steps": arguments.steps,
        "training.eval_frequency": min(1000, arguments.steps),
    }
    train(PARSER / "config.cfg", arguments.output, overrides=overrides)
    write_record(arguments.output / "model-best", corpora, arguments.steps)


def write_corpora(treebank: Path, output: Path) -> None:
    """Write the splits of the treebank as spaCy reads them, one sentence a document."""
    output.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        with lzma.open(treebank / f"en_ewt-ud-{split}.conllu.xz", "rt", encoding="utf-8") as lines:
            (output / f"{split}.conllu").write_text(lines.read(), "utf-8")
        convert(output / f"{split}.conllu", output, file_type="spacy", morphology=True, converter="conllu")


def write_vectors(output: Path) -> None:
    """Write a blank pipeline with the vectors of the words and of their spellings with capitals."""
    tables = load_file(str(WORD_CONTEXTS))
    data = tables["vectors"].astype(np.float32) * tables["vector_scales"]
    data /= np.maximum(np.linalg.norm(data, axis=1, keepdims=True), 1e-9)
    pipeline = spacy.blank("en")
    vectors = Vectors(data=data.astype(np.float32), name="word_contexts")
    for row, word in enumerate(bytes(tables["words"]).decode().split("\n")):
        for spelling in dict.fromkeys((word, word.capitalize(), word.upper())):
            if pipeline.vocab.strings.add(spelling) not in vectors.key2row:
                vectors.add(spelling, row=row)
    pipeline.vocab.vectors = vectors
    pipeline.to_disk(output)


def write_record(trained: Path, corpora: Path, steps: int) -> None:
    """Write how often tags, lemmas, heads and labels are right, of the trained pipeline and of the bundled one."""
    found = {
        split: {
            name: {score: round(100 * evaluate(str(folder), corpora / f"{split}.spacy", silent=True)[score], 2) for score in SCORES}
            for name, folder in (("bundled", PARSER), ("trained", trained))
        }
        for split in SPLITS[1:]
    }
    write_json(RECORD, {"command": f"python scripts/train_parser.py DATA --output DIR --steps {steps}", "accuracy": found})


if __name__ == "__main__":
    main()
