"""Output folders that are taken or cannot be."""

from __future__ import annotations

from pathlib import Path

from fault import Fault, Write, write

_COMMANDS = {
    "train": ("train", "simcse-mini", "--model", "{model}", "--corpus", "{corpus}", "--workers", "1", "--output"),
    "adapt": ("adapt", "{corpus}", "--model", "{model}", "--workers", "1", "--quiet", "--output"),
    "augment": ("augment", "{corpus}", "--with", "RandomSwap", "--output"),
    "static": ("static", "{corpus}", "--quiet", "--output"),
    "score": ("score", "{corpus}", "--with", "RandomSwap", "--model", "{model}", "--lm", "none", "--quiet", "--output"),
    "demo": ("demo", "--output"),
    "postprocess": ("postprocess", "{model}", "--output"),
    "hybrid": ("hybrid", "{model}", "{model}", "--output"),
    "word vectors": ("postprocess", "{vectors}", "--output"),
}


def _loop(work: Path) -> None:
    (work / "out").symlink_to(work / "out")


_PLACES: list[tuple[str, str, Write]] = [
    ("a file", "out", write("out", "a letter")),
    ("a folder with other things", "out", write("out/letter.txt", "a letter")),
    ("below a file", "letter.txt/out", write("letter.txt", "a letter")),
    ("a name that is too long", "x" * 300, lambda work: None),
    ("a link to itself", "out", _loop),
    ("a link that leads nowhere", "out", lambda work: (work / "out").symlink_to(work / "gone")),
    ("below what cannot be written", "/proc/augcse-out", lambda work: None),
]

OUTPUTS = [
    Fault(f"{name}: output: {kind}", (*command, place if place.startswith("/") else "{work}/" + place), (place[:40],), prepare)
    for name, command in _COMMANDS.items()
    for kind, place, prepare in _PLACES
]
OUTPUTS += [
    Fault(f"{name}: output: a name that is no UTF-8", (*_COMMANDS[name], "{work}/o\udcff"), ("is not UTF-8",), lambda work: None)
    for name in ("train", "adapt", "static", "demo", "hybrid", "postprocess", "word vectors")
]
OUTPUTS += [
    Fault(f"split: output: {kind}", ("split", "{corpus}", "--output", place), (name,), prepare)
    for kind, place, name, prepare in [
        ("a file", "{work}/letter.txt", "letter.txt", write("letter.txt", "a letter")),
        ("a folder", "{work}/out.txt", "out.txt", lambda work: (work / "out.txt").mkdir()),
        ("the corpus", "{corpus}", "corpus.txt", lambda work: None),
        ("a table", "{work}/out.csv", "out.csv", lambda work: None),
        ("packed", "{work}/out.txt.gz", "out.txt.gz", lambda work: None),
        ("below a file", "{work}/letter.txt/out.txt", "letter.txt", write("letter.txt", "a letter")),
        ("a link that leads nowhere", "{work}/out.txt", "out.txt", lambda work: (work / "out.txt").symlink_to(work / "gone")),
        ("below what cannot be written", "/proc/augcse.txt", "/proc/augcse.txt", lambda work: None),
        ("a name that is too long", "{work}/" + "x" * 300 + ".txt", "x" * 40, lambda work: None),
    ]
]
OUTPUTS += [
    Fault(f"report: output: {kind}", ("report", "{run}", "--output", place), (name,), prepare)
    for kind, place, name, prepare in [
        ("a folder", "{work}/out.html", "out.html", lambda work: (work / "out.html").mkdir()),
        ("below a file", "{work}/letter.txt/out.html", "letter.txt", write("letter.txt", "a letter")),
        ("another file", "{work}/letter.txt", "letter.txt", write("letter.txt", "a letter")),
        ("below what cannot be written", "/proc/augcse.html", "/proc/augcse.html", lambda work: None),
    ]
]
