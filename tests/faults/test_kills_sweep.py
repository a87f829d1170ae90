"""A sweep that is killed goes on to the same table, and leaves no process behind; one that is stopped keeps its last step."""

from __future__ import annotations

import multiprocessing
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from augcse.config import load_recipe
from augcse.corpus.files import Corpus
from augcse.sweeping.runs import RunSpec, run_all
from augcse.sweeping.sweep import sweep
from augcse.training.run_folder import CHECKPOINTS

PAIRS = "".join(f"{grade % 6}\tA cat sat on mat {grade}.\tThe cat was sitting on mat {grade % 4}.\n" for grade in range(12))
SETTINGS = {"batch_size": 20, "max_steps": 40, "checkpoint_every_steps": 2, "eval_every_steps": 10, "training.precision": "fp32"}
_PATIENCE_S = 300.0


def _settings(corpus: Path, backbone: Path, dev: Path) -> list[str]:
    keys = [
        "batch_size=20",
        "max_steps=40",
        "checkpoint_every_steps=2",
        "eval_every_steps=10",
        "training.precision=fp32",
        "baselines=false",
    ]
    settings = [word for key in keys for word in ("--set", key)]
    return [
        "sweep", "simcse-mini", "--corpus", str(corpus), "--model", str(backbone), "--dev", str(dev), "--seeds", "1,2,3", "--workers", "2",
        "--grid", "temperature=0.1", *settings,
    ]  # fmt: skip


def _children(parent: int) -> set[int]:
    """Return all processes below one, as /proc lists them."""
    found, frontier = set(), {parent}
    while frontier:
        below = set()
        for path in Path("/proc").glob("[0-9]*/stat"):
            try:
                fields = path.read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[1]) in frontier:
                below.add(int(path.parent.name))
        frontier = below - found
        found |= below
    return found


def _is_alive(process: int) -> bool:
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def _wait_for(done: object, what: str) -> None:
    deadline = time.monotonic() + _PATIENCE_S
    while not done():  # type: ignore[operator]
        assert time.monotonic() < deadline, what
        time.sleep(0.05)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads the processes from /proc")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM], ids=lambda number: number.name)
def test_a_killed_sweep_goes_on_to_the_same_table(
    number: signal.Signals, corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("AUGCSE_CACHE", str(tmp_path / "cache"))
    dev = tmp_path / "pairs.tsv"
    dev.write_text(PAIRS, "utf-8")
    command = [sys.executable, "-m", "augcse", *_settings(corpus, tiny_backbone, dev), "--output", str(tmp_path / "killed")]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    _wait_for(lambda: list(tmp_path.glob("killed/runs/*/checkpoints/checkpoint-*")) or process.poll() is not None, "no run has begun")
    children = _children(process.pid)
    assert process.poll() is None, process.communicate()[1]
    assert children
    os.kill(process.pid, number)
    said = process.communicate(timeout=_PATIENCE_S)[1]
    assert process.returncode == (-signal.SIGKILL if number == signal.SIGKILL else 143), said
    _wait_for(lambda: not any(map(_is_alive, children)), "a process is left")
    if number == signal.SIGTERM:
        assert "of 3 runs are finished, the same command continues" in said
    unfinished = [folder for folder in (tmp_path / "killed" / "runs").iterdir() if not (folder / "run.json").exists()]
    assert unfinished
    whole = _made(tmp_path / "whole", corpus, tiny_backbone, dev)
    assert _made(tmp_path / "killed", corpus, tiny_backbone, dev) == whole


def test_a_run_that_gets_the_terminal_s_signal_too_writes_a_checkpoint(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    # No checkpoint is due before the last step, thousands of steps away.
    settings = {**SETTINGS, "max_steps": 10_000, "epochs": 1_000.0, "checkpoint_every_steps": 10_000, "model.backbone": str(tiny_backbone)}
    recipe = load_recipe("simcse-mini", settings)
    spec = RunSpec("run", recipe, Corpus.of(corpus), tmp_path / "run", tmp_path / "log", None, "none", ())

    def press_ctrl_c(steps: int) -> None:
        for process in multiprocessing.active_children():
            assert process.pid is not None
            os.kill(process.pid, signal.SIGINT)
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run_all([spec], 1, advance=press_ctrl_c)
    assert list((tmp_path / "run" / CHECKPOINTS).glob("checkpoint-*")), (tmp_path / "log").read_text("utf-8")


def _made(output: Path, corpus: Path, backbone: Path, dev: Path) -> bytes:
    sweep(
        "simcse-mini",
        corpus=corpus,
        output=output,
        model=str(backbone),
        dev=str(dev),
        seeds=[1, 2, 3],
        grid={"temperature": [0.1]},
        workers=2,
        baselines=False,
        **SETTINGS,
    )
    return (output / "table.json").read_bytes()
