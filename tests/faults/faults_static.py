"""Text, tokenizers and backbones that make no static encoder."""

from __future__ import annotations

import json
from pathlib import Path

from fault import Fault, Write, write
from faults_models import copied, damages

_STATIC = ("static", "{work}/corpus.txt", "--output", "{work}/out", "--quiet")
_BACKBONE = ("static", "{corpus}", "--backbone", "{work}/model", "--rows", "backbone", "--output", "{work}/out", "--quiet")
_WORDS = "the old mill was built near a quiet river in spring by two brothers".split()


def _sentences(number: int) -> str:
    return "".join(f"{_WORDS[index % 13]} {_WORDS[index // 13 % 13]} {index}\n" for index in range(number))


def _rotated(number: int) -> str:
    return "".join(" ".join(["mill"] * (index + 1)) + "\n" for index in range(number))


# Thai, of which an English tokenizer knows nothing.
_LETTERS = "กขฃคฅฆงจฉชซฌญฎฏฐ"
SENTENCES_OF_ANOTHER_SCRIPT = "".join(
    f"{_LETTERS[index % 16] * 3} {_LETTERS[index // 16 % 16] * 5} {_LETTERS[(3 * index) % 16]}\n" for index in range(200)
)


def _more_tokens(folder: Path) -> None:
    """A tokenizer with more tokens than there are rows."""
    document = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    document["model"]["vocab"] |= {f"zz{index}": len(document["model"]["vocab"]) + index for index in range(50)}
    (folder / "tokenizer.json").write_text(json.dumps(document), "utf-8")


def _one_row_not_finite(folder: Path) -> None:
    from safetensors.torch import load_file, save_file

    tensors = load_file(folder / "model.safetensors")
    name = next(name for name in tensors if "word_embeddings" in name)
    tensors[name][7, 3] = float("nan")
    save_file(tensors, folder / "model.safetensors", {"format": "pt"})


def _word_vectors(work: Path) -> None:
    """A model without a fast tokenizer."""
    from augcse.encoding.word_vectors import word_vector_model

    (work / "vectors.txt").write_text("the 0.1 0.2\nmill 0.2 0.1\nriver 0.4 0.2\n", "utf-8")
    word_vector_model(work / "vectors.txt").save_pretrained(str(work / "model"), create_model_card=False)


_TEXTS: list[tuple[str, str, Write]] = [
    ("no sentence", "no sentence in it", write("corpus.txt", "\n\n")),
    ("1 sentence", "1 sentences that differ", write("corpus.txt", _sentences(1))),
    ("10 sentences", "10 sentences that differ", write("corpus.txt", _sentences(10))),
    ("99 sentences", "99 sentences that differ", write("corpus.txt", _sentences(99))),
    ("one sentence many times", "1 sentences that differ", write("corpus.txt", _sentences(1) * 1000)),
    ("one word repeated", "give more", write("corpus.txt", _rotated(300))),
    ("bytes that are no text", "corpus.txt, line 150", write("corpus.txt", _sentences(149).encode() + b"\xff\xfe\n")),
    ("blanks of all kinds", "no sentence in it", write("corpus.txt", "\u3000\u2003 \t\n" * 200)),
]
STATIC = [Fault(f"static: text: {kind}", _STATIC, (name,), prepare) for kind, name, prepare in _TEXTS]
STATIC += [
    Fault(
        "static: text: a script that the tokenizer does not know",
        (*_STATIC, "--tokenizer", "{model}"),
        ("does not know", "it was made for another script"),
        write("corpus.txt", SENTENCES_OF_ANOTHER_SCRIPT),
    ),
    Fault(
        "static: whitening: too few sentences",
        ("static", "{corpus}", "--whiten-on", "{work}/few.txt", "--output", "{work}/out", "--quiet"),
        ("few.txt: 10 sentences that differ",),
        write("few.txt", _sentences(10)),
    ),
    Fault(
        "static: whitening: an absent file",
        ("static", "{corpus}", "--whiten-on", "{work}/few.txt", "--output", "{work}/out", "--quiet"),
        ("no corpus file", "few.txt"),
    ),
    Fault("static: tokenizer: too many tokens", _BACKBONE, ("1,550 tokens",), copied(_more_tokens)),
    Fault("static: backbone: a row that is not finite", _BACKBONE, ("is not finite",), copied(_one_row_not_finite)),
    Fault("static: backbone: no fast tokenizer", _BACKBONE, ("has no embedding table",), _word_vectors),
    Fault(
        "static: dim: more than there are directions", (*_BACKBONE[:3], "{model}", *_BACKBONE[4:], "--dim", "6000"), ("6000 dimensions",)
    ),
]
STATIC += [
    Fault(f"static: {kind}", ("static", "{corpus}", "--output", "{work}/out", "--quiet", *words), (name,))
    for kind, words, name in [
        ("rows: an unknown name", ("--rows", "coocurrence"), "did you mean cooccurrence?"),
        ("rows: a backbone that is not given", ("--rows", "both"), "--backbone mini-bert"),
        ("rows: a backbone and another tokenizer", ("--backbone", "{model}", "--tokenizer", "mini-bert"), "leave the tokenizer out"),
        ("dim: more than both parts have", ("--dim", "1025"), "co-occurrence gives at most 512 and letters 512"),
        ("precision: an unknown name", ("--precision", "fp8"), "fp32"),
        ("set: an unknown key", ("--set", "frequency_wieght=1"), "did you mean frequency_weight?"),
        ("set: no number", ("--set", "frequency_weight=high"), "frequency_weight"),
        ("set: not finite", ("--set", "scale=nan"), "scale"),
        ("set: no key", ("--set", "0.3"), "write key=value"),
        ("column: of plain text", ("--column", "text"), "plain text"),
        ("backbone: absent", ("--backbone", "{work}/absent"), "absent"),
        ("tokenizer: absent", ("--tokenizer", "{work}/absent"), "absent"),
        ("backbone: an empty name", ("--backbone", ""), "backbone is ''"),
    ]
]
STATIC += [
    Fault(
        f"{command}: a row of the embedding table that is not finite",
        (*words, "--output", "{work}/out"),
        ("not finite",),
        copied(_one_row_not_finite),
    )
    for command, words in {
        "hybrid": ("hybrid", "{model}", "{work}/model"),
        "soup": ("soup", "{model}", "{work}/model"),
        "postprocess": ("postprocess", "{work}/model", "{corpus}", "--with", "whiten", "--quiet"),
    }.items()
]
STATIC += [
    Fault(f"static: model: {kind}", _BACKBONE, ("model",), copied(damage))
    for kind, damage in damages("no config.json", "weights cut short", "no words", "tokenizer.json cut short", "code of its own").items()
]
