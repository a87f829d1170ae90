"""`augcse augment` killed at random moments: no process stays, nothing is half written, the same command ends with the same bytes."""

from __future__ import annotations

import contextlib
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from augcse.augmentations.run import blocks
from augcse.augmentations.run.shards import is_shard_name, read_whole
from augcse.augmentations.run.write import augment_corpus

NAMES = ["RandomSwap", "PigLatin", "UNA"]
SHARD_SENTENCES = 20
# Small shards and chunks, so that a short run has many moments; all else is the command itself.
COMMAND = f"""
import sys
from augcse.augmentations.run import engines
from augcse.augmentations.run import blocks
from augcse.cli.app import main
blocks.SHARD_SENTENCES, engines.CHUNK_ROWS = {SHARD_SENTENCES}, 5
main()
"""
SHARDS = 400 // SHARD_SENTENCES * len(NAMES)

pytestmark = pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="finds worker processes in /proc")


@pytest.fixture(scope="module")
def expected(corpus: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of an uninterrupted run."""
    output = tmp_path_factory.mktemp("uninterrupted") / "out"
    _finish(corpus, output)
    return _content(output)


def _finish(corpus: Path, output: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(blocks, "SHARD_SENTENCES", SHARD_SENTENCES)
        augment_corpus([corpus], NAMES, output)


def _content(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def _shards(output: Path) -> list[Path]:
    return [path for path in output.iterdir() if is_shard_name(path.name)] if output.is_dir() else []


def _start(corpus: Path, output: Path) -> subprocess.Popen[str]:
    arguments = ["augment", str(corpus), "--with", ",".join(NAMES), "--output", str(output), "--workers", "2"]
    return subprocess.Popen([sys.executable, "-c", COMMAND, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _wait_for(process: subprocess.Popen[str], output: Path, seed: int) -> None:
    """Wait for a random moment: while it starts, or after a random number of shards."""
    rng = random.Random(seed)
    shards = rng.choice([0, 0, 1, SHARDS // 4, SHARDS // 2])
    while process.poll() is None and len(_shards(output)) < shards:
        time.sleep(0.002)
    time.sleep(rng.uniform(0, 1.0 if not shards else 0.05))


def _worker(process: subprocess.Popen[str]) -> int | None:
    """Wait for a worker process and return its id, or None if the command ends first."""
    while process.poll() is None:
        try:
            children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text("utf-8").split()
            workers = [int(child) for child in children if b"spawn_main" in Path(f"/proc/{child}/cmdline").read_bytes()]
        except OSError:
            continue
        if workers:
            return workers[-1]
        time.sleep(0.002)
    return None


def _end(process: subprocess.Popen[str]) -> str:
    """Return what it said on stderr, when no process holds its output open any more."""
    _, said = process.communicate(timeout=300)
    return said


def _check(corpus: Path, output: Path, expected: dict[str, bytes]) -> None:
    assert all(read_whole(shard) is not None for shard in _shards(output))
    _finish(corpus, output)
    assert _content(output) == expected


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM, signal.SIGINT])
def test_the_command_is_killed(number: signal.Signals, seed: int, corpus: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    process = _start(corpus, tmp_path / "out")
    _wait_for(process, tmp_path / "out", seed)
    process.send_signal(number)
    said = _end(process)
    assert process.returncode in (-number, 128 + number, 0)
    assert "resource_tracker" not in said
    if process.returncode == 128 + number and _shards(tmp_path / "out"):
        assert re.fullmatch(
            rf"augcse: stopped by {number.name}; \d+ finished shards are kept in .*, and the same command continues from there\n", said
        )
    _check(corpus, tmp_path / "out", expected)


@pytest.mark.parametrize("seed", range(3))
def test_a_worker_is_killed(seed: int, corpus: Path, tmp_path: Path, expected: dict[str, bytes]) -> None:
    process = _start(corpus, tmp_path / "out")
    worker = _worker(process)
    _wait_for(process, tmp_path / "out", seed)
    if worker is not None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(worker, signal.SIGKILL)
    said = _end(process)
    if process.returncode:
        # It was needed: one line after those of the progress, which a slow machine prints, and it says what is there and what to do.
        assert process.returncode == 1
        progress, error = r"(augmenting [^\n]* rows/s[^\n]*\n)*", "augcse: error: a worker process was killed"
        kept = len(_shards(tmp_path / "out"))
        what = rf"{kept} finished shards are kept in [^\n]* continues from there" if kept else "no shard was finished, [^\n]* begins again"
        assert re.fullmatch(rf"{progress}{error}, [^\n]*; {what}\n", said)
    _check(corpus, tmp_path / "out", expected)
