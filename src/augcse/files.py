"""Atomic writes of files and folders (written under a partial name, synced, then renamed), and their hashes."""

from __future__ import annotations

import errno
import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from augcse.errors import FailedWorkError, UserError
from augcse.exchange import exchange

_PARTIAL_SUFFIX = ".partial"
_CHUNK_BYTES = 1 << 20
# A full disk, or a limit on what a user may write.
DISK_FULL = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)


def exists(path: Path) -> bool:
    """Return whether a path exists; False for a text that cannot be a path, such as a name that is too long."""
    try:
        return path.exists()
    except (OSError, ValueError):
        return False


def names_by_folder(folders: Sequence[Path]) -> list[str]:
    """Return the shortest unique ends of the paths, of equal length for those that share their last part.

    >>> names_by_folder([Path("/old/simcse"), Path("/new/simcse"), Path("/new/augcse")])
    ['old/simcse', 'new/simcse', 'augcse']
    """

    def end(folder: Path, length: int) -> str:
        return "/".join(folder.parts[-length:]) or str(folder)

    names = []
    for folder in folders:
        others = [other for other in folders if other.name == folder.name and other != folder]
        length = 1
        while any(end(other, length) == end(folder, length) for other in others) and length < len(folder.parts):
            length += 1
        names.append(end(folder, length))
    return names


@contextmanager
def reported_read() -> Iterator[None]:
    """Turn an `OSError` inside the block into a `UserError` with the name of the file."""
    try:
        yield
    except OSError as error:
        raise UserError(f"cannot read {error.filename}: {error.strerror}; give files that can be read") from error


def refuse_pipe(path: Path, mode: int, kind: str) -> None:
    """Raise `UserError` for a pipe or a device: waiting for its text may take forever, and it can be read only once.

    Args:
        path: the path for the message.
        mode: the mode of the path, from its `stat`.
        kind: what is read from it, with its article, for the message.
    """
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):
        raise UserError(f"{path} is a pipe or a device, and {kind} is read more than once; write it to a file first: ... > FILE")


def partial_path(path: Path) -> Path:
    """Return the hidden path, in the same folder, under which `path` is written until it is complete."""
    return path.with_name(f".{path.name}{_PARTIAL_SUFFIX}")


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield a partial path to write to; on success the file replaces `path`, on failure it is removed.

    Raises:
        UserError: an `OSError` inside, e.g. a full disk.
    """
    partial = partial_path(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # Writing would follow an existing link.
        partial.unlink(missing_ok=True)
        yield partial
        sync(partial)
        partial.replace(path)
        sync(path.parent)
    except OSError as error:
        raise cannot_write(path, error) from error
    finally:
        # Another error here (a folder that is gone or read-only) must not hide the first one.
        with suppress(OSError):
            partial.unlink(missing_ok=True)


def write_text(path: Path, text: str) -> None:
    """Write a text file atomically.

    Raises:
        UserError: the disk is full or the path cannot be written.
    """
    with whole_file(path) as partial:
        # File names that are not UTF-8 are written with escapes, which JSON can read.
        partial.write_text(text, encoding="utf-8", errors="backslashreplace")


def write_json(path: Path, document: Any) -> None:
    """Write a JSON file atomically."""
    write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Yield a partial folder to fill; on success it replaces `path`, on failure it is removed.

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
    """Turn the errors of a failed write by Python, safetensors or torch into a `UserError` about `path`."""
    from safetensors import SafetensorError

    try:
        yield
    except (OSError, SafetensorError) as error:
        raise cannot_write(path, error) from error
    except RuntimeError as error:
        # torch.save reports a full disk like this.
        if "inline_container" not in str(error) and "PytorchStreamWriter" not in str(error):
            raise
        raise cannot_write(path, OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))) from error


def check_can_be_folder(path: Path) -> None:
    """Check that a path can be an output folder.

    Raises:
        UserError: it is a file or a dead link, is below a file, or cannot be written.
    """
    try:
        if path.is_symlink() and not path.exists():
            raise UserError(f"{path} is a link to {path.readlink()}, which does not exist; make that folder, or choose another --output")
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
    """Raise `UserError` for a path that cannot be a folder, or whose name the libraries that write models do not support."""
    check_can_be_folder(path)
    try:
        str(path.absolute()).encode()
    except UnicodeEncodeError as error:
        raise UserError(f"{path} is not UTF-8, and models can be written only under such names; choose another --output") from error


def check_is_absent(path: Path) -> None:
    """Raise `UserError` for an output that exists, or cannot be the folder of a model."""
    check_can_hold_model(path)
    if path.exists():
        raise UserError(f"{path} exists; choose another --output")


def check_is_new(path: Path) -> None:
    """Raise `UserError` for a folder that is not empty, or a path that cannot be the folder of a model."""
    check_can_hold_model(path)
    try:
        if path.exists() and any(path.iterdir()):
            raise UserError(f"{path} is not empty; choose another --output")
    except OSError as error:
        raise cannot_write(path, error) from error


def replace_folder(source: Path, target: Path) -> None:
    """Replace `target` by `source`, atomically if the operating system can exchange two paths.

    Elsewhere the old folder is renamed first; if the process is killed in between, `undo_replacement` restores it.
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
    """Restore the old folder if the process was killed between the two renames of `replace_folder`."""
    old = _old_path(target)
    if old.exists() and not target.exists():
        old.rename(target)


def _old_path(target: Path) -> Path:
    return target.with_name(target.name + ".old")


def sync_tree(folder: Path) -> None:
    """Sync all files of a folder to the disk: after a power cut a rename may have survived, but not the content of the files."""
    for path in (*folder.rglob("*"), folder):
        if path.is_file() or path.is_dir():
            sync(path)


def sync(path: Path) -> None:
    """Sync a file's content, or a folder's entries, to the disk."""
    if path.is_dir():
        # Windows cannot open a folder, and some file systems cannot sync one; the files are synced anyway.
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
    """Return the one-line error for a failed write: a `FailedWorkError` unless the path is known to be at fault."""
    number = getattr(error, "errno", None)
    reason = os.strerror(number) if number else str(error).split("\n")[0]
    failed = f"cannot write {_final_path(path)}: {reason}"
    if number and number not in DISK_FULL:
        return UserError(f"{failed}; choose another --output")
    return FailedWorkError(f"{failed}; free some space or choose another --output")


def _final_path(path: Path) -> Path:
    """Return the final path of a file or folder in or below a `partial_path`."""

    def final_name(name: str) -> str:
        return name[1:].removesuffix(_PARTIAL_SUFFIX) if name.startswith(".") and name.endswith(_PARTIAL_SUFFIX) else name

    return Path(*map(final_name, path.parts))


def file_sha256(path: str | Path) -> str:
    """Return the SHA-256 of a file's bytes."""
    digest = hashlib.sha256()
    with Path(path).open("rb") as file:
        while chunk := file.read(_CHUNK_BYTES):
            digest.update(chunk)
    return digest.hexdigest()


def content_sha256(name: str) -> str | None:
    """Return the SHA-256 of a file, or of the names and contents of all files in a folder; None if the name is neither."""
    path = os.path.expanduser(name)  # noqa: PTH111 # unlike pathlib, accepts names that cannot be paths
    if os.path.isfile(path):  # noqa: PTH113
        return file_sha256(path)
    if not os.path.isdir(path):  # noqa: PTH112
        return None
    files = sorted(file for file in Path(path).rglob("*") if file.is_file())
    listed = [[str(file.relative_to(path)), file_sha256(file)] for file in files]
    return hashlib.sha256(json.dumps(listed).encode()).hexdigest()
