"""SIGINT, SIGTERM and failures while training: a checkpoint, one line, and the same bits when it goes on."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import save_file
from typer.testing import CliRunner

from augcse import train
from augcse.cli.app import app
from augcse.errors import FailedWorkError, Interrupted
from augcse.training.checkpoints import checkpoints
from augcse.training.run_folder import locked_run_folder
from augcse.training.stopping import StopRequest, deferred_signals, signals_interrupt
from augcse.training.watcher import Watcher

# 400 sentences in batches of 40: an epoch has 10 steps. No checkpoint by steps before the last.
SETTINGS: dict[str, Any] = {
    "batch_size": 40, "epochs": 2, "max_steps": 12, "log_every_steps": 3, "training.precision": "fp32",
    "augmentation.names": ["RandomSwap", "RandomDeletion"],
}  # fmt: skip


def _run(folder: Path, corpus: Path, backbone: Path, advance: Callable[[int], None] = lambda step: None, **more: Any) -> Path:
    watcher = Watcher(advance=lambda step, figures: None if figures else advance(step), note=more.pop("note", lambda message: None))
    train("augcse-mini", corpus=corpus, output=folder, model=str(backbone), workers=1, dev="none", watcher=watcher, **{**SETTINGS, **more})
    return folder


def _signalled(at: int, number: int) -> Callable[[int], None]:
    return lambda step: os.kill(os.getpid(), number) if step == at else None


def _model_bytes(folder: Path) -> dict[str, bytes]:
    model = folder / "model"
    return {str(file.relative_to(model)): file.read_bytes() for file in model.rglob("*") if file.is_file()}


def _steps(folder: Path) -> list[int]:
    return [int(path.name.split("-")[1]) for path in checkpoints(folder / "checkpoints")]


@pytest.fixture(scope="module")
def uninterrupted(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path) -> Path:
    return _run(tmp_path_factory.mktemp("whole") / "run", corpus, tiny_backbone)


@pytest.mark.parametrize(
    ("number", "at"), [(signal.SIGTERM, 4), (signal.SIGINT, 10)], ids=["SIGTERM in an epoch", "SIGINT at the end of one"]
)
def test_a_signal_leaves_a_checkpoint_from_which_the_run_ends_with_the_same_bytes(
    number: signal.Signals, at: int, uninterrupted: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path
) -> None:
    before = [signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)]
    folder = tmp_path / "run"
    with pytest.raises(Interrupted, match=f"stopped by {number.name}; .*checkpoint-{at} is kept, continue with --resume") as stop:
        _run(folder, corpus, tiny_backbone, _signalled(at, number))
    assert isinstance(stop.value, KeyboardInterrupt)
    assert [signal.getsignal(signal.SIGINT), signal.getsignal(signal.SIGTERM)] == before
    assert _steps(folder) == [at]
    assert not (folder / "model").exists()
    _run(folder, corpus, tiny_backbone, resume=True)
    assert _model_bytes(folder) == _model_bytes(uninterrupted)


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_the_command_says_in_one_line_what_is_kept(
    number: signal.Signals, code: int, corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.cli.console.TrainingProgress.advance", lambda self, count, figures: _signalled(2, number)(count))
    arguments = ["train", "simcse-mini", "--corpus", corpus, "--model", tiny_backbone, "--output", tmp_path / "run"]
    result = CliRunner().invoke(app, [*map(str, arguments), "--set", "batch_size=40", "--set", "max_steps=6"])
    assert result.exit_code == code
    last = result.stderr.splitlines()[-1]
    assert last == f"augcse: stopped by {number.name}; {tmp_path / 'run' / 'checkpoints' / 'checkpoint-2'} is kept, continue with --resume"


def test_a_signal_while_preparing_leaves_nothing_half_written(
    corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("augcse.training.store.build.StoreStatistics.report", lambda self, slots: os.kill(os.getpid(), signal.SIGTERM))
    with pytest.raises(Interrupted, match=r"stopped by SIGTERM; no step was kept in .*, continue with --resume"):
        _run(tmp_path / "run", corpus, tiny_backbone)
    assert {path.name for path in (tmp_path / "run").iterdir()} == {"recipe.toml", "inputs.json"}


def test_a_disk_that_fills_up_says_what_is_kept_and_the_run_goes_on_to_the_same_bytes(
    uninterrupted: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full_at_step_8(tensors: dict[str, torch.Tensor], path: Path) -> None:
        if path.parent.name == "checkpoint-8":
            raise OSError(28, "No space left on device")
        save_file(tensors, path)

    every: dict[str, Any] = {"checkpoint_every_steps": 4}
    with monkeypatch.context() as full:
        full.setattr("augcse.training.trainer.save_file", full_at_step_8)
        with pytest.raises(FailedWorkError, match=r"checkpoint-8: No space .*; .*checkpoint-4 is kept, continue with --resume$"):
            _run(tmp_path / "run", corpus, tiny_backbone, **every)
    _run(tmp_path / "run", corpus, tiny_backbone, resume=True, **every)
    assert _model_bytes(tmp_path / "run") == _model_bytes(uninterrupted)


def test_a_killed_worker_leaves_a_run_to_go_on_with(
    corpus: Path, tiny_backbone: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*arguments: object) -> None:
        raise FailedWorkError("a worker was killed")

    folder = tmp_path / "run"
    with monkeypatch.context() as patch:
        patch.setattr("augcse.training.store.draw.apply_stream", killed)
        with pytest.raises(FailedWorkError, match=f"^a worker was killed; no step was kept in {folder}, continue with --resume$"):
            _run(folder, corpus, tiny_backbone)
    assert {path.name for path in folder.iterdir()} == {"recipe.toml", "inputs.json"}
    _run(folder, corpus, tiny_backbone, resume=True)
    assert (folder / "run.json").exists()


def test_where_nothing_is_kept_no_folder_is_spoken_of(tmp_path: Path) -> None:
    nothing = "^the disk is full; nothing is kept, begin again with the same command$"
    with pytest.raises(FailedWorkError, match=nothing), locked_run_folder(tmp_path / "run"):
        raise FailedWorkError("the disk is full")


def test_checkpoints_come_by_time_and_change_nothing(uninterrupted: Path, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    seen: list[list[int]] = []
    # So short a time is over after every step.
    often = {"training.checkpoint_every_minutes": 1e-9}
    _run(tmp_path / "run", corpus, tiny_backbone, lambda step: seen.append(_steps(tmp_path / "run")), **often)
    assert seen[-3:] == [[8, 9], [9, 10], [10, 11]]
    assert _model_bytes(tmp_path / "run") == _model_bytes(uninterrupted)


def test_a_second_signal_does_not_wait() -> None:
    request = StopRequest()
    with deferred_signals(request):
        os.kill(os.getpid(), signal.SIGINT)
        assert request.signal_number == signal.SIGINT
        with pytest.raises(Interrupted, match="stopped by SIGTERM"):
            os.kill(os.getpid(), signal.SIGTERM)


def test_an_ignored_signal_stays_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with signals_interrupt():
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_outside_the_main_thread_no_handler_is_touched() -> None:
    before = signal.getsignal(signal.SIGTERM)
    seen: list[object] = []

    def work() -> None:
        with signals_interrupt():
            seen.append(signal.getsignal(signal.SIGTERM))

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]


def test_an_interruption_that_a_library_turned_into_its_own_error_is_one_still() -> None:
    # As Python does where `__set_name__` is interrupted (RuntimeError), and numpy's C API while it is imported.
    def library() -> None:
        try:
            os.kill(os.getpid(), signal.SIGTERM)
        except Interrupted:
            raise ImportError("failed to import") from None

    with pytest.raises(Interrupted, match="stopped by SIGTERM") as stop, signals_interrupt():
        library()
    assert isinstance(stop.value.__cause__, ImportError)


def test_an_error_without_a_signal_passes_as_it_is() -> None:
    with pytest.raises(ImportError, match="failed to import"), signals_interrupt():
        raise ImportError("failed to import")
