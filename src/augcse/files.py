"""Files written aside, then renamed: under its final name one is always whole, and on the disk, power cut or not. And their hashes."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from augcse.errors import UserError
from augcse.exchange import exchange

_PARTIAL_SUFFIX = ".partial"
_CHUNK_BYTES = 1 << 20
_DISK_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextmanager
def reported_read() -> Iterator[None]:
    """Raise `UserError` for an `OSError` inside, by the file's name."""
    try:
        yield
    except OSError as error:
        raise UserError(f"cannot read {error.filename}: {error.strerror}; give files that can be read") from error


def partial_path(path: Path) -> Path:
    """Return where `path` is written before it is whole: beside it and hidden, so that readers of the folder pass over it."""
    return path.with_name(f".{path.name}{_PARTIAL_SUFFIX}")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Give a partial path to write; on success the file takes the place of `path`, on failure it is removed.

    Raises:
        UserError: an `OSError` inside, e.g. a full disk.
    """
    partial = partial_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A link that lies there would be written through, to wherever it leads.
        partial.unlink(missing_ok=True)
        yield partial
        sync(partial)
        partial.replace(path)
        sync(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        # Its own failure (a folder that is gone or read-only) must not hide the first one.
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all.

    Raises:
        UserError: the disk is full or the place cannot be written.
    """
    with whole_file(path) as partial:
        # A file's name that is no UTF-8 is written as an escape, which JSON reads back.
        partial.write_text(text, encoding="utf-8", errors="backslashreplace")


def write_json(path: Path, document: Any) -> None:
    """Write a JSON file whole or not at all."""
    write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give a partial folder to fill; on success it takes the place of `path`, on failure it is removed.

    Raises:
        UserError: an `OSError` inside, e.g. a full disk.
    """
    partial = partial_path(path)
    shutil.rmtree(partial, ignore_errors=True)
    try:
        with reported_write(path):
            partial.mkdir(parents=True)
            yield partial
            replace_folder(partial, path)
    finally:
        shutil.rmtree(partial, ignore_errors=True)


@contextmanager
def reported_write(path: Path) -> Iterator[None]:
    """Turn whatever a failed write raises, in Python, safetensors or torch, into one line about `path`."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, SafetensorError) as error:
        raise cannot_write(path, error) from error
    except RuntimeError as error:
        # How torch.save reports a write that the disk refused.
        if "inline_container" not in str(error) and "PytorchStreamWriter" not in str(error):
            raise
        raise cannot_write(path, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) from error


def check_can_be_folder(path: Path) -> None:
    """Refuse, before any work, a name for a folder that is a file's or a dead link's, or lies below a file or where nothing may be written.

    Raises:
        UserError: it is.
    """
    try:
        if path.is_symlink() and not path.exists():
            raise UserError(f"{path} is a link to {path.readlink()}, which is not there; make that folder, or choose another --output")
        if path.exists() and not path.is_dir():
            raise UserError(f"{path} is a file, not a folder; choose another --output")
        above = next(parent for parent in path.absolute().parents if parent.exists())
        if not above.is_dir():
            raise UserError(f"{path} lies below {above}, which is a file; choose another --output")
        nearest = path if path.exists() else above
        if not os.access(nearest, os.W_OK | os.X_OK):
            raise UserError(f"{path} cannot be written: permission denied for {nearest}; choose another --output")
    except OSError as error:
        raise cannot_write(path, error) from error


def check_can_hold_model(path: Path) -> None:
    """Refuse what cannot be a folder, and a name that the libraries which write models do not take. Raises `UserError`."""
    check_can_be_folder(path)
    try:
        str(path.absolute()).encode()
    except UnicodeEncodeError as error:
        raise UserError(f"{path} is no UTF-8, and models are written under such names alone; choose another --output") from error


def check_is_new(path: Path) -> None:
    """Refuse a folder for models that exists and is not empty, and what cannot be one. Raises `UserError`."""
    check_can_hold_model(path)
    try:
        if path.exists() and any(path.iterdir()):
            raise UserError(f"{path} is not empty; choose another --output")
    except OSError as error:
        raise cannot_write(path, error) from error


def replace_folder(source: Path, target: Path) -> None:
    """Put `source` in the place of `target`: in one step where the system has one, so that `target` is there whatever happens.

    Elsewhere the old folder steps aside first; a kill in between leaves it under another name, from where `undo_replacement` takes it.
    """
    old = _old_path(target)
    shutil.rmtree(old, ignore_errors=True)
    sync_tree(source)
    if target.exists() and exchange(source, target):
        old = source
    else:
        if target.exists():
            target.rename(old)
        source.rename(target)
    sync(target.parent)
    shutil.rmtree(old, ignore_errors=True)


def undo_replacement(target: Path) -> None:
    """Put the old folder back where a kill came between two renames of `replace_folder`."""
    old = _old_path(target)
    if old.exists() and not target.exists():
        old.rename(target)


def _old_path(target: Path) -> Path:
    return target.with_name(target.name + ".old")


def sync_tree(folder: Path) -> None:
    """Bring all that a folder holds to the disk: a rename may outlive a power cut that its files' content does not."""
    for path in (*folder.rglob("*"), folder):
        if path.is_file() or path.is_dir():
            sync(path)


def sync(path: Path) -> None:
    """Bring a file's content, or a folder's list of names, to the disk."""
    if path.is_dir():
        # Windows cannot open a folder, and some file systems cannot sync one: the content is safe all the same.
        with suppress(OSError):
            _sync(path, os.O_RDONLY)
    else:
        _sync(path, os.O_RDWR if os.name == "nt" else os.O_RDONLY)


def _sync(path: Path, flags: int) -> None:
    descriptor = os.open(path, flags)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def cannot_write(path: Path, error: Exception) -> UserError:
    """Return the one-line error for a failed write."""
    number = getattr(error, "errno", None)
    reason = os.strerror(number) if number else str(error).split("\n")[0]
    remedy = "choose another --output" if number and number not in _DISK_FULL else "free some space or choose another --output"
    return UserError(f"cannot write {path}: {reason}; {remedy}")


def file_sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def content_sha256(name: str) -> str | None:
    """Return the SHA-256 of a file, or one over names and bytes of all files in a folder; None where the name is that of neither."""
    path = os.path.expanduser(name)  # noqa: PTH111 # a name that can be no path is no error here
    if os.path.isfile(path):  # noqa: PTH113
        return file_sha256(path)
    if not os.path.isdir(path):  # noqa: PTH112
        return None
    files = sorted(file for file in Path(path).rglob("*") if file.is_file())
    listed = [[str(file.relative_to(path)), file_sha256(file)] for file in files]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()
