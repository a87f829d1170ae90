"""What a run called from Python reports, and to whom: the log, callbacks, trackers; none of it changes a byte of the model."""

from __future__ import annotations

import importlib.util
import logging
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from transformers import TrainerCallback

import augcse
from augcse.errors import MissingDependencyError, UserError
from augcse.training import reporting
from augcse.training.isolated_callbacks import EVENTS
from augcse.training.progress import StageProgress
from augcse.training.record import Run
from augcse.training.reporting import checked_callbacks, checked_trackers, reporting_to
from augcse.training.watcher import Watcher

SETTINGS: dict[str, Any] = {"batch_size": 40, "max_steps": 6, "log_every_steps": 2, "training.precision": "fp32"}
PAIRS = (
    "score\ta\tb\n5\tThe mill was built.\tThe mill was erected.\n0\tShe likes rain.\tThey sold a car.\n3\tA choir sings.\tA man sings.\n"
)


def _run(folder: Path, corpus: Path, backbone: Path, **more: Any) -> Run:
    return augcse.train("simcse-mini", corpus=corpus, output=folder, model=str(backbone), workers=1, **{**SETTINGS, **more})


def _model_bytes(run: Run) -> dict[str, bytes]:
    return {str(file.relative_to(run.model)): file.read_bytes() for file in run.model.rglob("*") if file.is_file()}


@pytest.fixture
def pairs(tmp_path: Path) -> str:
    (tmp_path / "pairs.tsv").write_text(PAIRS, "utf-8")
    return str(tmp_path / "pairs.tsv")


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory, corpus: Path, tiny_backbone: Path) -> Run:
    """A run that nobody looks at."""
    return _run(tmp_path_factory.mktemp("plain") / "run", corpus, tiny_backbone)


class Everything(TrainerCallback):  # type: ignore[misc]
    """Does at every event what would change a training: draws from each generator, switches modes, encodes."""

    def __init__(self) -> None:
        self.seen: list[str] = []


def _meddle(event: str) -> Callable[..., None]:
    def meddle(self: Everything, args: Any, state: Any, control: Any, model: Any = None, **others: Any) -> None:
        self.seen.append(event)
        torch.rand(3)
        random.random()
        np.random.rand(3)  # noqa: NPY002 - the point of it
        if model is not None:
            model.encode(["A sentence of some length."], show_progress_bar=False)
            model.eval()

    return meddle


for _event in EVENTS:
    setattr(Everything, _event, _meddle(_event))


