"""Small copies of the labelled tasks: files of the same layout and balanced classes, with counts and checksums of their own."""

from __future__ import annotations

import lzma
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from augcse.evaluation.base import LoadedTask, Task
from augcse.evaluation.labelled import NLI_LABELS, TREC_LABELS, LabelledFile, content_sha256

PER_CLASS = 20
_CLASS_1 = (".pos", ".objective")


def labelled_files(task: Any) -> list[LabelledFile]:
    """The files of a transfer task (several per split) or of a case (one per split)."""
    return [file for members in task.files.values() for file in (members if isinstance(members, tuple) else (members,))]


def small_copy(task: Any, folder: Path) -> Any:
    """Write a small file in place of each and return the task that expects them."""
    files = {
        split: tuple(_write(task.name, file, folder) for file in members)
        if isinstance(members, tuple)
        else _write(task.name, members, folder)
        for split, members in task.files.items()
    }
    return replace(task, files=files)


def gold_embeddings(task: Task, loaded: LoadedTask) -> tuple[np.ndarray, dict[str, int]]:
    """What an encoder would give that knows the classes: the class is the second word of every made-up sentence."""
    row_of = {sentence: row for row, sentence in enumerate(dict.fromkeys(loaded.sentences()))}
    embeddings = np.zeros((len(row_of), 6), np.float32)
    for sentence, row in row_of.items():
        label, side = int(sentence.split()[1]), sentence.split()[2]
        if task.name == "ANLI":
            embeddings[row, 0] = -1 if side == "hypothesis" and label != NLI_LABELS.index("entailment") else 1
        elif task.name == "MRPC":
            embeddings[row] = 7 if side == "left" or label else -7
        else:
            embeddings[row, label] = 50
    return embeddings, row_of


def _write(name: str, file: LabelledFile, folder: Path) -> LabelledFile:
    path = folder / file.path
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = list(_lines(name, path))
    content = "".join(line + "\n" for line in lines).encode()
    path.write_bytes(lzma.compress(content) if path.suffix == ".xz" else content)
    examples = [file.parse(line) for line in lines[file.header :]]
    return replace(file, rows=len(examples), sha256=content_sha256(examples))


def _lines(name: str, path: Path) -> Iterator[str]:
    if name == "MRPC":
        yield "Quality\t#1 ID\t#2 ID\t#1 String\t#2 String"
    for label in _classes(name, path):
        for number in range(PER_CLASS):
            end = f"{path.name} number {number}"
            yield {
                "SST2": f"class {label} {end} \t{label}",
                "TREC": f"{TREC_LABELS[label % 6]}:kind class {label} {end}",
                "MRPC": f"{label}\t{number}\t{number}\tclass {label} left {end}\tclass {label} right {end}",
                "CoLA": f"source\t{label}\t\tclass {label} {end}",
                "ANLI": f"{NLI_LABELS[label % 3]}\tclass 0 premise {end}\tclass {label} hypothesis {end}",
            }.get(name, f"class {label} {end}")


def _classes(name: str, path: Path) -> range | list[int]:
    if name in ("MR", "CR", "SUBJ", "MPQA"):
        return [int(path.suffix in _CLASS_1)]
    return range({"TREC": 6, "ANLI": 3}.get(name, 2))
