"""Files of graded pairs, data folders and word vectors that cannot be read as what they are."""

from __future__ import annotations

import lzma
from pathlib import Path

from fault import Fault, Write, write

_PAIR = "3.5\tA mill by the river.\tThe river has a mill.\n"
_PAIR_FILES: list[tuple[str, str | bytes]] = [
    ("empty", ""),
    ("blank", "\n\n"),
    ("one pair", _PAIR),
    ("a header alone", "score\tsentence1\tsentence2\n"),
    ("two columns", "3.5\tone\n" * 3),
    ("commas", "3.5,one,two\n" * 3),
    ("a score that is a word", _PAIR * 2 + "high\tone\ttwo\n"),
    ("a score that is not a number", _PAIR * 2 + "nan\tone\ttwo\n"),
    ("an infinite score", _PAIR * 2 + "inf\tone\ttwo\n"),
    ("an empty score", _PAIR * 2 + "\tone\ttwo\n"),
    ("the score last", "one two\tthree four\t3.5\n" * 3),
    ("a short line", _PAIR * 2 + "3.5\tone\n"),
    ("one score for all", _PAIR * 5),
    ("latin-1", _PAIR.encode() + "2.0\tCaf\xe9\tK\xe4se\n".encode("latin-1")),
    ("utf-16", (_PAIR * 3).encode("utf-16")),
    ("binary", bytes(range(256)) * 4),
    ("xz", lzma.compress(_PAIR.encode())),
]
_LABEL = "label\ttext\n" + "good\tIt works.\nbad\tIt broke.\n" * 7
_LABEL_FILES: list[tuple[str, str | bytes]] = [
    ("one class", "label\ttext\n" + "good\tIt works.\n" * 20),
    ("a rare class", _LABEL + "odd\tIt hums.\n"),
    ("no header", _LABEL.split("\n", 1)[1]),
    ("no column of labels", _LABEL.replace("label", "note", 1)),
    ("no column of texts", _LABEL.replace("text", "note", 1)),
    ("a column twice", _LABEL.replace("label\ttext", "label\ttext\ttext", 1)),
    ("an empty text", _LABEL + "good\t\n"),
    ("no label at all", "label\ttext\n" + "\tIt works.\n" * 20),
    ("a tab in a text", _LABEL + "good\tIt\tworks.\n"),
    ("latin-1", _LABEL.encode() + "good\tCaf\xe9\n".encode("latin-1")),
]
_TABLES: list[tuple[str, str | bytes]] = [
    ("pairs.csv", "score,sentence1,sentence2\n1,a,b,c\n2,c,d\n"),
    ("pairs.csv", 'score,sentence1,sentence2\n1,"a,b\n2,c,d\n'),
    ("pairs.jsonl", '{"score": 1, "sentence1": "a"}\n'),
    ("pairs.jsonl", '{"score": 1, "sentence1": "a", "sentence2": "b"}\n{"score": 2, "sentence1": "c"}\n'),
    ("pairs.jsonl", '{"score": [1], "sentence1": "a", "sentence2": "b"}\n'),
    ("pairs.jsonl", '{"score": 1, "sentence1": "a", "sentence2": "\\ud800"}\n'),
    ("pairs.jsonl", "[1, 2]\n"),
    ("pairs.json", "{"),
    ("pairs.json", "[]"),
    ("pairs.parquet", "score"),
    ("pairs.tsv.gz", "score\tsentence1\tsentence2\n"),
]
_NO_FILES = {"absent": "absent.tsv", "a folder": ".", "three files": "a.tsv+b.tsv+c.tsv", "half absent": "absent.csv+b.csv"}
_DATA_COMMANDS = {
    "evaluate": ("evaluate", "{model}", "--tasks", "STSB", "--data", "{work}/data"),
    "scores": ("analyze", "scores", "{model}", "--tasks", "STSB", "--data", "{work}/data"),
    "compare": ("analyze", "compare", "{model}", "{model}", "--tasks", "STSB", "--data", "{work}/data"),
    "geometry": ("analyze", "geometry", "{model}", "--data", "{work}/data"),
    "isomorphism": ("analyze", "isomorphism", "{model}", "{model}", "--data", "{work}/data"),
    "neighbours": ("analyze", "neighbours", "{model}", "--query", "a mill", "--data", "{work}/data"),
    "word vectors": ("postprocess", "{vectors}", "--tasks", "STSB", "--data", "{work}/data", "--output", "{work}/out"),
}
_TRAIN = ("train", "simcse-mini", "--model", "{model}", "--corpus", "{corpus}", "--output", "{work}/out", "--workers", "1")
_ADAPT = ("adapt", "{corpus}", "--model", "{model}", "--output", "{work}/out", "--workers", "1", "--quiet")
_HYBRID = ("hybrid", "{model}", "{model}", "--output", "{work}/out", "--quiet")
_TEST = "data/sts/STSB/test.tsv"


