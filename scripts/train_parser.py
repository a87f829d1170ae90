"""Train the bundled English spaCy pipeline on UD English EWT and on what its teacher read, and evaluate it.

    python scripts/parser_teacher.py DATA --encoder MODEL --output TEACHER
    python scripts/train_parser.py DATA --silver TEACHER/silver.spacy --output DIR

DATA/ud holds the treebank (CoNLL-U). The settings are those of the bundled pipeline (resources/en_ewt/config.cfg). The vectors are those of
`augmentations/judge/word_contexts.safetensors`, counted in Wikipedia; a word in capitals has that of its small letters. Takes about an
hour of a core. DIR/en_ewt is the pipeline; docs/results/parser.json has its accuracy on the development and test sentences, each a text
of its own.
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
from spacy.tokens import Doc, DocBin
from spacy.vectors import Vectors

from augcse.augmentations.judge.words import WORD_CONTEXTS
from augcse.files import write_json
from augcse.resources import PARSER
from augcse.rng import stream

RECORD = Path(__file__).resolve().parents[1] / "docs" / "results" / "parser.json"
GOLD_COPIES, SMALL_LETTERS = 3, 0.15
SPLITS = ("train", "dev", "test")
SCORES = ("tag_acc", "lemma_acc", "dep_uas", "dep_las")
META = {
    "name": "ewt",
    "version": "0.3.0",
    "description": "English pipeline trained on UD English EWT (train split, 12,544 sentences) and on sentences of Wikipedia, Tatoeba and "
    "MASC that a larger parser read, with word vectors counted in Wikipedia",
    "author": "augcse",
    "license": "CC BY-SA 4.0",
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path, help="the folder of texts that scripts/sample_domains.py reads")
    parser.add_argument("--silver", type=Path, required=True, help="the sentences that scripts/parser_teacher.py parsed")
    parser.add_argument("--output", type=Path, required=True)
    arguments = parser.parse_args()
    corpora = arguments.output / "corpora"
    write_corpora(arguments.data / "ud", corpora)
    add_silver(corpora / "train.spacy", arguments.silver)
    write_vectors(arguments.output / "vectors")
    paths = {"train": corpora / "train.spacy", "dev": corpora / "dev.spacy", "vectors": arguments.output / "vectors"}
    train(PARSER / "config.cfg", arguments.output, overrides={f"paths.{name}": str(path) for name, path in paths.items()})
    write_pipeline(arguments.output / "model-best", arguments.output / "en_ewt")
    write_record(arguments.output / "en_ewt", corpora, len(DocBin().from_disk(arguments.silver)))


def write_corpora(treebank: Path, output: Path) -> None:
    """Write the splits of the treebank as spaCy reads them, one sentence a document."""
    output.mkdir(parents=True, exist_ok=True)
    for split in SPLITS:
        with lzma.open(treebank / f"en_ewt-ud-{split}.conllu.xz", "rt", encoding="utf-8") as lines:
            (output / f"{split}.conllu").write_text(lines.read(), "utf-8")
        convert(output / f"{split}.conllu", output, file_type="spacy", converter="conllu")


def add_silver(train: Path, silver: Path) -> None:
    """Write the sentences of the treebank several times, and those of the teacher once, some of them in small letters.

    These have no lemmas: the treebank's alone teach the lemmatizer.
    """
    vocab, rng = spacy.blank("en").vocab, stream(0, "parser", "small letters")
    docs = DocBin()
    for doc in DocBin().from_disk(train).get_docs(vocab):
        for _ in range(GOLD_COPIES):
            docs.add(doc)
    for doc in DocBin().from_disk(silver).get_docs(vocab):
        docs.add(in_small_letters(doc) if rng.random() < SMALL_LETTERS else doc)
    docs.to_disk(train)


def in_small_letters(doc: Doc) -> Doc:
    """Return a parsed document in small letters, with the parse of the original."""
    return Doc(
        doc.vocab,
        [word.lower_ for word in doc],
        [bool(word.whitespace_) for word in doc],
        tags=[word.tag_ for word in doc],
        pos=[word.pos_ for word in doc],
        morphs=[str(word.morph) for word in doc],
        heads=[word.head.i for word in doc],
        deps=[word.dep_ for word in doc],
    )


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


def write_pipeline(trained: Path, output: Path) -> None:
    """Write a trained pipeline with its licence, and without the paths of the machine that it was trained on."""
    pipeline = spacy.load(trained)
    pipeline.meta.update(META)
    settings = pipeline.config
    settings["paths"] = dict.fromkeys(settings["paths"])
    pipeline.config = settings
    pipeline.to_disk(output)


def write_record(folder: Path, corpora: Path, silver: int) -> None:
    """Write how often tags, lemmas, heads and labels are right, and how many sentences the teacher gave."""
    found = {}
    for split in SPLITS[1:]:
        scores = evaluate(str(folder), corpora / f"{split}.spacy", silent=True)
        found[split] = {score: round(100 * scores[score], 2) for score in SCORES}
    write_json(
        RECORD,
        {
            "command": "python scripts/train_parser.py DATA --silver TEACHER/silver.spacy --output DIR",
            "version": META["version"],
            "silver_sentences": silver,
            "accuracy": found,
        },
    )


if __name__ == "__main__":
    main()
