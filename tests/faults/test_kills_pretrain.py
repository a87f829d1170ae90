"""A pretraining that is killed at any moment goes on with --resume and ends with the same bytes.

The moments are counted as in `test_kills_train`: in the preparation, between files of a checkpoint, while the model is written.
"""

from __future__ import annotations

import multiprocessing
import os
import random
import signal
from collections.abc import Callable
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from test_kills_train import _watch

from augcse.training.pretraining.pretrain import pretrain
from augcse.training.watcher import Watcher

SETTINGS: dict[str, Any] = {
    "vocabulary_size": 300, "hidden_size": 16, "layers": 1, "heads": 2, "intermediate_size": 16, "positions": 16, "block_tokens": 16,
    "batch_size": 8, "max_steps": 6, "log_every_steps": 1, "checkpoint_every_steps": 2, "precision": "fp32", "dropout_rate": 0.1,
}  # fmt: skip
KILLS = 5


def _run(folder: Path, corpus: str, event: Callable[[], None] = lambda: None, **more: Any) -> Path:
    watcher = Watcher(advance=lambda step, figures: event())
    return pretrain(corpus, output=folder, watcher=watcher, **{**SETTINGS, **more}).folder


def pretrain_and_die(folder: Path, corpus: str, moment: int, number: int) -> None:
    """In a process of its own: send itself a signal at an event."""
    events = count()

    def event() -> None:
        if next(events) == moment:
            os.kill(os.getpid(), number)

    _watch(pytest.MonkeyPatch(), event)
    _run(folder, corpus, event)


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory, corpus: Path) -> tuple[Path, int]:
    """The backbone, and the number of its run's events."""
    seen: list[None] = []

    def event() -> None:
        seen.append(None)

    with pytest.MonkeyPatch.context() as patch:
        _watch(patch, event)
        folder = _run(tmp_path_factory.mktemp("whole") / "backbone", str(corpus), event)
    return folder, len(seen)


@pytest.fixture(scope="module")
def server() -> Any:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["torch", "augcse.training.pretraining.stage"])
    return context


def _bytes(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir() if file.name != "pretrain.json"}


@pytest.mark.parametrize(
    ("kill", "number"),
    [*((kill, signal.SIGKILL) for kill in range(KILLS)), (2, signal.SIGTERM), (3, signal.SIGINT)],
    ids=lambda value: value.name if isinstance(value, signal.Signals) else f"part-{value}",
)
def test_a_killed_pretraining_goes_on_to_the_same_bytes(
    kill: int, number: signal.Signals, uninterrupted: tuple[Path, int], server: Any, corpus: Path, tmp_path: Path
) -> None:
    whole, events = uninterrupted
    moment = (kill * events + random.Random(kill).randrange(events)) // KILLS
    child = server.Process(target=pretrain_and_die, args=(tmp_path / "backbone", str(corpus), moment, int(number)))
    child.start()
    child.join(timeout=300)
    assert child.exitcode == -signal.SIGKILL if number == signal.SIGKILL else child.exitcode not in (0, None)
    _run(tmp_path / "backbone", str(corpus), resume=True)
    assert _bytes(tmp_path / "backbone") == _bytes(whole)
    assert [path.name for path in tmp_path.iterdir()] == ["backbone"]
