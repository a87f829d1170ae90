"""Users' files as tasks: which names are files, and the titles of their scores in tables and records.

The name of a task or suite always means that; write ./STSB for a file called STSB. Any other name means a file if one exists, or if it
looks like a path. "train.csv+test.csv" means two files, to train a classifier on and to test it on.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

from augcse.corpus.unpack import COMPRESSIONS
from augcse.errors import UserError
from augcse.files import file_sha256, refuse_pipe

BETWEEN_FILES = "+"


def is_file_name(name: str) -> bool:
    """Return whether a name that is not a task or suite is a file: it exists, or looks like a path."""
    path = Path(name)
    return path.expanduser().is_file() or path.suffix != "" or len(path.parts) > 1


def files_of(name: str) -> tuple[Path, ...]:
    """Return the file, or the training and the test file, of a name.

    Raises:
        UserError: more than two files, one that does not exist, or a pipe.
    """
    paths = _paths_of(name)
    if len(paths) > 2:
        raise UserError(f"{name} names {len(paths)} files; give one, or a training and a test file with a {BETWEEN_FILES} between them")
    for path in paths:
        if path.is_dir():
            raise UserError(f"{path} is a folder; give a file of graded pairs or labels, e.g. {path / 'pairs.tsv'}")
        if path.exists():
            refuse_pipe(path, path.stat().st_mode, "a file of pairs or labels")
        else:
            raise UserError(f"no file {path}, and no task of that name; give a file of graded pairs or labels, or see: augcse list tasks")
    return paths


def shown_names(names: Sequence[str], taken: Collection[str]) -> dict[str, str]:
    """Return the title of each file's scores: its name without suffixes, or, if that is taken, with them or with its path.

    >>> shown_names(["a/pairs.tsv", "b/pairs.tsv", "c/STSB.csv", "train.csv+test.csv"], {"STSB"})
    {'a/pairs.tsv': 'a/pairs.tsv', 'b/pairs.tsv': 'b/pairs.tsv', 'c/STSB.csv': 'STSB.csv', 'train.csv+test.csv': 'train+test'}
    """
    candidates = [[_joined_names(name, with_suffix=False), _joined_names(name, with_suffix=True), name] for name in names]
    shown: dict[str, str] = {}
    for level in range(3):
        spellings = [spelling[level] for name, spelling in zip(names, candidates, strict=True) if name not in shown]
        for name, spelling in zip(names, candidates, strict=True):
            free = spellings.count(spelling[level]) == 1 and spelling[level] not in {*taken, *shown.values()}
            if name not in shown and (free or level == 2):
                shown[name] = spelling[level]
    return {name: shown[name] for name in names}


def described_files(names: dict[str, str]) -> dict[str, list[dict[str, Any]]]:
    """Return path and SHA-256 of the files of each name, by title, for records. names: as returned by `shown_names`."""
    return {shown: [{"path": str(path), "sha256": file_sha256(path)} for path in files_of(name)] for name, shown in names.items()}


def _joined_names(name: str, with_suffix: bool) -> str:
    return BETWEEN_FILES.join(path.name if with_suffix else _name_without_suffixes(path) for path in _paths_of(name))


def _paths_of(name: str) -> tuple[Path, ...]:
    path = Path(name).expanduser()
    if path.is_file() or BETWEEN_FILES not in name:
        return (path,)
    return tuple(Path(part.strip()).expanduser() for part in name.split(BETWEEN_FILES))


def _name_without_suffixes(path: Path) -> str:
    while path.suffix.lower() in COMPRESSIONS:
        path = path.with_suffix("")
    return path.stem
