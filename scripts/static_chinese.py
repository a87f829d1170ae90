"""Chinese from zero: `augcse static` with other tokenizers, settings and sizes of text on CNSD STS-B dev; its test pairs once.

    python scripts/static_chinese.py --data DIR [--tries NAME ...]
    python scripts/static_chinese.py --data DIR --test

The text is DIR/zh/unlabelled_zh.txt.xz, of which a size takes the first so many lines. Each try of TRIES is logged once, in
docs/results/static_chinese.json, of which `make docs` makes docs/results/languages.md. `--test` scores CHOSEN, the defaults of the
package, and what it is compared with on the test pairs, after which no try is accepted.
"""

from __future__ import annotations

import argparse
import json
import lzma
import os
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")

RECORD = Path(__file__).resolve().parents[1] / "docs" / "results" / "static_chinese.json"
DEV, TEST = "CNSD-STSB-dev", "CNSD-STSB"
PIECES, UNIGRAM = "pieces", "unigram"
WHOLE = 107_457
SIZES = (100, 300, 1_000, 3_000, 10_000, 30_000, WHOLE)
CHOSEN, OVERLAP = "characters", "overlap"
# What is tried: settings of `augcse.static`; beside them `text`, the sentences, `without`, whose sentences are left out, and `made`, how
# the tokenizer is trained where it is not the package's own.
TRIES: dict[str, dict[str, Any]] = {
    CHOSEN: {},
    # The package's before each ideograph was a token: byte-pair encoding of runs of characters.
    PIECES: {"made": PIECES},
    **{f"characters, {size:,} sentences": {"text": size} for size in SIZES[:-1]},
    **{f"pieces, {size:,} sentences": {"text": size, "made": PIECES} for size in (1_000, 10_000)},
    "characters, no letters": {"letters_dim": 0},
    "characters, text without CNSD": {"without": "CNSD-STSB"},
    "characters, 256 dimensions": {"dim": 256},
    "characters, tokens once": {"tokens_once": True},
    # Its training takes minutes of the whole text, whose sentences are its words.
    "unigram, 10,000 sentences": {"text": 10_000, "made": UNIGRAM},
}
# What the chosen setting is compared with on the test pairs.
COMPARED = (CHOSEN, PIECES, "characters, 10,000 sentences")


def main() -> None:
    arguments = _arguments()
    record = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {"tries": {}, "test": {}}
    if arguments.test:
        scored = {name: made(TRIES[name], [TEST], arguments.data)["scores"][TEST] for name in COMPARED if name not in record["test"]}
        record["test"] |= scored | {OVERLAP: overlap_score(arguments.data, "test")}
        _write(record)
        return
    for name in arguments.tries or TRIES:
        if name in record["tries"]:
            continue
        if record["test"]:
            sys.exit("the test pairs have been read: no further try")
        record["tries"][name] = {"settings": TRIES[name], **made(TRIES[name], [DEV], arguments.data)}
        print(name, record["tries"][name], file=sys.stderr, flush=True)
        _write(record)
    if OVERLAP not in record:
        record[OVERLAP] = overlap_score(arguments.data, "dev")
        _write(record)


def made(tried: dict[str, Any], tasks: Sequence[str], data: Path) -> dict[str, Any]:
    """Make the encoder of a try and score it."""
    from static_choice.built import score

    settings = dict(tried)
    sentences = chinese(data, settings.pop("text", WHOLE), settings.pop("without", None))
    kind = settings.pop("made", None)
    if kind is None:
        return score(sentences, settings, tasks, data)
    with tempfile.TemporaryDirectory() as folder:
        save_tokenizer(trained(kind, sentences), Path(folder))
        return score(sentences, settings | {"tokenizer": folder}, tasks, data)


def chinese(data: Path, number: int, without: str | None = None) -> list[str]:
    """Return the first sentences of the Chinese text, or of what is left of it without those of a task's training pairs."""
    with lzma.open(data / "zh" / "unlabelled_zh.txt.xz", "rt", encoding="utf-8") as file:
        sentences = file.read().splitlines()
    if without is not None:
        with lzma.open(data / "zh" / without / "train.tsv.xz", "rt", encoding="utf-8") as file:
            left_out = {sentence for line in file for sentence in line.rstrip("\n").split("\t")[1:3]}
        sentences = [sentence for sentence in sentences if sentence not in left_out]
    return sentences[:number]


def trained(kind: str, sentences: Sequence[str]) -> Any:
    """Return a tokenizer that cuts runs of characters into pieces: by byte-pair encoding as the package's, or a unigram model."""
    from augcse.encoding.static.options import StaticOptions
    from augcse.encoding.static.tokenizer import UNKNOWN, train_tokenizer, word_splitter

    splitter, size = word_splitter(ideographs_apart=False), StaticOptions().vocabulary_size
    if kind == PIECES:
        return train_tokenizer(sentences, size, splitter)
    from tokenizers import Tokenizer, models, normalizers, trainers

    tokenizer: Any = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Lowercase()])
    tokenizer.pre_tokenizer = splitter
    trainer = trainers.UnigramTrainer(vocab_size=size, unk_token=UNKNOWN, special_tokens=[UNKNOWN], show_progress=False)
    tokenizer.train_from_iterator(sentences, trainer)
    return tokenizer


def save_tokenizer(tokenizer: Any, folder: Path) -> None:
    """Write a tokenizer as a folder that `augcse static --tokenizer` takes."""
    from transformers import PreTrainedTokenizerFast

    PreTrainedTokenizerFast(tokenizer_object=tokenizer, unk_token="[UNK]").save_pretrained(folder)
    # A model's folder has one.
    (folder / "config.json").write_text('{"model_type": "bert"}\n', "utf-8")


def overlap_score(data: Path, part: str) -> float:
    """Return Spearman x 100 of the overlap of characters (Dice), a baseline of spelling alone."""
    from scipy.stats import spearmanr

    text = (data / "zh" / "CNSD-STSB" / f"{part}.tsv").read_text("utf-8")
    rows = [line.split("\t") for line in text.splitlines()]
    sets = [(set(row[1]), set(row[2])) for row in rows]
    shares = [2 * len(first & second) / (len(first) + len(second)) for first, second in sets]
    return round(100 * float(spearmanr(shares, [float(row[0]) for row in rows]).statistic), 2)


def _write(record: dict[str, Any]) -> None:
    from augcse.files import write_json

    write_json(RECORD, record)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--tries", nargs="+", choices=TRIES)
    parser.add_argument("--test", action="store_true", help="score what was chosen on the test pairs, once")
    return parser.parse_args()


if __name__ == "__main__":
    main()