def test_callbacks_are_called_and_change_no_byte(plain: Run, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    meddler = Everything()
    run = _run(tmp_path / "run", corpus, tiny_backbone, callbacks=[meddler])
    assert {event: meddler.seen.count(event) for event in ("on_init_end", "on_train_begin", "on_step_end", "on_log", "on_train_end")} == {
        "on_init_end": 1, "on_train_begin": 1, "on_step_end": 6, "on_log": 4, "on_train_end": 1,
    }  # fmt: skip
    assert _model_bytes(run) == _model_bytes(plain)
    assert run.record["curves"][0] == plain.record["curves"][0]


def test_a_callback_may_end_the_training(corpus: Path, tiny_backbone: Path, tmp_path: Path, pairs: str) -> None:
    class Enough(TrainerCallback):  # type: ignore[misc]
        def on_evaluate(self, args: Any, state: Any, control: Any, metrics: Any = None, **others: Any) -> Any:
            assert "eval_pairs" in metrics
            control.should_training_stop = state.global_step >= 3
            return control

    run = _run(tmp_path / "run", corpus, tiny_backbone, callbacks=[Enough], dev=pairs, eval_every_steps=3)
    assert run.record["steps"] == 3
    assert run.record["last"]["step"] == 3


def test_what_a_callback_raises_comes_as_it_is(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    class Broken(TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, *arguments: Any, **others: Any) -> None:
            raise ZeroDivisionError("mine")

    with pytest.raises(ZeroDivisionError, match="mine"):
        _run(tmp_path / "run", corpus, tiny_backbone, callbacks=[Broken()])


TRACKIO = '''
"""Stands in for trackio: writes what it is told into a file."""
import json, random, types
from pathlib import Path
__version__ = "0.43.0"
class _Config(dict):
    def update(self, values, allow_val_change=False):
        super().update(values)
config = _Config()
context_vars = types.SimpleNamespace(current_space_id=types.SimpleNamespace(get=lambda: None))
told = Path(__file__).parent / "told.jsonl"
def _tell(*entry):
    random.random()
    with told.open("a") as file:
        file.write(json.dumps(entry) + "\\n")
def init(**arguments):
    print("* Trackio project initialized")
    _tell("init", arguments["name"])
def log(values, step=None):
    _tell("log", sorted(values))
def finish():
    _tell("finish")
'''


@pytest.fixture
def tracker(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A trackio of our own that can be imported; returns its folder."""
    folder = tmp_path / "packages" / "trackio"
    folder.mkdir(parents=True)
    (folder / "__init__.py").write_text(TRACKIO, "utf-8")
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.delitem(sys.modules, "trackio", raising=False)
    return folder


def test_a_tracker_gets_the_curves_and_changes_no_byte(
    plain: Run, corpus: Path, tiny_backbone: Path, tmp_path: Path, tracker: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run = _run(tmp_path / "run", corpus, tiny_backbone, report_to=["trackio"])
    shown = capsys.readouterr()
    assert (shown.out, "* Trackio project initialized" in shown.err) == ("", True)
    told = (tracker / "told.jsonl").read_text("utf-8").splitlines()
    assert told[0] == '["init", "run"]'
    assert sum('"train/loss"' in line for line in told) == 3
    assert '["finish"]' in told
    assert _model_bytes(run) == _model_bytes(plain)


def test_a_tracker_that_fails_is_one_line(corpus: Path, tiny_backbone: Path, tmp_path: Path, tracker: Path) -> None:
    (tracker / "__init__.py").write_text(TRACKIO + "\ndef init(**arguments):\n    raise RuntimeError('no key\\nlog in')\n", "utf-8")
    with pytest.raises(UserError, match=r"^report_to trackio: no key; fix that"):
        _run(tmp_path / "run", corpus, tiny_backbone, report_to="trackio")


@pytest.mark.skipif(importlib.util.find_spec("tensorboard") is None, reason="no TensorBoard (pip install tensorboard)")
def test_tensorboard_files_lie_in_the_run(plain: Run, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    run = _run(tmp_path / "run", corpus, tiny_backbone, report_to="tensorboard")
    events = EventAccumulator(str(run.folder / "tensorboard"))
    events.Reload()
    assert [event.step for event in events.Scalars("train/loss")] == [2, 4, 6]
    assert _model_bytes(run) == _model_bytes(plain)


@pytest.mark.parametrize(
    ("report_to", "message"),
    [
        ("tensorbord", "unknown report_to 'tensorbord'; did you mean tensorboard?"),
        ("all", "unknown report_to 'all'; known: none, tensorboard, trackio, wandb"),
        (["none", "trackio"], "unknown report_to 'none'"),
        ("", "unknown report_to ''"),
        (3, "train: report_to is 3; give tensorboard, trackio, wandb, a list of them, or none"),
        ("wandb", "report_to wandb needs the package wandb: pip install wandb"),
        (["tensorboard"], "report_to tensorboard needs the package tensorboard: pip install tensorboard"),
    ],
)
def test_a_tracker_that_cannot_be_is_refused(report_to: Any, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "_is_installed", lambda package: package == "trackio")
    with pytest.raises(UserError, match="^" + message.replace("?", r"\?")):
        augcse.train("simcse-mini", corpus=tmp_path / "none.txt", output=tmp_path / "run", report_to=report_to)
    assert list(tmp_path.iterdir()) == []


def test_a_folder_is_no_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """W&B writes its files into a folder `wandb`, which Python would import as a namespace package."""
    (tmp_path / "wandb").mkdir()
    monkeypatch.syspath_prepend(str(tmp_path))
    if (found := importlib.util.find_spec("wandb")) is not None and found.origin is not None:
        pytest.skip("W&B is installed")
    with pytest.raises(MissingDependencyError, match="pip install wandb"):
        checked_trackers("wandb")


@pytest.mark.parametrize("report_to", ["none", (), ["none"], []])
def test_nowhere_is_no_tracker(report_to: Any) -> None:
    assert checked_trackers(report_to) == ()


def test_names_are_taken_once_and_from_one_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reporting, "_is_installed", lambda package: True)
    assert checked_trackers("wandb, tensorboard,wandb") == ("wandb", "tensorboard")


@pytest.mark.parametrize(
    ("callbacks", "message"),
    [
        ([print], r"callbacks\[0\] is <built-in function print>; give an object or a class"),
        ([TrainerCallback, int], r"callbacks\[1\] is <class 'int'>; give"),
        (TrainerCallback(), "callbacks is a TrainerCallback; give a list"),
    ],
    ids=["a function", "another class", "no list"],
)
def test_a_callback_that_is_none_is_refused(callbacks: Any, message: str) -> None:
    with pytest.raises(UserError, match=message):
        checked_callbacks(callbacks)


def test_a_run_is_logged(corpus: Path, tiny_backbone: Path, tmp_path: Path, pairs: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "augcse")
    run = _run(tmp_path / "run", corpus, tiny_backbone, dev=pairs, eval_every_steps=3)
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("augcse")]
    assert "preparing" in lines
    assert "training: 6 steps" in lines
    scored = [line for line in lines if line.startswith("training 3/6 ")]
    assert len(scored) == 1
    assert "sentences/s" in scored[0]
    assert "min left" in scored[0]
    assert "pairs " in scored[0]
    assert lines[-1] == str(run)
    assert not any("\x1b" in line for line in lines)


def test_a_notebook_shows_a_table_of_text(tmp_path: Path) -> None:
    moment = {"step": 0, "dev": {"<b>pairs": 41.5}, "test": {}}
    record = {"steps": 6, "before": moment, "best": moment, "last": {"step": 6, "dev": {"<b>pairs": 40.25}, "test": {}}}
    run = Run(tmp_path, Path("<script>model"), record)
    shown = run._repr_html_()
    assert shown.startswith("<p>6 steps; model: <code>&lt;script&gt;model</code></p><table><tr><td>score x 100</td>")
    assert "<tr><td>&lt;b&gt;pairs (dev)</td><td>41.50</td><td>41.50</td><td>40.25</td></tr>" in shown
    assert str(run).splitlines()[0] == "6 steps; model: <script>model"


def test_what_is_built_is_logged_too(tiny_backbone: Path, corpus: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "augcse")
    augcse.postprocess(tiny_backbone, corpus, output=tmp_path / "white", steps="whiten")
    augcse.static(corpus, output=tmp_path / "static", dim=8)
    lines = [record.getMessage() for record in caplog.records if record.name.startswith("augcse.encoding")]
    assert lines[0].startswith("fitting whiten on 400 distinct sentences")
    assert "reading" in lines


def test_without_logging_a_run_shows_nothing(corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    code = (
        "import sys, augcse\n"
        f"augcse.train('simcse-mini', corpus={str(corpus)!r}, output={str(tmp_path / 'run')!r}, model={str(tiny_backbone)!r},"
        " workers=1, batch_size=40, max_steps=2)"
    )
    done = subprocess.run([sys.executable, "-W", "error::UserWarning", "-c", code], capture_output=True, text=True, timeout=300)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_watcher_takes_the_place_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO, "augcse")
    heard: list[str] = []
    watcher = reporting_to(Watcher(note=heard.append), 8)
    watcher.note("a")
    assert (heard, caplog.text) == (["a"], "")
    reporting_to(None, 8).warn("100 % of b")
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [("WARNING", "100 % of b")]


def test_progress_counts_what_a_resumed_training_has_done_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    clock = iter([0.0, 0.0, 10.0])
    monkeypatch.setattr("augcse.training.progress.time.monotonic", lambda: next(clock))
    progress = StageProgress(batch_size=8)
    progress.start("training", 100)
    progress.advance(41, {"loss": 0.5, "grad_norm": 3, "eval_STSB-dev": 70.123})
    progress.advance(50, {})
    # Ten steps in ten seconds, fifty to go.
    assert progress.line() == "training 50/100 8 sentences/s  0.8 min left  loss 0.5  STSB-dev 70.1"


def test_in_another_thread_a_run_sets_no_handler(plain: Run, corpus: Path, tiny_backbone: Path, tmp_path: Path) -> None:
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    during: list[Any] = []
    runs: list[Run] = []

    class Look(TrainerCallback):  # type: ignore[misc]
        def on_step_end(self, *arguments: Any, **others: Any) -> None:
            during.append([signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)])

    work = threading.Thread(target=lambda: runs.append(_run(tmp_path / "run", corpus, tiny_backbone, callbacks=[Look])))
    work.start()
    work.join()
    assert during == [before] * 6
    assert _model_bytes(runs[0]) == _model_bytes(plain)


def test_no_time_left_is_told_before_the_first_step() -> None:
    progress = StageProgress(32)
    progress.start("training", 16)
    progress.advance(0, {"eval_pairs": 87.6})
    assert "left" not in progress.line()
    assert "pairs 87.6" in progress.line()
    progress.advance(1, {})
    assert "min left" in progress.line()