def _nothing_in_it(work: Path) -> None:
    (work / "data").mkdir()


def _folder_for_file(work: Path) -> None:
    (work / _TEST).mkdir(parents=True)


def _loop(work: Path) -> None:
    (work / _TEST).parent.mkdir(parents=True)
    (work / _TEST).symlink_to(work / _TEST)


_DATA: list[tuple[str, str, Write]] = [
    ("absent", "data", lambda work: None),
    ("a file", "data", write("data", "text")),
    ("nothing in it", "sts", _nothing_in_it),
    ("no test file", "test.tsv", write("data/sts/STSB/dev.tsv", _PAIR * 5)),
    ("a folder in the file's place", "test.tsv", _folder_for_file),
    ("a link to itself", "test.tsv", _loop),
    ("an empty file", "test.tsv", write(_TEST, "")),
    ("too few pairs", "1,379", write(_TEST, _PAIR * 5 + "1.0\tone\ttwo\n")),
    ("a short row", "line 3", write(_TEST, _PAIR * 2 + "3.5\tone\n")),
    ("a score that is a word", "line 3", write(_TEST, _PAIR * 2 + "high\tone\ttwo\n")),
    ("latin-1", "test.tsv", write(_TEST, _PAIR.encode() + "2.0\tCaf\xe9\tK\xe4se\n".encode("latin-1"))),
]
_TRANSFER: list[tuple[str, str, Write]] = [
    ("no folder", "transfer/MR", write("data/sts/x", "")),
    ("one file of two", "rt-polarity", write("data/transfer/MR/rt-polarity.pos", "good\n")),
    ("too few rows", "rt-polarity",
     lambda work: (write("data/transfer/MR/rt-polarity.pos", "good\n")(work), write("data/transfer/MR/rt-polarity.neg", "bad\n")(work))[0]),
    ("a folder in the file's place", "rt-polarity", lambda work: (work / "data/transfer/MR/rt-polarity.pos").mkdir(parents=True)),
]  # fmt: skip
_VECTORS: list[tuple[str, str | bytes]] = [
    ("empty", ""),
    ("words alone", "the\nmill\n"),
    ("numbers that are words", "the one two\n"),
    ("rows of two lengths", "the 0.1 0.2\nmill 0.1\n"),
    ("not finite", "the 0.1 nan\n"),
    ("cut short", "3 2\nthe 0.1 0.2\n"),
    ("latin-1", "caf\xe9 0.1 0.2\n".encode("latin-1")),
    ("binary", bytes(range(256))),
]

