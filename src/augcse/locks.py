"""Locks that the operating system releases when a process ends: on a folder, which is refused to others, or a file, which they wait for."""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from augcse.errors import UserError
from augcse.files import cannot_write

if sys.platform == "win32":
    import msvcrt
else:
    import fcntl

# Hidden: readers of a folder of Parquet files ignore it.
LOCK = ".lock"
_LOCKED_BYTE = 1 << 30
_POLL_S = 0.1
_NO_LOCKS_THERE = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Lock the folder, which is created if necessary, for this process; remove it afterwards if it was created and is still empty.

    It is a kernel lock on the file `.lock` in the folder, so that a killed process leaves no lock, only the file, which is reused. A second
    call in the same process fails too. Forked children share the lock until they end. File systems without locks (some network mounts)
    give no protection, which is not an error.

    Raises:
        UserError: another process has the lock (the message names it), or the folder cannot be written.
    """
    lock = folder / LOCK
    made = not folder.exists()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        descriptor = _acquire(lock)
    except OSError as error:
        raise cannot_write(folder, error) from error
    try:
        yield
    finally:
        _release(lock, descriptor)
        if made:
            with suppress(OSError):
                folder.rmdir()


@contextmanager
def one_at_a_time(lock: Path) -> Iterator[None]:
    """Execute the block in one process or thread at a time, waiting for another that is in it.

    It is a kernel lock on the file `lock`, which is created, with its folder, and removed afterwards: a killed process does not keep others
    waiting. If the file cannot be created, or its file system has no locks, there is no waiting, which is not an error.
    """
    descriptor = _wait_for(lock)
    try:
        yield
    finally:
        if descriptor is not None:
            _release(lock, descriptor)


def _wait_for(lock: Path) -> int | None:
    """Return the descriptor of the locked file; None if it cannot be created or locked."""
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        while (descriptor := _open_locked(lock)) is None:
            time.sleep(_POLL_S)
    except OSError:
        return None
    return descriptor


def _acquire(lock: Path) -> int:
    """Return the descriptor of the locked file; raises `UserError` if another process has the lock."""
    descriptor = _open_locked(lock)
    if descriptor is None:
        raise _refusal(lock)
    with ExitStack() as on_failure:
        on_failure.callback(os.close, descriptor)
        _write_holder(descriptor)
        on_failure.pop_all()
    return descriptor


def _open_locked(lock: Path) -> int | None:
    """Return the descriptor of the locked file, None if another process or thread has the lock."""
    while True:
        # Links are not followed, because the file may be overwritten.
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        with ExitStack() as on_failure:
            on_failure.callback(os.close, descriptor)
            if not _try_lock(descriptor):
                return None
            # Otherwise the previous holder removed the file after we opened it, so that others would lock a new one.
            if _is_named(descriptor, lock):
                on_failure.pop_all()
                return descriptor


def _release(lock: Path, descriptor: int) -> None:
    if sys.platform == "win32":
        # Windows cannot remove an open file; one that another process has opened by now may stay.
        os.close(descriptor)
        with suppress(OSError):
            lock.unlink()
        return
    # Removed while locked: a process that has opened it meanwhile notices that the file has no name any more.
    with suppress(OSError):
        lock.unlink()
    os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    """Return whether the file is locked now, or its file system has no locks; False if another process or thread has the lock."""
    try:
        if sys.platform == "win32":
            # A byte far beyond the content, since locked bytes cannot be read.
            os.lseek(descriptor, _LOCKED_BYTE, os.SEEK_SET)
            msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
            os.lseek(descriptor, 0, os.SEEK_SET)
        else:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except (BlockingIOError, PermissionError):
        return False
    except OSError as error:
        if error.errno not in _NO_LOCKS_THERE:
            raise
    return True


def _is_named(descriptor: int, lock: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), lock.stat())
    except FileNotFoundError:
        return False


def _write_holder(descriptor: int) -> None:
    holder = {"process": os.getpid(), "host": socket.gethostname(), "started": datetime.now(UTC).isoformat(timespec="seconds")}
    os.ftruncate(descriptor, 0)
    os.write(descriptor, json.dumps(holder).encode())


def _refusal(lock: Path) -> UserError:
    """Return the error for a folder that another process has locked."""
    try:
        holder = json.loads(lock.read_text("utf-8"))
        who = f"process {holder['process']} on {holder['host']} (started {holder['started']})"
    except (OSError, ValueError, KeyError, TypeError):
        # The holder has the lock, but has not written its name yet.
        who = "another process"
    return UserError(f"{lock.parent} is being written by {who}; wait until it has ended, or choose another --output")
