"""Text, settings and folders that no backbone can be pretrained from."""

from __future__ import annotations

import json
from pathlib import Path

from fault import Fault, Write, write
from faults_models import copied, damages
from faults_static import SENTENCES_OF_ANOTHER_SCRIPT

_OUT = ("--output", "{work}/out", "--quiet")
_TEXT = ("pretrain", "{work}/corpus.txt", *_OUT)
_WHOLE = ("pretrain", "{corpus}", *_OUT)
_SMALL = ("--vocabulary-size", "200", "--hidden-size", "16", "--set", "heads=2", "--block-tokens", "16", "--max-steps", "1")


def _made_before(work: Path) -> None:
    """A backbone that came of other settings."""
    (work / "out").mkdir()
    (work / "out" / "pretrain.json").write_text(json.dumps({"steps": 3, "inputs_sha256": "0"}), "utf-8")


def _kept_run(work: Path) -> None:
    """What an interrupted pretraining of other settings left."""
    from augcse.training.inputs import described_recipe, write_inputs
    from augcse.training.pretraining.options import PretrainOptions

    run = work / "out.run"
    (run / "checkpoints" / "checkpoint-3").mkdir(parents=True)
    write_inputs(run, {"recipe": described_recipe(PretrainOptions(mask_rate=0.4))})


_TEXTS: list[tuple[str, str, Write]] = [
    ("no sentence", "no sentence in it", write("corpus.txt", "\n\n")),
    ("empty", "no sentence in it", write("corpus.txt", "")),
    ("bytes that are no text", "corpus.txt, line 2", write("corpus.txt", b"one line\n\xff\xfe\n")),
]
PRETRAIN = [Fault(f"pretrain: text: {kind}", _TEXT, (name,), prepare) for kind, name, prepare in _TEXTS]
PRETRAIN += [
    Fault(
        "pretrain: text: less than a step",
        ("pretrain", "{corpus}", *_OUT, *_SMALL, "--set", "batch_size=5000"),
        ("blocks of 16 tokens", "batch_size"),
    ),
    Fault(
        "pretrain: text: no token often enough to begin with",
        ("pretrain", "{work}/corpus.txt", *_OUT, *_SMALL, "--tokenizer", "{model}", "--set", "batch_size=2"),
        ("static_start",),
        write("corpus.txt", "the old mill was built near a quiet river in spring by two brothers who never said a word of it again\n" * 2),
    ),
    Fault(
        "pretrain: text: a script that the tokenizer does not know",
        (*_TEXT, "--tokenizer", "{model}"),
        ("does not know", "it was made for another script"),
        write("corpus.txt", SENTENCES_OF_ANOTHER_SCRIPT),
    ),
    Fault("pretrain: output: a model of other settings", (*_WHOLE, "--resume"), ("out", "choose another --output"), _made_before),
    Fault("pretrain: output: it exists", _WHOLE, ("out exists",), _made_before),
    Fault("pretrain: output: a run is kept there", _WHOLE, ("out.run", "--resume"), _kept_run),
    Fault("pretrain: resume: other settings", (*_WHOLE, "--resume"), ("mask_rate = 0.4 (now 0.2)",), _kept_run),
    Fault("pretrain: output: a file", _WHOLE, ("out is a file",), write("out", "text")),
    Fault("pretrain: output: below a file", ("pretrain", "{corpus}", "--output", "{corpus}/out"), ("which is a file",)),
]
PRETRAIN += [
    Fault(f"pretrain: {kind}", (*_WHOLE, *words), (name,))
    for kind, words, name in [
        ("set: an unknown key", ("--set", "maskrate=0.2"), "did you mean mask_rate or"),
        ("set: out of range", ("--set", "mask_rate=1.5"), "mask_rate is 1.5"),
        ("set: no number", ("--set", "learning_rate=high"), "learning_rate"),
        ("set: not finite", ("--set", "learning_rate=nan"), "learning_rate"),
        ("set: no key", ("--set", "0.3"), "write key=value"),
        ("epochs: none", ("--epochs", "0"), "epochs is 0.0"),
        ("heads: no divisor", ("--set", "heads=7"), "not a multiple of heads"),
        ("blocks: longer than the model reads", ("--block-tokens", "512"), "positions"),
        ("a vocabulary of nothing", ("--vocabulary-size", "3"), "--vocabulary-size"),
        ("layers: of a backbone that has its own", ("--backbone", "{model}", "--layers", "3"), "layers is of a new model"),
        ("blocks: longer than the backbone reads", ("--backbone", "mini-bert", "--block-tokens", "4096"), "512 positions"),
        (
            "sentences: longer than the backbone reads",
            ("--backbone", "mini-bert", "--set", "sentence_stage=retromae", "--set", "sentence_tokens=4096"),
            "sentence_tokens is 4096, and mini-bert has 512 positions",
        ),
        ("backbone: no head", ("--backbone", "{model}", "--block-tokens", "64"), "no trained masked-language-model head"),
        ("backbone: absent", ("--backbone", "{work}/absent"), "absent"),
        ("tokenizer: absent", ("--tokenizer", "{work}/absent"), "absent"),
        ("tokenizer: an empty name", ("--tokenizer", ""), "tokenizer is ''"),
        ("column: of plain text", ("--column", "text"), "plain text"),
    ]
]
PRETRAIN += [
    Fault(f"pretrain: model: {kind}", (*_WHOLE, "--backbone", "{work}/model"), ("model",), copied(damage))
    for kind, damage in damages("no config.json", "weights cut short", "no words", "tokenizer.json cut short", "code of its own").items()
]