_DEV_COMMANDS = {"train": _TRAIN, "adapt": _ADAPT}
EVALUATIONS = [
    Fault(f"{command}: --dev: {kind}", (*words, "--dev", "{work}/pairs.tsv"), ("pairs.tsv",), write("pairs.tsv", content))
    for command, words in _DEV_COMMANDS.items()
    for kind, content in _PAIR_FILES
]
_OWN_COMMANDS = {
    "evaluate": ("evaluate", "{model}", "--tasks"),
    "scores": ("analyze", "scores", "{model}", "--tasks"),
    "compare": ("analyze", "compare", "{model}", "{model}", "--tasks"),
    "train: --test": (*_TRAIN, "--test"),
    "adapt: --test": (*_ADAPT, "--test"),
}
EVALUATIONS += [
    Fault(f"{command}: own pairs: {kind}", (*words, "{work}/pairs.tsv"), ("pairs.tsv",), write("pairs.tsv", content))
    for command, words in _OWN_COMMANDS.items()
    for kind, content in _PAIR_FILES
]
EVALUATIONS += [
    Fault(f"{command}: own labels: {kind}", (*words, "{work}/labels.tsv"), ("labels.tsv",), write("labels.tsv", content))
    for command, words in {
        "evaluate": _OWN_COMMANDS["evaluate"],
        "train: --dev": (*_TRAIN, "--dev"),
        "adapt: --dev": (*_ADAPT, "--dev"),
    }.items()
    for kind, content in _LABEL_FILES
]
EVALUATIONS += [
    Fault(f"evaluate: own table {number}: {name}", ("evaluate", "{model}", "--tasks", f"{{work}}/{name}"), (name,), write(name, content))
    for number, (name, content) in enumerate(_TABLES, start=1)
]
EVALUATIONS += [
    Fault(f"{command}: no own file: {kind}", (*words, f"{{work}}/{name}"), (name.split("+")[0],))
    for command, words in _OWN_COMMANDS.items()
    for kind, name in _NO_FILES.items()
]
_PAIRS = ("pairs", "{corpus}", "--model", "{model}", "--output", "{work}/out.tsv")
EVALUATIONS += [
    Fault("pairs: no such corpus", ("pairs", "{work}/absent.txt", *_PAIRS[2:]), ("absent.txt",)),
    Fault("pairs: an empty corpus", ("pairs", "{work}/a.txt", *_PAIRS[2:]), ("a.txt",), write("a.txt", "\n\n")),
    Fault("pairs: a corpus too small", ("pairs", "{work}/a.txt", *_PAIRS[2:]), ("200",), write("a.txt", "One.\nTwo.\nThree.\n")),
    Fault("pairs: latin-1", ("pairs", "{work}/a.txt", *_PAIRS[2:]), ("a.txt", "line 1"), write("a.txt", b"Caf\xe9\n")),
    Fault("pairs: no such model", ("pairs", "{corpus}", "--model", "{work}/absent", *_PAIRS[4:]), ("absent",)),
    Fault("pairs: more than the corpus has", (*_PAIRS, "--number", "2000"), ("4,000",)),
    Fault("pairs: all sentences too long", (*_PAIRS, "--max-characters", "1"), ("1 characters",)),
    Fault("pairs: output of another kind", (*_PAIRS[:-1], "{work}/out.xlsx"), ("out.xlsx",)),
    Fault("pairs: output exists", (*_PAIRS[:-1], "{work}/graded.tsv"), ("graded.tsv",), write("graded.tsv", _PAIR)),
    Fault("pairs: output below a file", (*_PAIRS[:-1], "{work}/a/p.tsv"), ("{work}/a",), write("a", "text")),
]
EVALUATIONS += [
    Fault(f"{name}: data: {kind}", command, (mention,), prepare)
    for name, command in _DATA_COMMANDS.items()
    for kind, mention, prepare in _DATA
]
EVALUATIONS += [
    Fault(f"hybrid: --dev: {kind}", (*_HYBRID, "--dev", "{work}/pairs.tsv"), ("pairs.tsv",), write("pairs.tsv", content))
    for kind, content in _PAIR_FILES
]
EVALUATIONS += [
    Fault(f"{command}: data: {kind}", (*words, "--data", "{work}/data", "--dev", "STSB=1"), (mention,), prepare)
    for command, words in _DEV_COMMANDS.items()
    for kind, mention, prepare in _DATA
]
EVALUATIONS += [
    Fault(f"evaluate: transfer: {kind}", ("evaluate", "{model}", "--tasks", "MR", "--data", "{work}/data"), (mention,), prepare)
    for kind, mention, prepare in _TRANSFER
]
EVALUATIONS += [
    Fault(
        f"word vectors: {kind}",
        ("postprocess", "{work}/vectors.txt", "--output", "{work}/out"),
        ("vectors.txt",),
        write("vectors.txt", content),
    )
    for kind, content in _VECTORS
]
