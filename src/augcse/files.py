"""Write aside, then rename: a file or folder under its final name is always whole."""

from __future__ import annotations

import errno
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from augcse.errors import UserError

PARTIAL_SUFFIX = ".partial"


def write_text(path: Path, text: str) -> None:
    """Write a text file whole or not at all.

    Raises:
        UserError: the disk is full or the place cannot be written.
    """
    partial = path.with_name(path.name + PARTIAL_SUFFIX)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        partial.write_text(text, encoding="utf-8")
        partial.replace(path)
    except OSError as error:
        partial.unlink(missing_ok=True)
        raise cannot_write(path, error) from error


def write_json(path: Path, document: Any) -> None:
    """Write a JSON file whole or not at all."""
    write_text(path, json.dumps(document, indent=2, ensure_ascii=False) + "\n")


@contextmanager
def whole_folder(path: Path) -> Iterator[Path]:
    """Give a partial folder to fill; on success it takes the place of `path`, on failure it is removed.

    Raises:
        UserError: an `OSError` inside, e.g. a full disk.
    """
    partial = path.with_name(path.name + PARTIAL_SUFFIX)
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


def replace_folder(source: Path, target: Path) -> None:
    """Put `source` in the place of `target`. The old folder steps aside first, so that no mixture is ever seen."""
    old = target.with_name(target.name + ".old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    source.rename(target)
    shutil.rmtree(old, ignore_errors=True)


def cannot_write(path: Path, error: Exception) -> UserError:
    """Return the one-line error for a failed write."""
    number = getattr(error, "errno", None)
    reason = os.strerror(number) if number else str(error).split("\n")[0]
    return UserError(f"cannot write {path}: {reason}; free some space or choose another --output")
