"""A training that is killed at any moment goes on with --resume and ends with the same bytes.

The moments are counted in events: every sync and rename of a file, and every step. They lie in the preparation, between two files of
a checkpoint, between the two renames of a best model, and while the model is written. The killed runs are children of one server that
has imported torch once.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from augcse.pipeline import train
from augcse.training.watcher import Watcher

SETTINGS: dict[str, Any] = {
    "batch_size": 40, "max_steps": 6, "checkpoint_every_steps": 2, "eval_every_steps": 2, "log_every_steps": 1,
    "training.precision": "fp32", "augmentation.names": ["RandomSwap", "RandomDeletion"],
}  # fmt: skip
KILLS = 6
PAIRS = "".join(f"{grade % 6}\tA cat sat on mat {grade}.\tThe cat was sitting on mat {grade % 4}.\n" for grade in range(12))


def _run(folder: Path, corpus: str, backbone: str, dev: str, event: Callable[[], None] = lambda: None, **more: Any) -> Path:
    watcher = Watcher(advance=lambda step, figures: event())
    train("augcse-mini", corpus=corpus, output=folder, model=backbone, workers=1, dev=dev, watcher=watcher, **{**SETTINGS, **more})
    return folder


def _watch(patch: pytest.MonkeyPatch, event: Callable[[], None]) -> None:
    """Call `event` before every sync and every rename."""
    sync, rename, replace = os.fsync, Path.rename, Path.replace
    patch.setattr(os, "fsync", lambda descriptor: (event(), sync(descriptor))[1])
    patch.setattr(Path, "rename", lambda path, target: (event(), rename(path, target))[1])
    patch.setattr(Path, "replace", lambda path, target: (event(), replace(path, target))[1])


def run_and_die(folder: Path, corpus: str, backbone: str, dev: str, moment: int, number: int) -> None:
    """In a process of its own: send itself a signal at an event."""
    events = count()

    def event() -> None:
        if next(events) == moment:
            os.kill(os.getpid(), number)

    _watch(pytest.MonkeyPatch(), event)
    _run(folder, corpus, backbone, dev, event)


@pytest.fixture(scope="module")
def dev(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("dev") / "pairs.tsv"
    path.write_text(PAIRS, "utf-8")
    return str(path)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path, dev: str) -> tuple[Path, int]:
    """The run, and the number of its events."""
    seen: list[None] = []

    def event() -> None:
        seen.append(None)

    with pytest.MonkeyPatch.context() as patch:
        _watch(patch, event)
        folder = _run(tmp_path_factory.mktemp("whole") / "run", str(corpus), str(tiny_backbone), dev, event)
    return folder, len(seen)


@pytest.fixture(scope="module")
def server() -> Any:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch", "augcse.pipeline", "augcse.training.run", "augcse.evaluation.tasks.sts"])
    return context


def _bytes(folder: Path) -> dict[str, bytes]:
    model = folder / "model"
    return {str(file.relative_to(model)): file.read_bytes() for file in model.rglob("*") if file.is_file()}


@pytest.mark.parametrize(
    ("kill", "number"),
    [*((kill, signal.SIGKILL) for kill in range(KILLS)), (1, signal.SIGTERM), (4, signal.SIGINT)],
    ids=lambda value: value.name if isinstance(value, signal.Signals) else f"part-{value}",
)
def test_a_killed_run_goes_on_to_the_same_bytes(
    kill: int,
    number: signal.Signals,
    uninterrupted: tuple[Path, int],
    server: Any,
    corpus: Path,
    tiny_backbone: Path,
    dev: str,
    tmp_path: Path,
) -> None:
    whole, events = uninterrupted
    # One moment in each part of the run.
    moment = (kill * events + random.Random(kill).randrange(events)) // KILLS
    arguments = (tmp_path / "run", str(corpus), str(tiny_backbone), dev)
    child = server.Process(target=run_and_die, args=(*arguments, moment, int(number)))
    child.start()
    child.join(timeout=300)
    assert child.exitcode == -signal.SIGKILL if number == signal.SIGKILL else child.exitcode not in (0, None)
    assert not (tmp_path / "run" / "run.json").exists()
    _run(*arguments, resume=True)
    assert _bytes(tmp_path / "run") == _bytes(whole)
    curves = [json.loads((folder / "run.json").read_text("utf-8"))["curves"] for folder in (whole, tmp_path / "run")]
    assert curves[0] == curves[1]
    assert {path.name for path in (tmp_path / "run").iterdir()} - {"resumes.json"} == {path.name for path in whole.iterdir()}
