"""One writer per folder: the second is refused with the first one's name, and nobody is kept out by the dead."""

from __future__ import annotations

import errno
import fcntl
import json
import os
import re
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from augcse.errors import UserError
from augcse.locks import LOCK, locked_folder, one_at_a_time

HOLD = "import sys; from pathlib import Path; from augcse.locks import locked_folder\nwith locked_folder(Path(sys.argv[1])):\n"
HOLD += "    print('held', flush=True); sys.stdin.read()"
WAIT = HOLD.replace("locked_folder", "one_at_a_time")


@pytest.fixture
def holder(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    """Give another process that holds `tmp_path / "out"` until its stdin closes."""
    command = [sys.executable, "-c", HOLD, str(tmp_path / "out")]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        yield process
        process.kill()


def test_another_process_is_named_with_its_start(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    started = re.escape(json.loads((tmp_path / "out" / LOCK).read_text("utf-8"))["started"])
    refused = pytest.raises(UserError, match=rf"out is being written by process {holder.pid} on .* \(started {started}\)")
    with refused, locked_folder(tmp_path / "out"):
        pytest.fail("both hold it")


def test_a_killed_holder_keeps_nobody_out(holder: subprocess.Popen[str], tmp_path: Path) -> None:
    holder.kill()
    holder.wait()
    assert (tmp_path / "out" / LOCK).exists()
    with locked_folder(tmp_path / "out"):
        assert json.loads((tmp_path / "out" / LOCK).read_text("utf-8"))["process"] == os.getpid()


def test_the_same_process_is_refused_too(tmp_path: Path) -> None:
    with locked_folder(tmp_path), pytest.raises(UserError, match=f"process {os.getpid()} "), locked_folder(tmp_path):
        pytest.fail("held twice")


def test_a_refused_second_leaves_the_lock_to_the_first(tmp_path: Path) -> None:
    with locked_folder(tmp_path):
        for _ in range(2):
            with pytest.raises(UserError, match="is being written"), locked_folder(tmp_path):
                pytest.fail("held twice")


def test_a_folder_that_was_made_and_stayed_empty_is_gone(tmp_path: Path) -> None:
    with locked_folder(tmp_path / "out"):
        pass
    assert not list(tmp_path.iterdir())


def test_a_folder_that_was_there_stays_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    with locked_folder(tmp_path / "out"):
        pass
    assert list(tmp_path.rglob("*")) == [tmp_path / "out"]


def test_what_was_written_stays_when_the_writer_fails(tmp_path: Path) -> None:
    with pytest.raises(KeyboardInterrupt), locked_folder(tmp_path / "out"):  # noqa: PT012 - written, then interrupted
        (tmp_path / "out" / "kept").write_text("", "utf-8")
        raise KeyboardInterrupt
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["kept"]


def test_the_lock_of_a_file_that_was_removed_meanwhile_is_taken_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    flock, calls = fcntl.flock, []

    def after_removal(descriptor: int, operation: int) -> None:
        if not calls:
            (tmp_path / LOCK).unlink()
        calls.append(operation)
        flock(descriptor, operation)

    monkeypatch.setattr(fcntl, "flock", after_removal)
    with locked_folder(tmp_path), pytest.raises(UserError, match="is being written"), locked_folder(tmp_path):
        pytest.fail("held twice")


def test_a_file_in_the_folders_place_is_one_line(tmp_path: Path) -> None:
    (tmp_path / "out").write_text("a file", "utf-8")
    with pytest.raises(UserError, match=r"cannot write .*out: File exists; choose"), locked_folder(tmp_path / "out"):
        pytest.fail("held a file")


def test_a_link_in_the_locks_place_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").write_text("precious", "utf-8")
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / LOCK).symlink_to(tmp_path / "precious")
    with pytest.raises(UserError, match="cannot write"), locked_folder(tmp_path / "out"):
        pytest.fail("followed")
    assert (tmp_path / "precious").read_text("utf-8") == "precious"


@pytest.mark.parametrize("end", ["ends", "is killed"])
def test_what_is_done_one_at_a_time_waits_until_the_other_process_ends(end: str, tmp_path: Path) -> None:
    lock, entered = tmp_path / "locks" / "one", threading.Event()

    def enter() -> None:
        with one_at_a_time(lock):
            entered.set()

    with subprocess.Popen([sys.executable, "-c", WAIT, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == "held\n"
        waiting = threading.Thread(target=enter)
        waiting.start()
        assert not entered.wait(0.5)
        process.stdin.close() if end == "ends" else process.kill()
        assert entered.wait(60)
    waiting.join()
    assert not list(lock.parent.iterdir())


def test_nobody_waits_where_a_lock_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "locks").write_text("a file", "utf-8")
    with one_at_a_time(tmp_path / "locks" / "one"), one_at_a_time(tmp_path / "locks" / "one"):
        pass


def test_a_file_system_without_locks_is_worked_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_locks(descriptor: int, operation: int) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    monkeypatch.setattr(fcntl, "flock", no_locks)
    with locked_folder(tmp_path):
        (tmp_path / "kept").write_text("", "utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
