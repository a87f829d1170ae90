"""One writer per folder: who writes holds a lock that the operating system releases however the process ends."""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
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

# Hidden: readers of a folder of Parquet files pass over it.
LOCK = ".lock"
_LOCKED_BYTE = 1 << 30
_NO_LOCKS_THERE = (errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS)


@contextmanager
def locked_folder(folder: Path) -> Iterator[None]:
    """Hold the folder, which is made if need be, for this process alone; one that was made and stayed empty is removed again.

    The lock is the kernel's, on the file `.lock` in the folder, so that a killed holder leaves no lock: a file that stays is
    taken over. A second call is refused in the same process too. Forked children share the lock until they end. A file system that
    has no locks (some network mounts) guards nothing, and is no reason not to work on it.

    Raises:
        UserError: another process writes there, named with its start; or the folder cannot be written.
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


def _acquire(lock: Path) -> int:
    while True:
        # No link is followed: the holder's name is written into the file.
        descriptor = os.open(lock, os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o644)
        with ExitStack() as on_failure:
            on_failure.callback(os.close, descriptor)
            if not _try_lock(descriptor):
                raise _refusal(lock)
            # Otherwise the holder before removed the file after we opened it: its lock guards nothing.
            if _is_named(descriptor, lock):
                _write_holder(descriptor)
                on_failure.pop_all()
                return descriptor


def _release(lock: Path, descriptor: int) -> None:
    if sys.platform == "win32":
        # An open file cannot be removed there, and one that another has opened by now need not be.
        os.close(descriptor)
        with suppress(OSError):
            lock.unlink()
        return
    # Removed while it is held: a process that opened it meanwhile finds that it has no name any more.
    with suppress(OSError):
        lock.unlink()
    os.close(descriptor)


def _try_lock(descriptor: int) -> bool:
    try:
        if sys.platform == "win32":
            # A byte far after the content, since a locked one cannot be read.
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
    try:
        holder = json.loads(lock.read_text("utf-8"))
        who = f"process {holder['process']} on {holder['host']} (started {holder['started']})"
    except (OSError, ValueError, KeyError, TypeError):
        # Caught between the lock and the name.
        who = "another process"
    return UserError(f"{lock.parent} is being written by {who}; wait until it has ended, or choose another --output")
