"""The manifest of a finished folder: size and SHA-256 of every file, to detect damage before anything is loaded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from augcse.files import file_sha256, write_json

MANIFEST = "manifest.json"


class DamagedFolderError(Exception):
    """A folder does not match its manifest; the message names the folder and the first file that differs."""


@dataclass(frozen=True)
class Manifest:
    """The manifest of a checked folder: the metadata passed to `write_manifest`, and a digest of all content."""

    about: dict[str, Any]
    digest: str


def write_manifest(folder: Path, about: Mapping[str, Any]) -> Manifest:
    """Write the manifest of a finished folder, with the JSON metadata `about`."""
    files = {name: {"bytes": (folder / name).stat().st_size, "sha256": file_sha256(folder / name)} for name in sorted(_file_names(folder))}
    content = {"about": dict(about), "files": files}
    digest = digest_of(content)
    write_json(folder / MANIFEST, {**content, "sha256": digest})
    return Manifest(dict(about), digest)


def check_folder(folder: Path) -> Manifest:
    """Compare every file of a folder with its manifest, and return the manifest.

    Raises:
        DamagedFolderError: a file is missing, foreign, empty, cut, changed or unreadable; the manifest itself included.
    """
    try:
        document = json.loads((folder / MANIFEST).read_text("utf-8"))
        content = {"about": document["about"], "files": document["files"]}
        is_intact = digest_of(content) == document["sha256"]
    except FileNotFoundError as error:
        raise DamagedFolderError(f"{folder} is damaged: {MANIFEST} is missing") from error
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise DamagedFolderError(f"{folder} is damaged: {MANIFEST} cannot be read") from error
    if not is_intact:
        raise DamagedFolderError(f"{folder} is damaged: {MANIFEST} has changed")
    try:
        first_difference = next(_differences(folder, document["files"]), None)
    except OSError as error:
        raise DamagedFolderError(f"{folder} is damaged: {error.filename} cannot be read: {error.strerror}") from error
    if first_difference:
        raise DamagedFolderError(f"{folder} is damaged: {first_difference}")
    return Manifest(document["about"], document["sha256"])


def read_digest(folder: Path) -> str:
    """Return the digest that the manifest gives of the folder's content, unchecked."""
    return str(json.loads((folder / MANIFEST).read_text("utf-8"))["sha256"])


def folder_digest(folder: Path) -> str:
    """Return one digest of all files of a folder that has no manifest, e.g. a model's."""
    return digest_of({name: file_sha256(folder / name) for name in sorted(_file_names(folder))})


def digest_of(document: Any) -> str:
    """Return the SHA-256 of a JSON document, which does not depend on its order of keys and its white space."""
    return hashlib.sha256(json.dumps(document, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def _differences(folder: Path, files: Mapping[str, Mapping[str, Any]]) -> Iterator[str]:
    """Yield descriptions of the differences: missing and additional files and sizes first, then content."""
    present = set(_file_names(folder))
    yield from (f"{name} is missing" for name in sorted(set(files) - present))
    yield from (f"{name} does not belong to it" for name in sorted(present - set(files)))
    for name, known in files.items():
        size = (folder / name).stat().st_size
        if size != known["bytes"]:
            yield f"{name} has {size:,} bytes, not {known['bytes']:,}"
    yield from (f"the content of {name} has changed" for name, known in files.items() if file_sha256(folder / name) != known["sha256"])


def _file_names(folder: Path) -> Iterator[str]:
    """Yield the relative paths of the files in a folder.

    Hidden files, which no loader reads, and subfolders with a manifest of their own are skipped.
    """
    for path in folder.iterdir():
        if path.name.startswith("."):
            continue
        if not path.is_dir():
            yield from [path.name] if path.name != MANIFEST else []
        elif not (path / MANIFEST).exists() and path.suffix != ".old":
            yield from (f"{path.name}/{name}" for name in _file_names(path))
