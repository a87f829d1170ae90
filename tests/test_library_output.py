"""Loading and saving show nothing of transformers' own, and leave its settings as they were."""

from __future__ import annotations

import logging
import threading
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path

import pytest
from huggingface_hub.utils import are_progress_bars_disabled, disable_progress_bars, enable_progress_bars
from transformers.utils import logging as transformers_logging

from augcse import train
from augcse.encoding.model import load_encoder
from augcse.encoding.saving import EncoderSaver
from augcse.library_output import quiet_transformers
from augcse.objectives.masked_lm import load_masked_lm
from augcse.training.watcher import Watcher

LOADER = logging.getLogger("transformers.modeling_utils")


@pytest.fixture(autouse=True)
def _as_in_a_fresh_process(caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Verbosity "warning" and progress bars on, which the other tests switch off."""
    # Where CI is set, transformers hands its records on, and caplog would have them twice.
    monkeypatch.setattr(logging.getLogger("transformers"), "propagate", False)
    verbosity, shown = transformers_logging.get_verbosity(), transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_warning()
    transformers_logging.enable_progress_bar()
    logging.getLogger("transformers").addHandler(caplog.handler)
    yield
    logging.getLogger("transformers").removeHandler(caplog.handler)
    transformers_logging.set_verbosity(verbosity)
    if not shown:
        transformers_logging.disable_progress_bar()


def test_without_it_there_is_something_to_silence(
    tiny_backbone: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    from transformers import AutoModel

    AutoModel.from_pretrained(str(tiny_backbone))
    assert "LOAD REPORT" in caplog.text
    assert "Loading weights" in capfd.readouterr().err


def test_loading_and_saving_a_backbone_show_nothing(
    tiny_backbone: Path, tmp_path: Path, caplog: pytest.LogCaptureFixture, capfd: pytest.CaptureFixture[str]
) -> None:
    EncoderSaver(load_encoder(str(tiny_backbone))).save(tmp_path)
    load_masked_lm(str(tiny_backbone))
    assert caplog.text == ""
    shown = capfd.readouterr()
    assert (shown.out, shown.err) == ("", "")


class Killed(Exception):
    """Stands in for SIGKILL."""


def _train(output: Path, corpus: Path, backbone: Path, kill_at: int, resume: bool) -> None:
    def advance(step: int, figures: object) -> None:
        if step == kill_at:
            raise Killed

    train(
        "simcse-mini", corpus=corpus, output=output, model=str(backbone), dev="none", workers=1, resume=resume,
        watcher=Watcher(advance=advance), batch_size=8, max_steps=4, checkpoint_every_steps=2,
    )  # fmt: skip


@pytest.mark.parametrize("kill_at", [3, -1], ids=["of a killed run", "of a finished training"])
def test_resuming_shows_nothing(kill_at: int, corpus: Path, tiny_backbone: Path, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    with nullcontext() if kill_at < 0 else pytest.raises(Killed):
        _train(tmp_path, corpus, tiny_backbone, kill_at, resume=False)
    (tmp_path / "run.json").unlink(missing_ok=True)
    capfd.readouterr()
    _train(tmp_path, corpus, tiny_backbone, -1, resume=True)
    shown = capfd.readouterr()
    assert (shown.out, shown.err) == ("", "")


def test_other_messages_and_other_threads_are_not_touched(caplog: pytest.LogCaptureFixture) -> None:
    with quiet_transformers():
        LOADER.warning("BertModel LOAD REPORT from: a")
        LOADER.warning("something else")
        other = threading.Thread(target=LOADER.warning, args=("BertModel LOAD REPORT from: b",))
        other.start()
        other.join()
    LOADER.warning("BertModel LOAD REPORT from: c")
    assert [record.getMessage() for record in caplog.records] == [
        "something else",
        "BertModel LOAD REPORT from: b",
        "BertModel LOAD REPORT from: c",
    ]


@pytest.mark.parametrize("hub_silent", [False, True], ids=["bars on", "the hub's off"])
def test_settings_are_as_before_also_after_a_failure(hub_silent: bool) -> None:
    if hub_silent:
        disable_progress_bars()
    before = transformers_logging.get_verbosity(), list(LOADER.filters)

    def fail() -> None:
        with quiet_transformers():
            assert not transformers_logging.is_progress_bar_enabled()
            raise ValueError("x")

    with pytest.raises(ValueError, match="x"):
        fail()
    assert (transformers_logging.get_verbosity(), list(LOADER.filters)) == before
    assert transformers_logging.is_progress_bar_enabled()
    assert are_progress_bars_disabled() == hub_silent
    enable_progress_bars()


def test_bars_that_were_off_stay_off() -> None:
    transformers_logging.disable_progress_bar()
    with quiet_transformers():
        pass
    assert not transformers_logging.is_progress_bar_enabled()
