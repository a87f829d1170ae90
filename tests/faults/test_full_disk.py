"""A disk that is full in the middle of writing: one line that names the file, exit code 1, and nothing that looks whole.

It is made full by the largest size that a file of this process may have, beyond which the system refuses to write (EFBIG).
"""

from __future__ import annotations

import re
import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from fault import Place

from augcse.cli.app import run

# Smaller than whatever the commands write first; and than the weights of a model, before which a run writes other things.
_FIRST, _WEIGHTS = 1500, 40_000
_QUIET = ("--quiet",)
_TRAINED = ("--workers", "1", "--dev", "none", "--test", "none", "--set", "training.max_steps=1", "--set", "batch_size=20")
COMMANDS: dict[str, tuple[str, ...]] = {
    "train": ("train", "simcse-mini", "--model", "{model}", "--corpus", "{corpus}", "--output", "{work}/out", *_TRAINED, *_QUIET),
    "adapt": ("adapt", "{corpus}", "--model", "{model}", "--output", "{work}/out", *_TRAINED, *_QUIET),
    "static": ("static", "{corpus}", "--output", "{work}/out", *_QUIET),
    "postprocess": ("postprocess", "{model}", "{corpus}", "--with", "whiten", "--output", "{work}/out", *_QUIET),
    "hybrid": ("hybrid", "{model}", "{model}", "--output", "{work}/out", *_QUIET),
    "word vectors": ("postprocess", "{vectors}", "--output", "{work}/out", *_QUIET),
    "pairs": ("pairs", "{corpus}", "--model", "{model}", "--number", "40", "--output", "{work}/out.tsv", *_QUIET),
    "report": ("report", "{run}", "--output", "{work}/out.html"),
    "split": ("split", "{corpus}", "--output", "{work}/out.txt", *_QUIET),
    "score": ("score", "{corpus}", "--with", "RandomSwap", "--lm", "none", "--output", "{work}/out", *_QUIET),
    "augment": ("augment", "{corpus}", "--with", "RandomSwap", "--output", "{work}/out", "--workers", "1"),
}


@contextmanager
def _full_disk(size: int) -> Iterator[None]:
    """Refuse whatever is written past the first `size` bytes of a file."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@pytest.mark.parametrize(("command", "size"), [*((command, _FIRST) for command in COMMANDS), ("train", _WEIGHTS), ("adapt", _WEIGHTS)])
def test_a_full_disk_is_one_line_and_nothing_looks_whole(
    command: str, size: int, place: Place, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path / "cache"))
    with _full_disk(size):
        code = run([place.filled(word) for word in COMMANDS[command]])
    shown = capsys.readouterr()
    lines = shown.err.splitlines()
    assert (code, shown.out) == (1, ""), shown.err
    assert lines[-1].startswith("augcse: error: cannot write ")
    assert re.search("; (free some space|choose another --output)", lines[-1])
    assert str(tmp_path) in lines[-1]
    assert ".partial" not in lines[-1]
    assert "Traceback" not in shown.err
    if command in ("train", "adapt"):
        assert lines[-1].endswith(f"; no step was kept in {tmp_path}/out, continue with --resume")
    outputs = [path for path in tmp_path.rglob("*") if path.is_file() and tmp_path / "cache" not in path.parents]
    assert [path for path in outputs if path.name in ("run.json", "modules.json", "out.tsv", "out.html", "out.txt")] == []
